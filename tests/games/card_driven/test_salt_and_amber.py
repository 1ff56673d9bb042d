"""The layer for card-driven games, by the example game that is made of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from brinkmanship.drawing import BoardRequest, drawing_of
from brinkmanship.engine.errors import DataFileError
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import load_game
from brinkmanship.players import load_player
from brinkmanship.players.self_play import play
from brinkmanship.testing import check_contract, check_journals, check_knowledge, walk
from brinkmanship.text import LANGUAGES, cards_of, words_for
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import Settings
from support.installed_games import EXAMPLES, install, on_path
from support.visitors import Visitor, form, live

FOLDER = EXAMPLES / "card_driven"
LIMIT = 600
"""Maximum number of lines of Python and TOML that a game of this kind needs."""
KEY = re.compile(r"\b(ask|choice|log|change|effect|row)\.\w|_")
"""A key of a message, or an id, in place of a sentence."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("installed")
    install(folder, "salt-and-amber", "salt-and-amber = salt_and_amber.kit:KIT")
    with on_path(folder, FOLDER):
        yield load_game("salt-and-amber")


@pytest.fixture
def match(game: Any) -> Match:
    """A game whose hands are dealt."""
    match = Match(game)
    match.advance(dealer(1))
    return match


def hand(match: Match, side: int) -> list[str]:
    return list(match.game.known_state(match.view(side), side)["cards"]["hand"])


def with_card(match: Match, card: str, side: int = 0) -> None:
    """Give a side a card in place of the first one of its hand."""
    ids = [one.id for one in match.game.data.card]  # type: ignore[attr-defined]
    mine, wanted = ids.index(hand(match, side)[0]), ids.index(card)
    match.state.card[mine], match.state.card[wanted] = match.state.card[wanted], side


def test_the_game_is_small() -> None:
    files = [path for kind in ("*.py", "*.toml") for path in FOLDER.rglob(kind)]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= LIMIT


def test_it_keeps_what_every_game_promises(game: Game) -> None:
    def no_card_is_lost(state: Any) -> None:
        counted = [(state.card == side).sum() for side in range(2)]
        assert counted == state.hand.tolist()
        assert (state.card == 2).sum() == state.deck

    check_contract(game, range(6), seed=1, invariant=no_card_is_lost)
    check_knowledge(game, range(3), seed=1)
    check_journals(game, range(2), seed=1)


def test_a_hand_is_seen_by_its_side_alone(match: Match) -> None:
    assert len(hand(match, 0)) == len(hand(match, 1)) == 5
    for viewer, other in ((0, 1), (1, 0), (OBSERVER, 0), (OBSERVER, 1)):
        assert not set((match.view(viewer).card == other).nonzero()[0])
    assert {entry.text for entry in Perspective(match, OBSERVER).entries} == {"draw ?"}


def test_the_other_side_may_carry_out_its_event_first(match: Match) -> None:
    with_card(match, "new_coinage")
    match.push("play new_coinage ops", side=0)
    assert match.game.to_move(match.state) == {1}
    match.push("accept", side=1)
    assert match.state.track[0] == -2
    assert match.game.to_move(match.state) == {0}
    match.push("put gull_haven", side=0)
    match.push("done", side=0)
    assert (match.state.influence[0, 0], match.game.to_move(match.state)) == (3, {1})


def test_operations_cost_what_the_game_says(match: Match) -> None:
    with_card(match, "salt_tax")
    match.state.influence[1, 1] = 3
    match.push("play salt_tax ops", side=0)
    match.push("put saltmarsh", side=0)
    assert match.state.left == 1
    texts = [match.game.action_text(action) for action in match.game.legal_actions(match.state, 0)]
    assert "put saltmarsh" not in texts
    assert "take_off saltmarsh" not in texts
    assert {"put gull_haven", "push unrest down", "done"} <= set(texts)


def test_an_event_that_brings_revolt_loses_the_game(match: Match) -> None:
    with_card(match, "salt_tax")
    match.state.track[1] = 8
    match.push("play salt_tax event", side=0)
    outcome = match.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winner) == ("revolt", 1)


def test_a_card_that_happens_once_leaves_the_game(match: Match) -> None:
    with_card(match, "truce")
    match.push("play truce event", side=0)
    assert match.game.known_state(match.view(OBSERVER), OBSERVER)["cards"]["removed"] == ["truce"]


def test_the_quick_player_beats_random(game: Game) -> None:
    won = 0
    for batch in play(game, 0, 40, 1, (load_player("quick", game), load_player("random", game))):
        won += int((batch.winners == 0).sum())
    assert won >= 36


def test_search_chooses_by_playouts(game: Game, match: Match) -> None:
    player = load_player("search:40n", game, seed=1)
    choice = player.choose(Observation.of(match, 0))
    assert choice.action in game.legal_actions(match.state, 0)
    assert len(choice.candidates) == len(game.legal_actions(match.state, 0))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_said_in_every_language(game: Game, language: str) -> None:
    words, drawing = words_for(game, language), drawing_of(game)
    said = [words.name("side", side) for side in game.sides] + [card.text for card in cards_of(game, words)]
    for moment in walk(game, 1, 1):
        for viewer in (0, 1, OBSERVER):
            before, after = game.view_of(moment.state, viewer), game.view_of(game.copy(moment.state), viewer)
            said.append(words.sentence(game.narrator.prompt(before, viewer)))
            said += [words.sentence(line.message) for line in game.narrator.narrate(before, -1, after, viewer)]
        for side in game.to_move(moment.state):
            said.append(words.sentence(game.narrator.describe(moment.state, side, moment.action)))
    assert not [sentence for sentence in said if KEY.search(sentence)]
    for layout in ("wide", "narrow"):
        board = drawing.board(game, game.view_of(moment.state, 0), 0, words, BoardRequest(layout=layout))
        assert all(f'data-place="{place.id}"' in board for place in game.data.place)  # type: ignore[attr-defined]
    assert words.name("card", "storm") in drawing.card(game, "storm", words)


def test_a_data_file_with_a_fault_is_refused_by_name(game: Game, tmp_path: Path) -> None:
    text = (FOLDER / "salt_and_amber" / "cards.toml").read_text("utf-8")
    for find, put, fault in (
        ('id = "storm"', 'id = "truce"', "every id must be different"),
        ('next_to = ["kings_mint", "castle_quay"]', 'next_to = ["nowhere"]', "nowhere"),
        ('do = "track", n = 2, track = "favour"', 'do = "track", n = 2, track = "fervour"', "fervour"),
    ):
        broken = tmp_path / "cards.toml"
        broken.write_text(text.replace(find, put), "utf-8")
        with pytest.raises(DataFileError, match=fault):
            type(game).load(broken)


def test_it_is_played_in_the_browser(game: Game, settings: Settings) -> None:
    del game  # installed
    with TestClient(create_app(settings)) as client:
        anna = Visitor(client)
        assert "Salt and Amber" in anna.get("/")
        path = anna.begin("same", 0, "salt-and-amber")
        table = live(anna.client, path)
        for _ in range(6):
            side = next(side for side in range(2) if table.decisions(side))
            page = anna.get(f"{path}?seat={side}")
            assert 'data-place="old_bridge"' in page
            assert anna.post(f"{path}/act", **form(page)).status_code < 400
        assert anna.ask("GET", "/cards/salt-and-amber").status_code == 200
