"""The learned value of a position of 13 Days: a side's chance of winning, from a full state or a view.

Logistic regression over the named `features`, one for each moment of a game: before each of the eight cards of a round,
after the last of them, and after the round. `brinkmanship.games.thirteen_days.training.value` fits them; `learned`
contains the weights.

For a search: simulate to the round's end (`cut`), then evaluate `value`. Its value for a view is the average over all
full states that a side cannot tell apart, and the values of both sides add up to 1.
"""

from __future__ import annotations

import numpy as np
from numba import types

from brinkmanship.engine.jit.compile import compiled, compiled_loop, internal
from brinkmanship.games.cuban.frame import NOBODY, US
from brinkmanship.games.thirteen_days.players.features import N_FEATURES, VALUES, write_features
from brinkmanship.games.thirteen_days.players.learned import WEIGHTS
from brinkmanship.games.thirteen_days.rules.board import before_turns
from brinkmanship.games.thirteen_days.rules.state import STATE, Node, State
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules

AFTER_CARDS = 8
"""Moments of a round: 0..7 before that number of cards has been played, then these two."""
AFTER_ROUND = 9
MOMENTS_OF_ROUND = 10
N_MOMENTS = 29
"""Number of moments; after the last round the game is over."""


@compiled(types.int64, RULES, STATE)
def moment(rules: Rules, state: State) -> int:  # noqa: ARG001 - the shape of `training.positions`
    """Return the number of the moment that a position is at, -1 if it is between two."""
    if state.node == Node.PLAY and state.depth == 0:
        return (state.round_number - 1) * MOMENTS_OF_ROUND + state.turn
    if state.node == Node.SAVE_AFTERMATH:
        return (state.round_number - 1) * MOMENTS_OF_ROUND + AFTER_CARDS
    if state.node == Node.ESCALATE and state.round_number > 1:
        return (state.round_number - 2) * MOMENTS_OF_ROUND + AFTER_ROUND
    return -1


@compiled(types.int64, STATE)
def next_moment(state: State) -> int:
    """Return the moment used to evaluate a position: its own, or else the next."""
    if state.node == Node.ESCALATE:
        return max(state.round_number - 2, 0) * MOMENTS_OF_ROUND + AFTER_ROUND
    begins = (state.round_number - 1) * MOMENTS_OF_ROUND
    if before_turns(state):
        return begins
    if state.depth > 0:
        return begins + min(state.turn + 1, AFTER_CARDS)
    if state.node == Node.PLAY:
        return begins + state.turn
    return begins + AFTER_CARDS


@internal(types.float64, RULES, STATE, types.int64, VALUES)
def logit(rules: Rules, state: State, side: int, scratch: np.typing.NDArray[np.float64]) -> float:
    """Return the learned value as logit; `scratch` is float64[N_FEATURES]."""
    write_features(rules, state, scratch)
    number = next_moment(state)
    total = 0.0
    for feature in range(N_FEATURES):
        total += scratch[feature] * WEIGHTS[number, feature]
    return total if side == US else -total


def _value(rules: Rules, state: State, side: int) -> float:
    """Return the chance of winning of `side`, 0..1, a mutual war counting as half; exact if the game is over."""
    if state.node == Node.OVER:
        if state.winner == NOBODY:
            return 0.5
        return 1.0 if state.winner == side else 0.0
    scratch = np.empty(N_FEATURES)
    return float(1.0 / (1.0 + np.exp(-logit(rules, state, side, scratch))))


value = compiled_loop(_value, types.float64, RULES, STATE, types.int64)


@compiled(types.boolean, RULES, STATE, STATE)
def cut(rules: Rules, root: State, state: State) -> bool:  # noqa: ARG001 - the shape of a search's cut
    """Return True if a playout from `root` stops here: its round is over, the next escalation is still to come."""
    return state.node == Node.ESCALATE and state.round_number > root.round_number
