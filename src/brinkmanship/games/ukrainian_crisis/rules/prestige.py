"""Prestige: the leader, gains and losses (section 2)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, State


@compiled(types.int64, STATE)
def leader(state: State) -> int:
    """Return the side with more Prestige; on a tie Russia."""
    return UA if state.prestige[UA] > state.prestige[RU] else RU


@internal(types.void, STATE, types.int64, types.int64)
def gain(state: State, side: int, points: int) -> None:
    """Add Prestige to a side; there is no upper limit (R25)."""
    state.prestige[side] += points


@internal(types.void, STATE, types.int64, types.int64)
def lose_both(state: State, of_ukraine: int, of_russia: int) -> None:
    """Apply simultaneous losses: Prestige that a side at 0 cannot lose, the other gains, point by point (R25)."""
    excess_ukraine = max(of_ukraine - state.prestige[UA], 0)
    excess_russia = max(of_russia - state.prestige[RU], 0)
    state.prestige[UA] = max(state.prestige[UA] - of_ukraine, 0) + excess_russia
    state.prestige[RU] = max(state.prestige[RU] - of_russia, 0) + excess_ukraine


@internal(types.void, STATE, types.int64, types.int64)
def lose(state: State, side: int, points: int) -> None:
    """Take Prestige from a side."""
    if side == UA:
        lose_both(state, points, 0)
    else:
        lose_both(state, 0, points)
