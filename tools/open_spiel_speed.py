"""Measure the steps per second of random games through OpenSpiel, compared with a Python game without any rules.

    python tools/open_spiel_speed.py --seconds 5 --rounds 3

Its figures are in docs/lab. It measures processor time, so that other work on the machine does not affect the ratios.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

import pyspiel

import brinkmanship.research.open_spiel_games
from brinkmanship.games.registry import BUILT_IN

AT_ONCE = 5
LENGTH = 100
"""Steps of the empty game."""

_KIND = pyspiel.GameType(
    short_name="brinkmanship_empty",
    long_name="No rules at all",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)
_INFO = pyspiel.GameInfo(
    num_distinct_actions=4,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=LENGTH,
)


class EmptyState(pyspiel.State):  # type: ignore[misc]
    """A step counter."""

    def __init__(self, game: EmptyGame) -> None:
        super().__init__(game)
        self._steps = 0

    def current_player(self) -> int:
        """Return the players in turn."""
        return int(pyspiel.PlayerId.TERMINAL) if self._steps >= LENGTH else self._steps & 1

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - the library's signature
        return [0, 1, 2, 3]

    def _apply_action(self, action: int) -> None:  # noqa: ARG002
        self._steps += 1

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        return str(action)

    def is_terminal(self) -> bool:
        """Return True after `LENGTH` steps."""
        return self._steps >= LENGTH

    def returns(self) -> list[float]:
        """Return a draw."""
        return [0.0, 0.0]

    def __str__(self) -> str:
        return str(self._steps)


class EmptyGame(pyspiel.Game):  # type: ignore[misc]
    """A game without rules, to measure the overhead of the interface."""

    def __init__(self, params: Any = None) -> None:
        super().__init__(_KIND, _INFO, params or {})

    def new_initial_state(self) -> EmptyState:
        """Return the initial state."""
        return EmptyState(self)


def steps_a_second(name: str, seconds: float) -> float:
    """Return the steps of random games per second of processor time; chance draws uniformly from its outcomes."""
    game, choose = pyspiel.load_game(name), random.Random(1).choice
    steps, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for _ in range(AT_ONCE):
            state = game.new_initial_state()
            while not state.is_terminal():
                answers = state.chance_outcomes() if state.is_chance_node() else state.legal_actions()
                chosen = choose(answers)
                state.apply_action(chosen[0] if isinstance(chosen, tuple) else chosen)
                steps += 1
    return steps / spent


def main() -> None:
    """Measure the games in turn, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each game and round (s)")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    pyspiel.register_game(_KIND, EmptyGame)
    names = [brinkmanship.research.open_spiel_games.short_name(game_id) for game_id in BUILT_IN]
    for name in names:
        steps_a_second(name, 0.2)
    for _ in range(asked.rounds):
        empty = steps_a_second(_KIND.short_name, asked.seconds)
        print(f"{_KIND.short_name}: {empty:,.0f} steps a second", flush=True)
        for name in names:
            found = steps_a_second(name, asked.seconds)
            print(f"{name}: {found:,.0f} steps a second, {found / empty:.0%}", flush=True)


if __name__ == "__main__":
    main()
