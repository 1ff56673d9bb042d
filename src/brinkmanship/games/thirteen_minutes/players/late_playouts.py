"""The policy of late playouts in 13 Minutes: of the choices that leave the best tables, the one with the best answer.

The answer to the ninth card is the tenth card of the fast policy in each deal (`ninth_card`); to an earlier one it is
the next card of the fast policy, in a few of the other side's hands. Answers are what the fast policy misses most:
playouts by it alone take positions for won that are lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.jit.compile import compiled_loop, internal
from brinkmanship.games.cuban.frame import NOBODY
from brinkmanship.games.thirteen_minutes.players.bids import CHANCES, before_play
from brinkmanship.games.thirteen_minutes.players.fast import choose_quickly
from brinkmanship.games.thirteen_minutes.players.judgement import MAX_AT_ONCE, N_TALLY, who_is_last
from brinkmanship.games.thirteen_minutes.players.ninth_card import (
    DEPTH,
    KEPT,
    LIMIT,
    N_DEALT,
    N_NUMBERS,
    NINTH,
    UNLIMITED,
    WORKSPACE,
    Workspace,
    after_ninth,
    is_ninth,
    scratch,
)
from brinkmanship.games.thirteen_minutes.players.rules import chance_after_answer, chance_of_last, finish_card
from brinkmanship.games.thirteen_minutes.players.tenth_card import DECIDER
from brinkmanship.games.thirteen_minutes.players.weights import WEIGHTS
from brinkmanship.games.thirteen_minutes.rules.action_numbers import MAX_LEGAL
from brinkmanship.games.thirteen_minutes.rules.flow import apply, legal
from brinkmanship.games.thirteen_minutes.rules.knowledge import copy_state
from brinkmanship.games.thirteen_minutes.rules.state import N_CARDS, STATE, STATES, Node, State
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules

SHORTLIST = 5
"""Number of choices of the ninth card whose answers are searched: those that leave the best tables."""
ANSWERED = 6
"""Number of choices of earlier cards whose answers are looked at."""
HANDS = 2
"""Number of hands of the other side for which they are."""
LOOKED_UP = 64
"""Number of tables kept for a decision."""
BY_TABLE = 0.001
"""Weight of the chance by the table alone, between choices that win in the same deals."""
TRIAL = 2
"""First row of scratch states that the fast policy does not use."""


@internal(types.int64, RULES, STATE, types.int64, RANDOM, WORKSPACE, STATES, CHANCES)
def choose_by_answer(
    rules: Rules, view: State, side: int, random: Random, work: Workspace, ends: Any, values: Any
) -> int:
    """Return a side's choice by the table it leaves after the next card of the other side, in a few of its hands."""
    last = who_is_last(view)
    work.deals[DECIDER] = side
    actions = work.outs[0]
    count = legal(rules, view, side, actions)
    if count == 1:
        return int(actions[0])
    for number in range(count):
        end = ends[number]
        copy_state(view, end)
        apply(rules, end, int(actions[number]))
        finish_card(rules, end, work.weights, last, work.tally, work.deals, work.features, work.outs[1], work.states)
        value = chance_of_last(rules, end, work.weights, last, work.tally, work.deals, work.features)
        values[number] = value if side == last else 1.0 - value
    chosen = 0
    most = -np.inf
    first = below(random, N_CARDS)
    for _ in range(min(count, ANSWERED)):
        number = int(np.argmax(values[:count]))
        values[number] = -1.0
        value = chance_after_answer(
            rules,
            ends[number],
            side,
            work.weights,
            last,
            work.tally,
            work.deals,
            work.features,
            work.outs[1],
            work.outs[2],
            work.states,
            first,
            HANDS,
        )
        value = value if side == last else 1.0 - value
        if value > most:
            chosen = number
            most = value
    return int(actions[chosen])


@internal(types.int64, RULES, STATE, WORKSPACE, STATES, CHANCES)
def choose_ninth(rules: Rules, view: State, work: Workspace, ends: Any, values: Any) -> int:
    """Return the mover's choice in the ninth card."""
    last = who_is_last(view)
    actions = work.outs[0]
    count = legal(rules, view, int(view.mover), actions)
    if count == 1:
        return int(actions[0])
    for number in range(count):
        end = ends[number]
        copy_state(view, end)
        apply(rules, end, int(actions[number]))
        finish_card(rules, end, work.weights, last, work.tally, work.deals, work.features, work.outs[1], work.states)
        values[number] = 1.0 - chance_of_last(rules, end, work.weights, last, work.tally, work.deals, work.features)
    work.keys[:] = 0
    work.lines[3 * DEPTH :, 0] = NOBODY
    chosen = 0
    most = -np.inf
    for _ in range(min(count, SHORTLIST)):
        number = int(np.argmax(values[:count]))
        by_table = BY_TABLE * values[number]
        values[number] = -1.0
        if view.node == Node.PLAY:
            work.keys[:] = 0  # another card stays in hand
        copy_state(ends[number], work.states[TRIAL])
        found = after_ninth(rules, work, TRIAL, last, most)
        total = found[0] + found[1] + found[2] + by_table
        if total > most:
            chosen = number
            most = total
    return int(actions[chosen])


def _policy(rules: Rules, view: State, side: int, random: Random) -> int:
    tally = np.empty(N_TALLY, np.int64)
    features = np.empty(MAX_AT_ONCE, np.int16)
    values = np.empty(MAX_LEGAL, np.float64)
    if view.node == Node.BID or view.node == Node.FIRST:
        return before_play(rules, view, side, random, WEIGHTS, values, tally, features, scratch(1)[0])
    deals = np.zeros(N_NUMBERS, np.int64)
    deals[LIMIT] = UNLIMITED
    outs = np.empty((3 * DEPTH, MAX_LEGAL), np.int16)
    states = scratch(3 * DEPTH)
    if view.turn > NINTH or (view.turn == NINTH and not is_ninth(rules, view, view.first)):
        return choose_quickly(rules, view, side, WEIGHTS, tally, deals, features, outs[0], outs[1], states)
    ends = scratch(MAX_LEGAL)
    lines = np.empty((3 * DEPTH + KEPT * N_DEALT, DEPTH), np.int64)
    keys = np.empty(LOOKED_UP, np.int64)
    known = np.empty((LOOKED_UP + 1, 2 * N_DEALT), np.float64)
    work = Workspace(states, WEIGHTS, tally, deals, features, outs, lines, keys, known)
    if view.turn < NINTH:
        return choose_by_answer(rules, view, side, random, work, ends, values)
    return choose_ninth(rules, view, work, ends, values)


policy = compiled_loop(_policy, types.int64, RULES, STATE, types.int64, RANDOM)
