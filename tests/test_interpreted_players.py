"""At the first start nothing is compiled: the players play as ordinary Python, the same actions, without fault."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from brinkmanship.engine.jit.compile import INTERPRETED
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import play
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.players import load_player


def moves(game_id: str) -> list[str]:
    """A game of `rules` against a player at random, by the texts of what the sides did."""
    game = load_game(game_id)
    players = (load_player("rules", game, seed=1), load_player("random", game, seed=2))
    match, deal = Match(game), dealer(3)
    match.advance(deal)
    while not match.is_over:
        side = min(match.pending)
        match.push(players[side].choose(Observation.of(match, side)).action, side=side)
        match.advance(deal)
    return [entry.text for entry in match.entries]


@pytest.mark.skipif(INTERPRETED, reason="compares compiled players with interpreted ones")
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_players_play_the_same_where_nothing_is_compiled(game_id: str) -> None:
    played = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", __file__, game_id],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stderr[-2000:]
    assert json.loads(played.stdout) == moves(game_id)


@pytest.mark.skipif(INTERPRETED, reason="compares a compiled loop with an interpreted one")
def test_a_policy_plays_the_same_in_a_loop_that_is_not_compiled() -> None:
    played = subprocess.run(
        [sys.executable, __file__, "13-minutes", "loop"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stderr[-2000:]
    assert json.loads(played.stdout) == looped("13-minutes")


def looped(game_id: str) -> list[list[int]]:
    """How a game of `rules` against itself ends where a loop asks its policy: decisions, reasons, winners."""
    game = load_game(game_id)
    policy = load_player("rules", game, seed=1).policy
    (batch,) = play(game, 0, 1, 5, (policy, policy))
    return [batch.decisions.tolist(), batch.reasons.tolist(), batch.winners.tolist()]


if __name__ == "__main__":
    print(json.dumps((looped if sys.argv[2:] else moves)(sys.argv[1])))
