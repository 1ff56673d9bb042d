"""Attempts to move a country's marker: expected gain and best payment (section 5.2)."""

from __future__ import annotations

import numpy as np
from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.players.outlook import worth_of_prestige
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, Direction
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_RANK
from brinkmanship.games.ukrainian_crisis.rules.names import N_BOXES, UA
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, State
from brinkmanship.games.ukrainian_crisis.rules.steps.diplomatic import price
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules

# In points of unhalved Prestige.
INCOME_RP = 0.6  # a Resource Point of the allies in a later Turn
LASTS = 0.85  # share of the Turns left, before the other side moves the marker back
SPENT_RP = 0.12  # one paid now: the rest could go into another attempt, or vanishes
KEPT = 5  # Prestige that is not spent: at 0 the game ends
NOTHING = -1000.0


def _chances() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the chance that dice (row: their number) show at most a total (column)."""
    ways = np.zeros((MAX_RANK + 1, 6 * MAX_RANK + 1))
    ways[0, 0] = 1.0
    for dice in range(1, MAX_RANK + 1):
        for pips in range(1, 7):
            ways[dice, pips:] += ways[dice - 1, : ways.shape[1] - pips] / 6
    chances: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = np.cumsum(ways, axis=1)
    return chances


AT_MOST = _chances()


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.int64)
def gain_of(rules: Rules, state: State, side: int, country: int, target: int) -> float:
    """Return a side's gain from moving a marker into a box, in points of unhalved Prestige."""
    now = state.box[country]
    prestige = rules.gives_prestige[target] - rules.gives_prestige[now]
    points = rules.gives_rp[target] - rules.gives_rp[now]
    left = LASTS * (rules.turns - state.turn)
    gain = float(rules.rank[country]) * (prestige + INCOME_RP * points) * left
    return gain if side == UA else -gain


@internal(types.float64, RULES, types.int64, types.int64, types.int64)
def chance_of(rules: Rules, rank: int, target: int, paid: int) -> float:
    """Return the chance that an attempt with this payment succeeds."""
    if rules.options.no_randomness:
        return 1.0 if paid >= 2 * (rank + target) else 0.0
    return float(AT_MOST[rank, min(paid, 6 * rank)])


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.int64, types.int64, types.int64)
def best_prestige(rules: Rules, state: State, side: int, country: int, target: int, rp: int, chosen: int) -> float:
    """Return the expected gain of an attempt with `rp` Resource Points and `chosen` Prestige (-1: the best)."""
    least = max(price(rules, state, country, target) - rp, 0)
    gain = gain_of(rules, state, side, country, target)
    rank = int(rules.rank[country])
    best = NOTHING
    for prestige in range(least, max(state.prestige[side] - KEPT, 0) + 1):
        if rp + prestige > max(6 * rank, 2 * (rank + target), rp + least):
            break
        value = chance_of(rules, rank, target, rp + prestige) * gain - prestige
        if value > best and chosen in (-1, prestige):
            best = value
    return best


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.int64, types.int64)
def best_payment(rules: Rules, state: State, side: int, country: int, direction: int, rp: int) -> float:
    """Return the expected gain of the best attempt at a country with up to `rp` Resource Points."""
    target = state.box[country] + (1 if direction == Direction.UP else -1)
    best = NOTHING
    if state.box[country] > 0 and 1 <= target <= N_BOXES:
        for points in range(target, rp + 1):
            value = best_prestige(rules, state, side, country, target, points, -1) - SPENT_RP * points
            best = max(best, value)
    return best * worth_of_prestige(state)


@internal(types.float64, RULES, STATE, types.int64, types.int64)
def value_of_payment(rules: Rules, state: State, side: int, action: int) -> float:
    """Return the expected gain of the attempt in progress with the payment of an action."""
    frame = state.stack[state.depth - 1]
    if action >= Action.PAY_PRESTIGE:
        value = best_prestige(rules, state, side, frame.country, frame.box, frame.rp, action - Action.PAY_PRESTIGE)
    else:
        points = action - Action.PAY_RP
        value = best_prestige(rules, state, side, frame.country, frame.box, points, -1) - SPENT_RP * points
    return value * worth_of_prestige(state)
