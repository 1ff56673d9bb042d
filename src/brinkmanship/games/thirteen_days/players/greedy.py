"""The greedy player of 13 Days: it looks ahead to the end of the card in play, and no further.

After each legal action it follows its own best choices of the same card and the opponent's best responses, and takes
the action with the highest value (`outlook`). It never starts the nuclear war if there is another way: an action after
which it can be sure to end the card in safety (`danger`) precedes any other, whatever its value.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.jit.compile import INTERPRETED, compiled, compiled_loop, internal
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.record import State
from brinkmanship.games.cuban.frame import Legal
from brinkmanship.games.thirteen_days.players import weights as table
from brinkmanship.games.thirteen_days.players.danger import danger
from brinkmanship.games.thirteen_days.players.outlook import board_value, cards_value
from brinkmanship.games.thirteen_days.players.weights import WEIGHTS_TYPE, Weights
from brinkmanship.games.thirteen_days.rules.action_numbers import MAX_LEGAL, Action
from brinkmanship.games.thirteen_days.rules.flow import apply, legal
from brinkmanship.games.thirteen_days.rules.knowledge import copy_state
from brinkmanship.games.thirteen_days.rules.state import DTYPE, STATE, STATES, Node, new_states
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules
from brinkmanship.players.budget import Budget
from brinkmanship.players.player import Choice
from brinkmanship.players.policy_player import PolicyPlayer, best_of_arrays

LEGALS = types.Array(types.int16, 2, "C")
VALUES = types.Array(types.float64, 1, "C")
COUNTS = types.Array(types.int64, 1, "C")

DEPTH = 40
"""Maximum choices followed within a card; no card of the game needs half of this."""
BUDGET = 50_000
"""Maximum positions searched for a safe end of an action; the cards of the game need a tenth."""
WORST = 1 << 30
FATAL = 1000.0
"""Value lost by a step of `danger`: more than the range of `outlook`."""

WEIGHTS = table.weights()


# Danger ahead: exact, as far as the card in play goes.


@internal(types.boolean, STATE, types.int64)
def does_not_touch(state: State, side: int) -> bool:
    """Return True if the opponent's question is only about their own cubes, markers and cards."""
    if state.mover == side:
        return False
    frame = state.stack[state.depth - 1]
    if state.node in (Node.COMMAND, Node.EXCHANGE):
        return True
    if state.node in (Node.PLACE, Node.REMOVE, Node.TAKE_CUBES, Node.PUT_CUBES, Node.SHIFT):
        return bool(frame.owner != side)
    return False


@compiled(types.int64, RULES, STATES, LEGALS, types.int64, types.int64, types.int64, types.int64, COUNTS)
def danger_ahead(
    rules: Rules, states: Any, outs: Any, level: int, side: int, least: int, most: int, budget: Any
) -> int:
    """Return the danger a side can be sure of not exceeding when the card in play in `states[level]` is over.

    Exact between `least` and `most`: a result outside is only a bound.
    """
    state = states[level]
    budget[0] -= 1
    if state.depth == 0 or state.mover >= CHANCE or level == DEPTH - 1 or budget[0] < 0:
        return danger(rules, state, side)
    own = state.mover == side
    best = WORST if own else -1
    out = outs[level]
    count = legal(rules, state, state.mover, out)
    if does_not_touch(state, side):
        count = 1
    for number in range(count - 1, -1, -1):  # "done" is last and is most often safe
        copy_state(state, states[level + 1])
        apply(rules, states[level + 1], int(out[number]))
        found = danger_ahead(rules, states, outs, level + 1, side, least, most, budget)
        if own:
            best = min(best, found)
            most = min(most, best)
        else:
            best = max(best, found)
            least = max(least, best)
        if least >= most:
            break
    return best


# Value of a card: each choice is the best at once for the side that makes it.


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.boolean, WEIGHTS_TYPE)
def value_for_mover(rules: Rules, state: State, side: int, mover: int, cards: bool, weights: Weights) -> float:
    """Return the value of a position for `mover`, as `side` sees it; with the cards if the choice was about those."""
    if mover != side:  # the mover does not know the choice of `side`
        return -board_value(rules, state, side, True, weights)
    value = board_value(rules, state, side, False, weights) - FATAL * danger(rules, state, side)
    return value + cards_value(rules, state, side, weights) if cards else value


@compiled(types.void, RULES, STATES, LEGALS, types.int64, types.int64, WEIGHTS_TYPE)
def follow(rules: Rules, states: Any, outs: Any, level: int, side: int, weights: Weights) -> None:
    """Simulate `states[level]` to the end of the card in play; the rows after it are used as scratch."""
    state = states[level]
    trial = states[level + 1]
    out = outs[level]
    while state.depth > 0 and state.mover < CHANCE:
        mover = int(state.mover)
        if state.node == Node.TRIGGER and level + 4 < DEPTH:
            copy_state(state, trial)
            apply(rules, trial, Action.DECLINE)
            follow(rules, states, outs, level + 1, side, weights)
            apply(rules, state, Action.TRIGGER)
            copy_state(state, states[level + 2])
            follow(rules, states, outs, level + 2, side, weights)
            triggered = value_for_mover(rules, states[level + 2], side, mover, False, weights)
            if triggered > value_for_mover(rules, trial, side, mover, False, weights):
                copy_state(states[level + 2], state)
            else:
                copy_state(trial, state)
            return
        count = legal(rules, state, mover, out)
        cards = state.node in (Node.EXCHANGE, Node.CHOOSE)
        best = 0
        best_value = -np.inf
        for number in range(count):
            copy_state(state, trial)
            apply(rules, trial, int(out[number]))
            value = value_for_mover(rules, trial, side, mover, cards, weights)
            if value > best_value:
                best = number
                best_value = value
        apply(rules, state, int(out[best]))


@compiled(types.void, STATE, STATES, types.int64)
def copy_into(view: State, states: Any, level: int) -> None:
    """Copy a view into a row of the scratch."""
    copy_state(view, states[level])


@compiled(types.float64, RULES, STATE, types.int64, WEIGHTS_TYPE)
def position_value(rules: Rules, state: State, side: int, weights: Weights) -> float:
    """Return the value of a position for a side."""
    return board_value(rules, state, side, False, weights) + cards_value(rules, state, side, weights)


@compiled(types.int64, types.int64, VALUES, COUNTS)
def best_of(count: int, values: npt.NDArray[np.float64], dangers: npt.NDArray[np.int64]) -> int:
    """Return the index of the least dangerous, then highest-valued action; the first among equals."""
    best = 0
    for number in range(1, count):
        if dangers[number] < dangers[best] or (dangers[number] == dangers[best] and values[number] > values[best]):
            best = number
    return best


def weigh(
    rules: Rules,
    view: State,
    side: int,
    weights: Weights,
    states: Any,
    outs: Any,
    budget: Any,
    actions: Legal,
    values: npt.NDArray[np.float64],
    dangers: npt.NDArray[np.int64],
) -> int:
    """Write every legal action, its value, and the danger it can be sure of not exceeding; return their number.

    Plain Python, for explanations; the policy inlines it, because each compiled function that links the rules takes
    more than a second to compile.
    """
    count = legal(rules, view, side, actions)
    for number in range(count):
        copy_into(view, states, 0)
        apply(rules, states[0], int(actions[number]))
        budget[0] = BUDGET
        dangers[number] = danger_ahead(rules, states, outs, 0, side, 0, WORST, budget)
        follow(rules, states, outs, 0, side, weights)
        values[number] = position_value(rules, states[0], side, weights)
    return count


def _empty_states() -> Any:
    return np.empty(DEPTH + 1, DTYPE)


_weigh_inlined: Any = numba.njit(inline="always")(weigh)
scratch_states: Any = partial(new_states, DEPTH + 1) if INTERPRETED else numba.njit(inline="always")(_empty_states)


def _policy(rules: Rules, view: State, side: int, random: Random) -> int:  # noqa: ARG001 - the contract's signature
    states = scratch_states()
    outs = np.empty((DEPTH + 1, MAX_LEGAL), np.int16)
    budget = np.empty(1, np.int64)
    actions = np.empty(MAX_LEGAL, np.int16)
    values = np.empty(MAX_LEGAL, np.float64)
    dangers = np.empty(MAX_LEGAL, np.int64)
    count = _weigh_inlined(rules, view, side, WEIGHTS, states, outs, budget, actions, values, dangers)
    return int(actions[best_of(count, values, dangers)])


policy = compiled_loop(_policy, types.int64, RULES, STATE, types.int64, RANDOM)


class _Room(NamedTuple):
    """Buffers for a decision, apart from its result."""

    states: Any
    outs: npt.NDArray[np.int16]
    budget: npt.NDArray[np.int64]


class GreedyPlayer(PolicyPlayer):
    """Greedy player that avoids war. Its values are points of Prestige, its dangers those of `danger.danger`."""

    name = "greedy"
    compiled_policy = staticmethod(policy)

    def __init__(self, game: Game, seed: int | None = None, budget: Budget | None = None) -> None:
        super().__init__(game, seed, budget)
        self._room = _Room(
            game.new_states(DEPTH + 1), np.empty((DEPTH + 1, MAX_LEGAL), np.int16), np.empty(1, np.int64)
        )

    def choose(self, seen: Observation) -> Choice:
        view, side = seen.view(), seen.side
        actions = np.empty(MAX_LEGAL, np.int16)
        values = np.empty(MAX_LEGAL, np.float64)
        dangers = np.empty(MAX_LEGAL, np.int64)
        count = weigh(self.game.rules, view, side, WEIGHTS, *self._room, actions, values, dangers)
        return best_of_arrays(count, actions, values, dangers)
