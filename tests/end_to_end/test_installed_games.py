"""Games of other packages are played in the terminal: *Sealed Bids*, and Kuhn poker, which brings rules alone."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from brinkmanship.drawing import Drawing, drawing_of
from brinkmanship.engine import journal
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.lab.diagnostics import speed
from brinkmanship.players import load_player
from brinkmanship.position import PositionError, View
from brinkmanship.simulation import play_games
from brinkmanship.terminal.tables import table_for
from brinkmanship.testing import check_contract, check_journals, check_knowledge
from brinkmanship.text import (
    LANGUAGES,
    MissingTextError,
    agendas_of,
    cards_of,
    rules_of,
    rulings_of,
    section_of,
    status_of,
    words_for,
)
from brinkmanship.text.options import option_text
from support.cli_runner import menu_keys, run
from support.installed_games import EXAMPLES, install, on_path

GAMES = {"kuhn-poker": ("first", "Kuhn Poker"), "sealed-bids": ("us", "Sealed Bids")}


@pytest.fixture(autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Both games, as if their packages were installed."""
    folder = tmp_path_factory.mktemp("installed")
    install(folder, "kuhn-poker", "kuhn-poker = kuhn_poker.kit:KIT")
    install(folder, "sealed-bids", "sealed-bids = template_game.kit:KIT")
    with on_path(folder, EXAMPLES):
        yield


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_is_played_in_the_terminal_to_its_end(tmp_path: Path, game_id: str, language: str) -> None:
    side, title = GAMES[game_id]
    dice, saved = random.Random(1), tmp_path / "game.brink"

    def answer(page: str) -> str:
        return dice.choice(menu_keys(page)) if page.endswith("> ") else ""

    asked = ["play", game_id, "--side", side, "--against", "random", "--seed", "3", "--lang", language]
    played = run(*asked, "--save", str(saved), answer=answer)
    assert (played.code, played.err) == (0, "")
    assert title in played.out
    record = journal.read(saved)
    assert record.game_id == game_id
    assert record.result not in ("", "unfinished")
    game = load_game(game_id)
    reason = journal.ending_of(game, record.result).reason
    assert words_for(game, language).sentence(Message(f"reason.{reason}")) in played.out


def test_rules_that_a_game_lacks_are_said_to_be_missing() -> None:
    typed = iter(("rules", "rules card", "quit", "no"))
    played = run("play", "kuhn-poker", "--against", "random", "--seed", "3", answer=lambda _: next(typed))
    assert "This game has no rules text." in played.out
    assert "Nothing found in the rules for “card”." in played.out


def test_they_are_listed_with_the_others() -> None:
    listed = json.loads(run("games", "--json").out)
    assert [game["id"] for game in listed] == [*BUILT_IN, *GAMES]
    assert "Kuhn Poker" in run("games").out


def test_kuhn_poker_passes_the_battery() -> None:
    game = load_game("kuhn-poker")
    check_contract(game, range(25), seed=1)
    check_knowledge(game, range(25), seed=1, redeals=2)
    check_journals(game, range(25), seed=1)


@pytest.mark.parametrize(
    ("actions", "gained", "reason"),
    [
        ("check check", (-0.5, 0.5), "showdown"),
        ("bet fold", (0.5, -0.5), "fold"),
        ("bet call", (-1, 1), "showdown"),
        ("check bet fold", (-0.5, 0.5), "fold"),
        ("check bet call", (-1, 1), "showdown"),
    ],
)
def test_every_course_of_kuhn_poker_with_jack_against_king(
    actions: str, gained: tuple[float, float], reason: str
) -> None:
    game = load_game("kuhn-poker")
    match = Match(game)
    for deal in ("deal first jack", "deal second king"):
        match.push(deal)
    for action in actions.split():
        match.push(action)
    why, utility = game.outcome(match.state)
    assert (why, tuple(utility)) == (reason, gained)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_shown_the_other_hand(language: str) -> None:
    game = load_game("kuhn-poker")
    match = Match(game)
    for action in ("deal first jack", "deal second king", "bet", "fold"):
        match.push(action)
    words = words_for(game, language)
    king, jack = (words.name("card", card) for card in ("king", "jack"))
    for viewer, hidden in ((0, [king]), (1, [jack]), (OBSERVER, [king, jack])):
        view = match.view(viewer)
        drawn = drawing_of(game).board(game, view, viewer, words)
        table = table_for(game, words)
        shown = [str(line) for line in table.position(view, viewer, 80, []) + table.hands(view, viewer, 80)]
        assert not any(card in text for card in hidden for text in (drawn, *shown))
    assert any(jack in str(line) for line in table_for(game, words).hands(match.view(0), 0, 80))


def test_sides_that_are_called_like_a_parameter_are_given_players() -> None:
    game = load_game("kuhn-poker")

    def checks(view: View) -> str:
        assert view.side == 0
        return view.legal[0]

    results = list(play_games(game, 3, seed=7, players={"first": checks}, second="random"))
    assert [result.number for result in results] == [0, 1, 2]
    with pytest.raises(PositionError, match=r"players=\{'first': \.\.\.\}"):
        play_games(game, 3, first="random")  # type: ignore[arg-type]
    with pytest.raises(PositionError, match="no side 'third'"):
        play_games(game, 3, players={"third": "random"})
    with pytest.raises(PositionError, match="'second' is named twice"):
        play_games(game, 3, players={"second": "random"}, second="random")


def test_a_game_without_goals_and_without_greedy_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    scripts: list[str] = []

    def measured(script: str, game: Game, **_: str) -> float:
        scripts.append(speed.filled(script, game))
        return 3.0

    monkeypatch.setattr(speed, "_random_rate", lambda *_: 7.0)
    monkeypatch.setattr(speed, "steps_per_second", lambda *_: (2.0, 1.0))
    monkeypatch.setattr(
        speed, "_in_process", lambda script, game, **_: scripts.append(speed.filled(script, game)) or 3.0
    )
    shown = run("bench", "--game", "kuhn-poker", "--json")
    assert (shown.code, shown.err) == (0, "")
    figures = {figure["name"]: figure for figure in json.loads(shown.out)["figures"]}
    assert figures["random_games"]["value"] == 7
    assert figures["random_games"]["least"] is None
    assert "greedy" not in figures
    assert not any("greedy" in script for script in scripts)


def test_a_game_without_words_is_told_by_its_ids_and_its_data() -> None:
    words = words_for(load_game("kuhn-poker"), "de")
    assert words.text(Message("ask.bet", {"card": Ref("card", "king")})) == "bet: König"
    assert words.text(Message("log.set_aside")) == "set aside"
    with pytest.raises(MissingTextError):
        words.text(Message("picture.board"))


@pytest.mark.parametrize(
    ("language", "question", "option"),
    [
        ("en", "How many coins do you bid for Silver?", "Secret favourites"),
        ("pl", "Ile monet dajesz", "Tajne ulubione"),
    ],
)
def test_a_game_brings_its_words_as_catalogues_alone(language: str, question: str, option: str) -> None:
    words = words_for(load_game("sealed-bids"), language)
    assert words.text(Message("ask.bid", {"prize": Ref("prize", "silver")})).startswith(question)
    assert option_text(words, "favourites").startswith(option)
    assert [option_text(words, "favourites", value) for value in (True, False)] != ["True", "False"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_player_of_the_template_gives_reasons_and_beats_chance(language: str) -> None:
    game = load_game("sealed-bids")
    match = Match(game)
    match.advance(dealer(1))
    choice = load_player("fair_share", game, seed=1).choose(Observation.of(match, 0))
    assert choice.reason is not None
    assert "6" in words_for(game, language).sentence(choice.reason)
    won = run("lab", "match", "sealed-bids", "--a", "fair_share", "--b", "random", "--pairs", "100", "--json")
    assert json.loads(won.out)["score"] > 0.6


def test_a_game_without_pictures_and_texts_inherits_the_defaults() -> None:
    game = load_game("kuhn-poker")
    words, view = words_for(game, "en"), game.view_of(game.new_state(), 0)
    drawing = drawing_of(game)
    assert type(drawing) is Drawing
    assert drawing_of(game) is drawing
    assert words.name("card", "king") in drawing.card(game, "king", words)
    for draw in (drawing.card, drawing.agenda, drawing.illustration):
        with pytest.raises(KeyError, match="nothing"):
            draw(game, "nothing", words)
    assert drawing.overview(game, view, 0, words).tabs == []
    assert drawing.play_of(game, view, 0) is None
    assert not any([drawing.pictogram(game, "card", "king"), drawing.explain(game, words, ["king"])])
    assert not any([drawing.coast_file(), drawing.sketch(game, view, words), drawing.course(game, [view], words)])
    assert not any([cards_of(game, words), agendas_of(game, words), status_of(game, words)])
    assert not any([rules_of(game, "en"), rulings_of(game, words), section_of(game, Message("ask.bet"))])


def test_what_an_action_would_change_is_drawn_as_a_ghost() -> None:
    game = load_game("kuhn-poker")
    match = Match(game)
    match.advance(dealer(1))
    view = match.view(0)
    ghosts = drawing_of(game).ghost_layer(game, view, game.after(view, "bet", 0), 0, words_for(game, "en"))
    assert ghosts.count("→ 2") == 1
