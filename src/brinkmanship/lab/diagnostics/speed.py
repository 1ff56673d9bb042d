"""Measure the engine on this machine; ``docs/develop/measurements.md`` explains the figures.

Compilation, start-up and interpreted execution are measured in separate processes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import compiled_loop
from brinkmanship.engine.playout import play, record
from brinkmanship.engine.signatures import GameFunctions, functions, functions_type
from brinkmanship.games.registry import kit_for
from brinkmanship.players import load_player, players_for

SEED = 9_000_000_000
"""First seed of playouts for reported figures; see ``docs/develop/measurements.md``."""

GREEDY = "greedy"
"""The measured player; for a game without it, its strongest one."""
RUNS = 3
"""Number of runs per rate, of which the best counts: other programs can only slow a run down."""


class SpeedFigure(NamedTuple):
    """One measured figure with its minimum or maximum; with neither, for information only."""

    name: str
    """Subject and quantity: "paced.half_within"."""
    value: float
    unit: str
    """The name of the unit, such as "games_per_second"; "" for a bare number."""
    least: float | None = None
    most: float | None = None

    @property
    def reached(self) -> bool | None:
        """Return True if the figure meets its goal; None if it has none."""
        if self.least is not None:
            return self.value >= self.least
        return self.value <= self.most if self.most is not None else None


def figures(game: Game, games: int = 200_000) -> Iterator[SpeedFigure]:
    """Measure all figures, one after the other; takes about a minute and a half."""
    goals = kit_for(game).goals
    decisions = sum(int(batch.decisions.sum()) for batch in play(game, 0, 2048, SEED)) / 2048
    one = _best(lambda: _random_rate(game, games, 1))
    yield at_least("random_games", one, "games_per_second", goals.games)
    yield SpeedFigure("decisions_on_one_core", one * decisions, "decisions_per_second")
    two = _best(lambda: _random_rate(game, 2 * games, 2))
    yield at_least("two_workers_against_one", two / one, "times", 1.8)
    step, clone_and_step = steps_per_second(game)
    yield SpeedFigure("steps", step, "steps_per_second")
    yield at_least("clone_and_step", clone_and_step / step, "times", 0.5)
    yield at_least(
        "interpreted", _in_process(INTERPRETED, game, NUMBA_DISABLE_JIT="1"), "games_per_second", goals.interpreted
    )
    yield at_most("state", game.dtype.itemsize, "bytes", goals.state)
    with tempfile.TemporaryDirectory() as empty:
        yield at_most("cold_compile", _in_process(FIRST_DECISION, game, NUMBA_CACHE_DIR=empty), "s", goals.cold_compile)
        yield at_most("first_decision", _in_process(FIRST_DECISION, game, NUMBA_CACHE_DIR=empty), "s", 1.5)
    if GREEDY in players_for(game):
        yield SpeedFigure("greedy", _best(lambda: _greedy_rate(game, games // 200)), "games_per_second")


def at_least(name: str, value: float, unit: str, goal: float | None) -> SpeedFigure:
    """Return a figure that should be high; for information only without a goal."""
    return SpeedFigure(name, value, unit, least=goal)


def at_most(name: str, value: float, unit: str, goal: float | None) -> SpeedFigure:
    """Return a figure that should be low; for information only without a goal."""
    return SpeedFigure(name, value, unit, most=goal)


def _best(measure: Callable[[], float]) -> float:
    return max(measure() for _ in range(RUNS))


def _random_rate(game: Game, games: int, workers: int) -> float:
    started = time.perf_counter()
    for _ in play(game, 0, games, SEED, workers=workers):
        pass
    return games / (time.perf_counter() - started)


def _greedy_rate(game: Game, games: int) -> float:
    policy = load_player(GREEDY, game).policy
    started = time.perf_counter()
    for _ in play(game, 0, games, SEED, (policy, None), chunk=games):
        pass
    return games / (time.perf_counter() - started)


def steps_per_second(game: Game, games: int = 2_000) -> tuple[float, float]:
    """Return the steps of recorded random games per second, without and with a copy of the state before each step."""
    actions, ends = _record(game, games)
    loop = _replay_loop(type(game))

    def rate(clones: bool) -> float:
        states = game.new_states(2)
        started = time.perf_counter()
        for _ in range(10):
            loop(functions(game), game.rules, states, actions, ends, clones)
        return 10 * len(actions) / (time.perf_counter() - started)

    return _best(lambda: rate(False)), _best(lambda: rate(True))


def _record(game: Game, games: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return all actions of some random games in sequence, and the end of each game."""
    actions: list[int] = []
    ends: list[int] = []
    for number in range(games):
        actions += (action for _, action in record(game, number, SEED))
        ends.append(len(actions))
    return np.array(actions, np.int64), np.array(ends, np.int64)


def replay_actions(
    game: GameFunctions,
    rules: Any,
    states: Any,
    actions: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    clones: bool,
) -> None:
    """Replay recorded games, in one state, or copying the state before each step."""
    now = 0
    at = 0
    for end in ends:
        game.start(rules, states[now])
        while at < end:
            if clones:
                states[1 - now] = states[now]
                now = 1 - now
            game.apply(rules, states[now], actions[at])
            at += 1


@cache
def _replay_loop(game: type[Game]) -> Callable[..., None]:
    integers = types.Array(types.int64, 1, "C")
    return compiled_loop(
        replay_actions,
        types.void,
        functions_type(game),
        game.rules_type,
        types.Array(game.state_type, 1, "C"),
        integers,
        integers,
        types.boolean,
    )


INTERPRETED = """
import time
from brinkmanship.engine.playout import play
from brinkmanship.games.registry import load_game
game = load_game({game!r})
started = time.perf_counter()
for _ in play(game, 0, 100, {seed}, chunk=100):
    pass
print(100 / (time.perf_counter() - started))
"""

FIRST_DECISION = """
import time
started = time.perf_counter()
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import kit_for, load_game
from brinkmanship.players import load_player
game = load_game({game!r})
match = Match(game)
match.advance(dealer({seed}))
side = min(match.pending)
load_player({player!r}, game).choose(Observation.of(match, side))
print(time.perf_counter() - started)
"""


def filled(script: str, game: Game) -> str:
    """Return a script that measures a game, with the player that is measured."""
    names = players_for(game)
    return script.format(game=game.id, seed=SEED, player=GREEDY if GREEDY in names else names[-1])


def _in_process(script: str, game: Game, **environment: str) -> float:
    """Run a script in a fresh Python and read the figure it prints."""
    done = subprocess.run(
        [sys.executable, "-c", filled(script, game)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)
