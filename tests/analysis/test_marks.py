"""Marks of an analysis: a choice is a mistake only if playouts by another player to the end of the game agree."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest

from brinkmanship.analysis.decisions import MORE_WORLDS, SECOND_WORLDS, judged
from brinkmanship.analysis.pipeline import playouts_for
from brinkmanship.analysis.steps import spans
from brinkmanship.analysis.value import reference_player
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import load_game
from brinkmanship.players import load_player
from brinkmanship.players.player import Candidate
from brinkmanship.players.search import Playouts, SearchPlayer
from support.policy_games import played

SEED = 9_000_950_000
POSITIONS, LAYOUTS = 500, 48
"""Positions of each game in the long test, and the layouts in which `rules` plays them on."""


def game_of_rules(game: Game, number: int) -> Match:
    """Game `number` of the seed, `rules` against itself."""
    policy = load_player("rules", game, 1).policy
    return played(game, number, (policy, policy), SEED)


def seen_before(match: Match, entry: int) -> Observation:
    """The game as the side that acted saw it before one of its choices."""
    return Observation.of(match, match.entries[entry].actor).before(entry)


def best_by_rules(player: SearchPlayer, seen: Observation, seed: int) -> int | None:
    """The candidate that wins most in playouts of `rules` to the end of the game; None if there is only one."""
    first = player.method.prior(seen.game, seed).choose(seen)
    known = first.candidates or tuple(Candidate(each, 0.0) for each in seen.game.legal_actions(seen.view(), seen.side))
    tried = [one.action for one in player.tried(seen.view(), known)]
    if len(tried) == 1:
        return None
    by_rules = player.to_the_end().with_one_policy(load_player("rules", seen.game, 1).policy)
    points = Playouts(by_rules, seen, seed).play(np.array([[action] for action in tried], np.int64), LAYOUTS)
    return tried[int(points.mean(axis=0).argmax())]


def test_a_mark_falls_if_rules_disagrees() -> None:
    game = load_game("13-days")
    player = reference_player(game, 1)
    seen = seen_before(game_of_rules(game, 37), 77)
    named = {game.action_text(action): action for action in game.legal_actions(seen.view(), seen.side)}
    taken = named["place 1 television"]
    alone = copy(player)
    alone.method = player.method._replace(second=None)
    (first, spent), (both, spent_by_both) = (
        judged(each, seen, taken, playouts_for(game) // 2, 37) for each in (alone, player)
    )
    assert (first.mark, both.mark, both.why) == ("blunder", None, None)
    assert first.loss > 0.1 > both.loss
    assert first.options == both.options
    assert spent_by_both - spent in (2 * SECOND_WORLDS, 2 * (SECOND_WORLDS + MORE_WORLDS))


@pytest.mark.parametrize(("game_id", "number", "entry"), [("13-days", 37, 77), ("13-minutes", 37, 30)])
def test_an_analysis_takes_off_what_playouts_promise_too_much(game_id: str, number: int, entry: int) -> None:
    game = load_game(game_id)
    match = game_of_rules(game, number)
    at = next(span.first for span in spans(match) if span.kind == "decision" and span.first >= entry)
    seen, taken = seen_before(match, at), match.entries[at].action
    player = reference_player(game, 1)
    player.method = player.method._replace(second=None)
    raw = copy(player)
    raw.method = player.method._replace(optimism=0.0)
    (said, _), (promised, _) = (judged(each, seen, taken, 400, 1) for each in (player, raw))
    assert player.method.optimism > 0.0
    assert len(said.options) > 1
    wins = {one.action: one.win for one in said.options}
    assert wins == {one.action: pytest.approx(player.said(one.win)) for one in promised.options}
    assert said.loss == pytest.approx(max(0.0, wins[said.best] - wins[said.taken]))
    assert (said.fair, said.over_reference) == (promised.fair, promised.over_reference)


@pytest.mark.long
@pytest.mark.parametrize("game_id", ["13-days", "13-minutes", "ukrainian-crisis"])
def test_choices_that_are_best_by_rules_are_hardly_ever_blunders(game_id: str) -> None:
    game = load_game(game_id)
    player, budget = reference_player(game, 1), playouts_for(game) // 2
    random = np.random.default_rng(SEED)
    marks: list[str | None] = []
    for number in range(5 * POSITIONS):
        match = game_of_rules(game, number)
        choices = [span.first for span in spans(match) if span.kind == "decision"]
        seen = seen_before(match, int(random.choice(choices)))
        if player.method.second is not None and not player.has_second_opinion(seen.view()):
            continue
        best = best_by_rules(player, seen, len(marks))
        if best is not None:
            marks.append(judged(player, seen, best, budget, len(marks))[0].mark)
        if len(marks) == POSITIONS:
            break
    print(game_id, {mark: marks.count(mark) for mark in ("doubtful", "mistake", "blunder")}, "of", len(marks))
    assert marks.count("blunder") <= POSITIONS // 100
