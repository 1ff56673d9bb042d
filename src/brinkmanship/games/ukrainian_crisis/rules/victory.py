"""Victory Points and their sources (section 9.0)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import compiled
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.zones import controlled_zones


@compiled(types.int64, RULES, STATE, types.int64)
def scored_zones(rules: Rules, state: State, side: int) -> int:
    """Return the zones, as bits, that a side would score now: Union zones always for Russia (R22), else by control."""
    union = int(state.union)
    if state.combat_turns == 0:
        return union if side == RU else 0
    zones = controlled_zones(rules, state, side) & rules.home[UA] & ~union
    return zones | union if side == RU else zones


@compiled(types.int64, STATE, types.int64)
def points_of_prestige(state: State, side: int) -> int:
    """Return the Victory Points of a side's Prestige: one each, halved and rounded up after any Combat Turn (9.0)."""
    points = int(state.prestige[side])
    return points if state.combat_turns == 0 else (points + 1) // 2


@compiled(types.int64, RULES, STATE, types.int64)
def points_of_zones(rules: Rules, state: State, side: int) -> int:
    """Return the Victory Points of the zones that a side scores."""
    points = 0
    zones = scored_zones(rules, state, side)
    for zone in range(rules.n_zones):
        if zones >> zone & 1:
            points += rules.vp[zone]
    return points


@compiled(types.int64, RULES, STATE, types.int64)
def victory_points(rules: Rules, state: State, side: int) -> int:
    """Return a side's Victory Points in the current position (9.0)."""
    return points_of_prestige(state, side) + points_of_zones(rules, state, side)
