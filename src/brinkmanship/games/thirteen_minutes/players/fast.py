"""The fast policy of 13 Minutes: one to three microseconds per decision, for playouts by the million.

It plays the card that leaves the best table, with each later choice of the card greedy (`steps`), and the tenth card
to win as many deals as it can (`tenth_card`).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numba
import numpy as np
from numba import types

from brinkmanship.engine.chance import RANDOM, Random
from brinkmanship.engine.jit.compile import INTERPRETED, compiled_loop, internal
from brinkmanship.games.cuban.frame import LEGAL
from brinkmanship.games.thirteen_minutes.players.bids import ALL_WEIGHTS, before_play
from brinkmanship.games.thirteen_minutes.players.judgement import (
    FEATURES,
    MAX_AT_ONCE,
    N_TALLY,
    TALLY,
    Tally,
    who_is_last,
)
from brinkmanship.games.thirteen_minutes.players.steps import GAIN_AND_ACTION, best_step, play_out_card, survey
from brinkmanship.games.thirteen_minutes.players.tenth_card import DEALS, DECIDER, N_DEALS
from brinkmanship.games.thirteen_minutes.players.weights import WEIGHTS
from brinkmanship.games.thirteen_minutes.rules.action_numbers import MAX_LEGAL, N_BIDS, Action
from brinkmanship.games.thirteen_minutes.rules.flow import apply, legal
from brinkmanship.games.thirteen_minutes.rules.knowledge import copy_state
from brinkmanship.games.thirteen_minutes.rules.state import DTYPE, STATE, STATES, Node, State, new_states
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules


@internal(GAIN_AND_ACTION, RULES, STATE, ALL_WEIGHTS, types.int64, TALLY, DEALS, FEATURES, LEGAL, STATES)
def better_way(
    rules: Rules,
    state: State,
    weights: Any,
    last: int,
    tally: Tally,
    deals: Any,
    features: Any,
    out: Any,
    states: Any,
) -> tuple[float, int]:
    """Compare using the Event or the Command: return the resulting worth for `last`, and the actor's choice.

    `states[0]` is scratch.
    """
    sign = 1.0 if state.mover == last else -1.0
    chosen = Action.USE_EVENT + 0 if state.node == Node.USE else Action.USE_OFFER + 0
    row = weights[min(state.turn + 1, weights.shape[0] - 1)]
    best = 0.0
    for action in range(chosen, chosen + 2):
        copy_state(state, states[0])
        apply(rules, states[0], action)
        value = sign * play_out_card(rules, states[0], row, last, tally, deals, features, out)
        if action == chosen:
            best = value
        elif value > best:
            return sign * value, action
    return sign * best, chosen


@internal(types.int64, RULES, STATE, types.int64, ALL_WEIGHTS, TALLY, DEALS, FEATURES, LEGAL, LEGAL, STATES)
def choose_quickly(
    rules: Rules,
    view: State,
    side: int,
    weights: Any,
    tally: Tally,
    deals: Any,
    features: Any,
    actions: Any,
    out: Any,
    states: Any,
) -> int:
    """Return the choice of a side once the first player is known."""
    last = who_is_last(view)
    deals[DECIDER] = side
    if view.node == Node.USE or view.node == Node.OFFER:
        return better_way(rules, view, weights, last, tally, deals, features, out, states)[1]
    if view.node != Node.PLAY:
        row = weights[min(view.turn + 1, weights.shape[0] - 1)]
        survey(rules, view, last, tally, deals)
        return best_step(rules, view, row, last, tally, deals, out)
    sign = 1.0 if side == last else -1.0
    count = legal(rules, view, side, actions)
    best = 0
    best_value = -np.inf
    for number in range(count):
        copy_state(view, states[1])
        apply(rules, states[1], int(actions[number]))
        found = better_way(rules, states[1], weights, last, tally, deals, features, out, states)
        if sign * found[0] > best_value:
            best = number
            best_value = sign * found[0]
    return int(actions[best])


def _empty_states() -> Any:
    return np.empty(2, DTYPE)


scratch_states: Any = partial(new_states, 2) if INTERPRETED else numba.njit(inline="always")(_empty_states)


def _policy(rules: Rules, view: State, side: int, random: Random) -> int:
    numbers = np.empty(N_TALLY + N_DEALS, np.int64)
    room = np.empty(2 * MAX_LEGAL + MAX_AT_ONCE, np.int16)
    tally, deals, features = numbers[:N_TALLY], numbers[N_TALLY:], room[2 * MAX_LEGAL :]
    states = scratch_states()
    if view.node == Node.BID or view.node == Node.FIRST:
        values = np.empty(N_BIDS, np.float64)
        return before_play(rules, view, side, random, WEIGHTS, values, tally, features, states[0])
    actions, out = room[:MAX_LEGAL], room[MAX_LEGAL : 2 * MAX_LEGAL]
    return choose_quickly(rules, view, side, WEIGHTS, tally, deals, features, actions, out, states)


policy = compiled_loop(_policy, types.int64, RULES, STATE, types.int64, RANDOM)
