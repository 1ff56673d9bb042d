"""Histories that a side cannot tell from its own: the same observation, other hidden cards."""

from __future__ import annotations

from random import Random

import pytest

from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.lab.diagnostics.histories import actions_of, indistinguishable
from brinkmanship.players import load_player
from brinkmanship.players.self_play import record


def random_game(game: Game, seed: int) -> Match:
    match = Match(game)
    match.take(record(game, 0, seed, (load_player("random", game), load_player("random", game))))
    return match


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_other_histories_look_the_same_and_are_not(game_id: str) -> None:
    game, found = load_game(game_id), 0
    for seed in range(6):
        whole = random_game(game, seed)
        for side in range(2):
            match = whole.until(len(whole.entries) // 4)
            for other in indistinguishable(match, side, Random(seed), 3):
                found += 1
                assert Observation.of(other, side) == Observation.of(match, side)
                assert other.state.tobytes() != match.state.tobytes()
                assert other.is_from_start
    assert found >= 12


def test_they_differ_from_each_other_and_the_same_seed_finds_the_same() -> None:
    match = random_game(load_game("13-days"), 1).until(20)
    found = [actions_of(each) for each in indistinguishable(match, 0, Random(1), 4)]
    assert len(found) == len({*found, actions_of(match)}) - 1 == 4
    assert found == [actions_of(each) for each in indistinguishable(match, 0, Random(1), 4)]


def test_there_is_none_where_nothing_is_hidden() -> None:
    game = load_game("13-minutes")
    assert indistinguishable(Match(game), 0, Random(1), 2) == []
