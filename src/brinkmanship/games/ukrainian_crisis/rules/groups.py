"""Combat groups: their members and values (section 7)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.rules.names import Kind
from brinkmanship.games.ukrainian_crisis.rules.state import GROUP, STATE, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.units import GROUPED, combat_value, set_unit


@internal(types.boolean, RULES, STATE, types.int64, types.int64, types.int64)
def is_member(rules: Rules, state: State, unit: int, side: int, group: int) -> bool:
    """Return True if a unit of this side belongs to a combat group; groups exist in one zone at a time."""
    if state.unit[unit] & GROUPED != int(group) * GROUP:
        return False
    return rules.types[rules.type_of[unit]].side == side


@compiled(types.int64, RULES, STATE, types.int64, types.int64)
def group_size(rules: Rules, state: State, side: int, group: int) -> int:
    """Return the number of units in a group."""
    size = 0
    for unit in range(rules.n_units):
        size += is_member(rules, state, unit, side, group)
    return size


@compiled(types.boolean, RULES, STATE, types.int64, types.int64)
def is_regular_group(rules: Rules, state: State, side: int, group: int) -> bool:
    """Return True if half or more of the units of a group are Regular; neutralised ones count too (R42)."""
    balance = 0
    for unit in range(rules.n_units):
        if is_member(rules, state, unit, side, group):
            balance += 1 if rules.types[rules.type_of[unit]].kind == Kind.REGULAR else -1
    return balance >= 0


@compiled(types.int64, RULES, STATE, types.int64, types.int64)
def group_value(rules: Rules, state: State, side: int, group: int) -> int:
    """Return the total Combat Value of a group."""
    total = 0
    for unit in range(rules.n_units):
        if is_member(rules, state, unit, side, group):
            total += combat_value(rules, rules.type_of[unit], state.unit[unit])
    return total


@internal(types.void, RULES, STATE, types.int64)
def disband(rules: Rules, state: State, group: int) -> None:
    """Disband both groups of a combat that has been fought."""
    for unit in range(rules.n_units):
        while state.unit[unit] & GROUPED == int(group) * GROUP:
            set_unit(rules, state, unit, state.unit[unit] & ~GROUPED)
