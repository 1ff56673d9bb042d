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
from brinkmanship.engine.jit.compile import compiled_loop, named_tuple
from brinkmanship.engine.jit.function_address import at_address
from brinkmanship.engine.message import Message
from brinkmanship.engine.playout import NOBODY, Policy, luck
from brinkmanship.engine.signatures import ACTIONS, GameFunctions, Moment, function_type, functions, functions_type
from brinkmanship.games.registry import kit_for

FORECAST = "forecast"
"""The module of a game with a learned value.

Its compiled ``moment(rules, state)`` is -1 where the value does not apply, otherwise the number of the moment; of
consecutive positions with the same number the first counts.
"""


class DrawnPositions(NamedTuple):
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


def draw(game: Game, policy: Policy, first: int, count: int, seed: int) -> DrawnPositions:
    """Play games number `first` .. `first + count - 1` of a seed, as `engine.playout.play`, and draw positions.

    Args:
        game: the ruleset.
        policy: compiled; it plays both sides.
        first: number of the first game.
        count: number of games.
        seed: of the games; the next seed draws the positions.
    """
    found = DrawnPositions(
        game.new_states(count),
        np.full(count, NOBODY, np.int64),
        game.new_states(count),
        np.zeros(count, np.bool_),
        np.zeros(count),
    )
    _loop(type(game))(
        functions(game),
        at_address(policy),
        at_address(moment_of(game)),
        game.rules,
        game.new_states(2),
        found,
        luck(seed, first, count),
        generators(seed + 1, first, count),
        np.empty(game.max_legal, np.int16),
    )
    return found


def draw_from_games(
    game: GameFunctions,
    policy: Policy,
    moment: Moment,
    rules: Any,
    scratch: Any,
    drawn: DrawnPositions,
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
        game.start(rules, state)
        last = -1
        passed_moments = 0
        passed_decisions = 0
        mover = game.actor(rules, state)
        while mover != OVER:
            found = moment(rules, state)
            if found >= 0 and found != last:
                last = found
                passed_moments += 1
                if below(draws[number], passed_moments) == 0:
                    drawn.moments[number] = scratch[0]
                    drawn.has_moment[number] = True
            if mover == CHANCE:
                action = game.sample(rules, state, dice)
            else:
                if game.legal(rules, state, mover, out) > 1:
                    passed_decisions += 1
                    if below(draws[number], passed_decisions) == 0:
                        drawn.decisions[number] = scratch[0]
                        drawn.deciders[number] = mover
                game.view_for(rules, state, mover, scratch[1])
                action = policy(rules, scratch[1], mover, policy_rng)
            game.apply(rules, state, action)
            mover = game.actor(rules, state)
        utility[:] = 0.0
        game.result(rules, state, utility)
        if utility[0] > utility[1]:
            drawn.points[number] = 1.0
        elif utility[0] == utility[1]:
            drawn.points[number] = 0.5


@cache
def _loop(game: type[Game]) -> Any:
    states = types.Array(game.state_type, 1, "C")
    return compiled_loop(
        draw_from_games,
        types.void,
        functions_type(game),
        function_type(game, "policy"),
        function_type(game, "moment"),
        game.rules_type,
        states,
        named_tuple(
            DrawnPositions,
            states,
            types.Array(types.int64, 1, "C"),
            states,
            types.Array(types.boolean, 1, "C"),
            types.Array(types.float64, 1, "C"),
        ),
        types.Array(types.int64, 3, "C"),
        types.Array(types.int64, 2, "C"),
        ACTIONS,
    )
