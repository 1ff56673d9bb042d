"""Hints: the same for the same nodes and seed, blind to what the asker cannot know, never the way into war."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from brinkmanship.engine import journal
from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.players import rules
from brinkmanship.games.thirteen_days.players.search import may_recover
from brinkmanship.players import Budget, load_player, search
from brinkmanship.players.hints import NoHintError, hints
from brinkmanship.players.search import PRICE_OF_DANGER
from brinkmanship.terminal.words import terminal_words
from brinkmanship.text import LANGUAGES, words_for
from brinkmanship.text.hints import why_text
from support.cli_runner import menu_keys, run
from support.positions import MIXED, SEARCHED, ending_in, positions, spread
from support.thirteen_days.danger import needless_risks

FEW = Budget(nodes=60)
FOR_AND_AGAINST = ("why.for.against", "why.for", "why.against")


@pytest.mark.parametrize("game_id", SEARCHED)
def test_hints_are_the_same_for_a_seed_whatever_the_asker_cannot_know(game_id: str) -> None:
    game = load_game(game_id)
    for seen in spread(game, 3, 16):
        found = hints(seen, FEW, seed=1)
        assert hints(seen, FEW, seed=1) == found
        other = game.new_states(1)[0]
        game.redeal(game.rules, seen.view(), seen.side, generator(8), other)
        assert hints(ending_in(seen, game.view_of(other, seen.side)), FEW, seed=1) == found


@pytest.mark.parametrize("game_id", SEARCHED)
def test_every_answer_is_played_on_as_often_and_the_best_stand_first(game_id: str) -> None:
    game = load_game(game_id)
    for seen in spread(game, 4, 16):
        found = hints(seen, FEW)
        if found.is_secret:
            assert sum(one.share or 0.0 for one in found.hints) == pytest.approx(1.0)
            continue
        assert found.playouts == found.worlds * len(found.hints) <= FEW.nodes or found.worlds == 2  # type: ignore[operator]
        wins = [one.win for one in found.hints]
        assert wins == sorted(wins, reverse=True)
        assert found.hints[0].is_best
        for one in found.hints:
            assert one.action in game.legal_actions(seen.view(), seen.side)
            assert 0.0 <= one.win <= 1.0
            assert one.error >= 0.0
            assert one.war is None or 0.0 <= one.war <= 1.0


def test_wins_and_errors_are_those_of_the_playouts_corrected_as_in_the_search() -> None:
    game = load_game("13-minutes")
    seen = spread(game, 5, 4)[3]
    found = hints(seen, FEW, seed=3)
    player = search.SearchPlayer.__subclasses__()  # the game's own, loaded by the hints
    own = next(kind for kind in player if kind.__module__.endswith("thirteen_minutes.players.search"))
    lines = np.array([[one.action] for one in found.hints], np.int64)
    searcher = own(game, 3)
    playouts = search.Playouts(searcher, seen, 3)
    points = playouts.play(lines, found.worlds, with_scores=True)
    wins = [searcher.said(win) for win in points.mean(axis=0)]
    assert [one.win for one in found.hints] == pytest.approx(wins)
    assert own.method.bias > 0.0
    errors = np.hypot(points.std(axis=0, ddof=1) / found.worlds**0.5, own.method.bias)
    assert [one.error for one in found.hints] == pytest.approx(errors.tolist(), abs=1e-9)
    wars = [game.reasons.index(reason) for reason in own.method.war]
    leads = np.where(np.isin(playouts.ends, wars), np.nan, playouts.scores.sum(axis=2))
    assert [one.score for one in found.hints] == pytest.approx(np.nanmean(leads, axis=0).tolist())


@pytest.mark.parametrize("game_id", SEARCHED)
def test_other_answers_than_the_first_have_reasons_too(game_id: str) -> None:
    game = load_game(game_id)
    words = [words_for(game, language) for language in LANGUAGES]
    enough = Budget(nodes=300)  # for differences beyond chance also where each playout counts as several nodes
    given = [one for seen in spread(game, 4, 16) if len(found := hints(seen, enough).hints) > 1 for one in found]
    of_others = [one.reason for one in given if one.reason and one.reason.key in FOR_AND_AGAINST]
    assert len(of_others) > len(given) / 8
    for reason in of_others:
        assert len({why_text(reason, each) for each in words}) == len(LANGUAGES)
    method = load_player("search", game, 1).method  # type: ignore[attr-defined]
    names = {*method.scored, *(rules.BECAUSE if method.parts else ())}
    for name in names:
        for each in words:
            assert each.with_domain("players").text(Message(f"part.{game_id}.{name}"))
    assert any(one.score for one in given)


def test_a_reason_that_looked_at_hidden_cards_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("13-days")
    player = load_player("search", game, 1)
    hidden: list[int] = []

    def peeking(_player: object, _seen: Observation, actions: Sequence[int]) -> dict[str, list[float]]:
        return {"hand": [float(hash((action, *hidden)) % 7) for action in actions]}

    method = player.method._replace(parts=peeking)  # type: ignore[attr-defined]
    monkeypatch.setattr(type(player), "method", method)
    found = set()
    for seen in islice((one for one in positions(game, 3) if len(game.to_move(one.view())) == 1), 4, 8):
        for seed in range(4):
            world = game.new_states(1)[0]
            game.redeal(game.rules, seen.view(), seen.side, generator(seed), world)
            hidden[:] = world.tobytes()
            found.add((seen.views[-1], repr([one.reason for one in hints(seen, FEW).hints])))
    assert len(found) > 4


@pytest.mark.parametrize("game_id", MIXED)
def test_a_secret_question_is_answered_by_a_mixture(game_id: str) -> None:
    game = load_game(game_id)
    seen = next(one for one in positions(game, 4) if len(game.to_move(one.view())) > 1)
    found = hints(seen, Budget(nodes=900))
    assert found.is_secret
    shares = [one.share or 0.0 for one in found.hints]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1.0)


def test_what_leads_needlessly_into_war_is_not_hinted() -> None:
    game = load_game("13-days")
    count = 0
    for seen in islice(positions(game, 6), 0, None, 3):
        view = seen.view()
        if len(game.to_move(view)) > 1:
            continue
        risky = {
            action for action in game.legal_actions(view, seen.side) if needless_risks(game, view, seen.side, action)
        }
        count += len(risky)
        found = {one.action: one.win for one in hints(seen, Budget(nodes=12)).hints}
        safe = max((win for action, win in found.items() if action not in risky), default=0.0)
        bold = [win for action, win in found.items() if action in risky]
        # Early in a round there is time to get out of danger: what wins far more often is worth it.
        assert not bold or (may_recover(view) and min(bold) > safe + PRICE_OF_DANGER)
    assert count > 10


def test_who_is_not_asked_gets_no_hint() -> None:
    game = load_game("13-days")
    seen = next(one for one in positions(game, 4) if len(game.to_move(one.view())) == 1)
    with pytest.raises(NoHintError, match="has nothing to decide"):
        hints(Observation.at(game, game.view_of(seen.view(), 1 - seen.side), 1 - seen.side), FEW)


def saved(game: Game, entries: int, file: Path) -> Match:
    """A game in progress, written to a file."""
    match, deal = Match(game), dealer(3)
    match.advance(deal)
    while len(match.entries) < entries or len(match.pending) > 1:
        side = min(match.pending)
        match.push(match.legal(side)[0].action, side=side)
        match.advance(deal)
    journal.of_match(match).write(file)
    return match


@pytest.mark.parametrize("game_id", SEARCHED)
def test_the_command_hints_in_every_language_and_for_programs(game_id: str, tmp_path: Path) -> None:
    file = tmp_path / "game.brink"
    game = load_game(game_id)
    match = saved(game, 30, file)
    side = min(match.pending)
    for language in LANGUAGES:
        result = run("hint", str(file), "--budget", "60n", "--lang", language)
        assert (result.code, result.err) == (0, "")
        best = hints(Observation.of(match, side), FEW).hints[0].action
        said = terminal_words(game, language).sentence(game.narrator.describe(match.view(side), side, best))
        assert said.split()[0] in result.out
    data = json.loads(run("hint", str(file), "--budget", "60n", "--json").out)
    assert data["side"] == game.sides[side]
    assert data["hints"][0]["action"] in [decision.text for decision in match.legal(side)]
    assert data["hints"][0]["best"]
    assert any(one["reason"] for one in data["hints"])


def test_a_hint_that_cannot_be_given_is_refused(tmp_path: Path) -> None:
    game = load_game("13-days")
    both, one = tmp_path / "both.brink", tmp_path / "one.brink"
    match = Match(game)
    match.advance(dealer(1))
    journal.of_match(match).write(both)
    asked = min(saved(game, 30, one).pending)
    for arguments, complaint in (
        ((str(both),), "--side"),
        ((str(one), "--side", game.sides[1 - asked]), "belongs to"),
        ((str(one), "--side", "un"), "un"),
        ((str(one), "--budget", "soon"), "soon"),
        ((str(tmp_path / "none.brink"),), "none.brink"),
    ):
        result = run("hint", *arguments)
        assert result.code == 2
        assert complaint in result.err
    assert run("hint", str(both), "--side", "ussr", "--budget", "60n").code == 0


def test_a_hint_in_a_game_stands_in_its_journal_and_stays_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brinkmanship.players.hints.STANDARD_BUDGET", FEW)
    file = tmp_path / "game.brink"

    def person(*typed: str) -> Callable[[str], str]:
        lines = iter(typed)

        def answer(page: str) -> str:
            said = next(lines, None)
            if said is None:
                raise EOFError
            return said or menu_keys(page)[0]

        return answer

    result = run("play", "13-minutes", "--seed", "4", "--save", str(file), answer=person("hint", ""))
    assert "±" in result.out
    before = file.read_text("utf-8")
    assert before.count(journal.HINT_TAKEN) == 1
    run("play", "13-minutes", "--load", str(file), "--save", str(file), answer=person("", ""))
    assert len(file.read_text("utf-8")) > len(before)
    assert file.read_text("utf-8").count(journal.HINT_TAKEN) == 1
