"""Random positions of self-play games, one of each kind per game, with the winner.

Only one per game, so that the outcomes of positions are independent.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import below, generators
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import compiled_loop
from brinkmanship.engine.message import Message
from brinkmanship.engine.playout import NOBODY, Policy, luck
from brinkmanship.engine.signatures import ACTIONS, GAME_FUNCTIONS, functions, pointers
from brinkmanship.games.registry import kit_for

FORECAST = "forecast"
"""The module of a game with a learned value.

Its compiled ``moment(rules, state)`` is -1 where the value does not apply, otherwise the number of the moment; of
consecutive positions with the same number the first counts.
"""


class Drawn(NamedTuple):
    """Positions of a number of games, one row per game."""

    decisions: Any
    """Full states in which a side had a choice, recarray of the game's dtype."""
    deciders: npt.NDArray[np.int64]
    """The side that had the choice, -1 for a game without one."""
    moments: Any
    """Full states to which the learned value applies."""
    has_moment: npt.NDArray[np.bool_]
    """True where the game had such a state."""
    points: npt.NDArray[np.float64]
    """Score of side 0 in the game: 1, 1/2, 0."""


def moment_of(game: Game) -> Any:
    """Return the compiled function that numbers the moments of a game; see `FORECAST`.

    Raises:
        LocalizedError: the game has no learned value.
    """
    forecast = kit_for(game).module(FORECAST)
    if forecast is None:
        raise LocalizedError(Message("fault.calibration.no_value", {"title": game.title}))
    return forecast.moment


def draw(game: Game, policy: Policy, first: int, count: int, seed: int) -> Drawn:
    """Play games number `first` .. `first + count - 1` of a seed, as `engine.playout.play`, and draw positions.

    Args:
        game: the ruleset.
        policy: compiled; it plays both sides.
        first: number of the first game.
        count: number of games.
        seed: of the games; the next seed draws the positions.
    """
    found = Drawn(
        game.new_states(count),
        np.full(count, NOBODY, np.int64),
        game.new_states(count),
        np.zeros(count, np.bool_),
        np.zeros(count),
    )
    _loop(type(game))(
        *functions(game, GAME_FUNCTIONS),
        policy,
        moment_of(game),
        game.rules,
        game.new_states(2),
        *found,
        luck(seed, first, count),
        generators(seed + 1, first, count),
        np.empty(game.max_legal, np.int16),
    )
    return found


def draw_from_games(
    start: Any,
    actor: Any,
    legal: Any,
    apply: Any,
    sample: Any,
    result: Any,
    view: Any,
    policy: Any,
    moment: Any,
    rules: Any,
    scratch: Any,
    decisions: Any,
    deciders: npt.NDArray[np.int64],
    moments: Any,
    has_moment: npt.NDArray[np.bool_],
    points: npt.NDArray[np.float64],
    luck: npt.NDArray[np.int64],
    draws: npt.NDArray[np.int64],
    out: npt.NDArray[np.int16],
) -> None:
    """Play one game for each row of `luck` and draw one position of each kind by reservoir sampling.

    The n-th position of a kind replaces the drawn one with probability 1/n, so that all are equally likely. `scratch`
    holds the game's state and a side's view of it.
    """
    utility = np.zeros(2)
    state = scratch[0]
    for number in range(luck.shape[0]):
        dice = luck[number, 0]
        policy_rng = luck[number, 1]
        start(rules, state)
        last = -1
        passed_moments = 0
        passed_decisions = 0
        mover = actor(rules, state)
        while mover != OVER:
            found = moment(rules, state)
            if found >= 0 and found != last:
                last = found
                passed_moments += 1
                if below(draws[number], passed_moments) == 0:
                    moments[number] = scratch[0]
                    has_moment[number] = True
            if mover == CHANCE:
                action = sample(rules, state, dice)
            else:
                if legal(rules, state, mover, out) > 1:
                    passed_decisions += 1
                    if below(draws[number], passed_decisions) == 0:
                        decisions[number] = scratch[0]
                        deciders[number] = mover
                view(rules, state, mover, scratch[1])
                action = policy(rules, scratch[1], mover, policy_rng)
            apply(rules, state, action)
            mover = actor(rules, state)
        utility[:] = 0.0
        result(rules, state, utility)
        if utility[0] > utility[1]:
            points[number] = 1.0
        elif utility[0] == utility[1]:
            points[number] = 0.5


@cache
def _loop(game: type[Game]) -> Any:
    states = types.Array(game.state_type, 1, "C")
    return compiled_loop(
        draw_from_games,
        types.void,
        *pointers(game, f"{GAME_FUNCTIONS} policy moment"),
        game.rules_type,
        states,
        states,
        types.Array(types.int64, 1, "C"),
        states,
        types.Array(types.boolean, 1, "C"),
        types.Array(types.float64, 1, "C"),
        types.Array(types.int64, 3, "C"),
        types.Array(types.int64, 2, "C"),
        ACTIONS,
    )
