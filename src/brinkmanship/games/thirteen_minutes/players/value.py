"""Learned value: the probability that a side wins a game of 13 Minutes, from a full state between two cards."""

from __future__ import annotations

import numpy as np
from numba import types

from brinkmanship.engine.game import OVER
from brinkmanship.engine.jit.compile import compiled_loop
from brinkmanship.games.cuban.frame import NOBODY
from brinkmanship.games.thirteen_minutes.players.bids import as_chance
from brinkmanship.games.thirteen_minutes.players.judgement import MAX_AT_ONCE, N_TALLY, judge, who_is_last
from brinkmanship.games.thirteen_minutes.players.weights import WEIGHTS
from brinkmanship.games.thirteen_minutes.rules.state import STATE, State
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules


def _value(rules: Rules, state: State, side: int) -> float:
    if state.mover == OVER:
        if state.winner == NOBODY:
            return 0.5
        return 1.0 if state.winner == side else 0.0
    if state.first == NOBODY:
        return 0.5
    last = who_is_last(state)
    tally = np.empty(N_TALLY, np.int64)
    features = np.empty(MAX_AT_ONCE, np.int16)
    row = WEIGHTS[min(state.turn + state.depth, WEIGHTS.shape[0] - 1)]
    chance = as_chance(judge(rules, state, row, last, tally, features))
    return chance if side == last else 1.0 - chance


value = compiled_loop(_value, types.float64, RULES, STATE, types.int64)
"""Probability that a side wins, a draw counting half, by self-play of the fast policy.

Meant for positions between two cards, 1 to 9 played. While a card is in play, the table is judged as if the card were
over; before the first player is known, the value favours neither side; a game that is over has its result.
``value(rules, state, side) -> float``.
"""
