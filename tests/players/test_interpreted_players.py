"""At the first start nothing is compiled: the players play as ordinary Python, the same actions, without fault."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from brinkmanship.engine.jit.compile import INTERPRETED
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import play
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.players import levels_for, load_player, thinks_less
from brinkmanship.players.search import Playouts


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


@pytest.mark.skipif(INTERPRETED, reason="starts an interpreted process")
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_level_answers_within_a_small_budget_where_nothing_is_compiled(game_id: str) -> None:
    played = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", __file__, game_id, "levels"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stderr[-2000:]
    said = json.loads(played.stdout)
    game = load_game(game_id)
    assert [level for level, *_ in said] == list(levels_for(game)) * ASKED
    assert all(is_legal for *_, is_legal, _ in said)
    assert max(playouts for *_, playouts in said) <= MAX_PLAYOUTS
    assert not any(thinks_less(level, game) for level in levels_for(game))


ASKED = 3
"""Decisions that every level is asked for."""
APART = 9
"""Decisions at random before the next one that they are asked for."""
MAX_PLAYOUTS = 20
"""A playout takes up to a fifth of a second, in 13 Minutes twice as long."""


def levels(game_id: str) -> list[tuple[str, bool, int]]:
    """What came of asking every level: its name, whether its answer is legal, and how many playouts it took."""
    game = load_game(game_id)
    asked = {name: load_player(name, game, seed=1) for name in levels_for(game)}
    mover = load_player("random", game, seed=2)
    played, play = 0, Playouts.play

    def counting(self: Playouts, lines: Any, worlds: int, with_scores: bool = False) -> Any:
        nonlocal played
        played += worlds * len(lines)
        return play(self, lines, worlds, with_scores)

    Playouts.play = counting  # type: ignore[method-assign]
    found: list[tuple[str, bool, int]] = []
    match, deal = Match(game), dealer(3)
    for number in range((ASKED - 1) * APART + 1):
        match.advance(deal)
        side = min(match.pending)
        if number % APART == 0:
            legal = {decision.action for decision in match.legal(side)}
            for name, player in asked.items():
                played = 0
                found.append((name, player.choose(Observation.of(match, side)).action in legal, played))
        match.push(mover.choose(Observation.of(match, side)).action, side=side)
    return found


PROGRAMS = {"moves": moves, "loop": looped, "levels": levels}

if __name__ == "__main__":
    print(json.dumps(PROGRAMS[(sys.argv[2:] or ["moves"])[0]](sys.argv[1])))
