"""Units: their places, conditions and changes (sections 1.2, 5.1, 7).

Units of one type are alike, so choices name a stack (`action_numbers.stack_of`) and the rules take any unit of it.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, place_in, stack_of, type_in
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.names import NOBODY, Kind
from brinkmanship.games.ukrainian_crisis.rules.state import GROUP, PLACE, STATE, Mark, Place, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal

FIGHTERS = 1 << Kind.REGULAR | 1 << Kind.IRREGULAR
"""Kinds as bits: those that fight, block and control. Special Forces never do."""
ONLY_REGULARS = 1 << Kind.REGULAR
ONLY_IRREGULARS = 1 << Kind.IRREGULAR
ONLY_SPECIAL = 1 << Kind.SPECIAL
ALL_KINDS = FIGHTERS | ONLY_SPECIAL
GROUPED = PLACE - GROUP
"""The bits of an entry that hold a group."""


@internal(types.void, RULES, STATE, types.int64, types.int64)
def set_unit(rules: Rules, state: State, unit: int, entry: int) -> None:
    """Change a unit's entry and bring the units of its type back into order."""
    unit_type = rules.type_of[unit]
    while unit > rules.types[unit_type].first and state.unit[unit - 1] > entry:
        state.unit[unit] = state.unit[unit - 1]
        unit -= 1
    while unit < rules.types[unit_type].end - 1 and state.unit[unit + 1] < entry:
        state.unit[unit] = state.unit[unit + 1]
        unit += 1
    state.unit[unit] = entry


@internal(types.int64, RULES, STATE, types.int64)
def stack_at(rules: Rules, state: State, unit: int) -> int:
    """Return the stack of a unit."""
    entry = state.unit[unit]
    return stack_of(rules.type_of[unit], entry & Mark.NEUTRALISED, entry // PLACE)


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def find(rules: Rules, state: State, stack: int, forbidden: int) -> int:
    """Return a unit of a stack that has none of the `forbidden` marks, or NOBODY if there is none."""
    unit_type = type_in(stack)
    neutralised = stack % 2
    for unit in range(rules.types[unit_type].first, rules.types[unit_type].end):
        entry = state.unit[unit]
        if entry // PLACE == place_in(stack) and entry & Mark.NEUTRALISED == neutralised and entry & forbidden == 0:
            return unit
    return NOBODY


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def find_in_group(rules: Rules, state: State, stack: int, group: int) -> int:
    """Return a unit of a stack that belongs to a combat group."""
    entry = place_in(stack) * PLACE + int(group) * GROUP + stack % 2
    for unit in range(rules.types[type_in(stack)].first, rules.types[type_in(stack)].end):
        if state.unit[unit] & ~(GROUP - 1 - Mark.NEUTRALISED) == entry:
            return unit
    return NOBODY


@internal(types.int64, LEGAL, types.int64, types.int64)
def append_new(out: Legal, n: int, action: int) -> int:
    """Append an action unless it is already there; return the number of actions."""
    for index in range(n):
        if out[index] == action:
            return n
    out[n] = action
    return n + 1


@internal(types.int64, RULES, STATE, types.int64, types.int64, types.int64, types.int64, LEGAL, types.int64)
def list_stacks(
    rules: Rules, state: State, side: int, kinds: int, place: int, forbidden: int, out: Legal, n: int
) -> int:
    """Append each stack of a side and of these kinds (bits) in a place, or with place NOBODY on the map."""
    lowest = 0 if place == NOBODY else place * PLACE
    end = MAX_ZONES * PLACE if place == NOBODY else lowest + PLACE
    for unit_type in range(rules.n_types):
        if rules.types[unit_type].side != side or kinds >> rules.types[unit_type].kind & 1 == 0:
            continue
        last = before_last = NOBODY  # a type has at most two stacks in a place, and its units stand in order of places
        for unit in range(rules.types[unit_type].first, rules.types[unit_type].end):
            entry = int(state.unit[unit])
            if entry >= end:
                break
            if entry < lowest or entry & forbidden:
                continue
            stack = stack_of(unit_type, entry & Mark.NEUTRALISED, entry // PLACE)
            if stack != last and stack != before_last:
                before_last = last
                last = stack
                out[n] = Action.UNIT + stack
                n += 1
    return n


@internal(types.int64, RULES, STATE, types.int64, types.int64, types.int64)
def zones_with(rules: Rules, state: State, side: int, kinds: int, forbidden: int) -> int:
    """Return the zones, as bits, where a side has a unit of these kinds (bits) without any `forbidden` mark."""
    zones = 0
    for unit_type in range(rules.n_types):
        if rules.types[unit_type].side != side or kinds >> rules.types[unit_type].kind & 1 == 0:
            continue
        for unit in range(rules.types[unit_type].first, rules.types[unit_type].end):
            entry = int(state.unit[unit])
            if entry >= Place.RESERVE * PLACE:
                break
            zones |= (entry & forbidden == 0) << (entry // PLACE)
    return zones


@internal(types.int64, RULES, STATE, types.int64, types.int64, types.int64, types.int64)
def count_in(rules: Rules, state: State, side: int, kinds: int, place: int, forbidden: int) -> int:
    """Return the number of a side's units of these kinds (bits) in a place, without any `forbidden` mark."""
    count = 0
    for unit in range(rules.n_units):
        unit_type = rules.type_of[unit]
        entry = state.unit[unit]
        if entry // PLACE == place and entry & forbidden == 0 and rules.types[unit_type].side == side:
            count += kinds >> rules.types[unit_type].kind & 1
    return count


@internal(types.void, RULES, STATE, types.int64, types.int64)
def move_to(rules: Rules, state: State, unit: int, place: int) -> None:
    """Move a unit to another place; its marks stay."""
    set_unit(rules, state, unit, place * PLACE + state.unit[unit] % PLACE)


@internal(types.void, RULES, STATE, types.int64)
def eliminate(rules: Rules, state: State, unit: int) -> None:
    """Move a unit to its owner's Reserve, full side up (section 7)."""
    set_unit(rules, state, unit, Place.RESERVE * PLACE)


@internal(types.void, RULES, STATE, types.int64)
def clear_marks(rules: Rules, state: State, marks: int) -> None:
    """Clear these mark bits in the entries of all units."""
    for unit_type in range(rules.n_types):
        first = rules.types[unit_type].first
        for unit in range(first, rules.types[unit_type].end):
            entry = state.unit[unit] & ~marks
            row = unit
            while row > first and state.unit[row - 1] > entry:
                state.unit[row] = state.unit[row - 1]
                row -= 1
            state.unit[row] = entry


@internal(types.void, RULES, STATE, types.int64, types.int64, types.int64, types.boolean)
def strike_zone(rules: Rules, state: State, side: int, kinds: int, zone: int, eliminated: bool) -> None:
    """Neutralise or eliminate every unit of these kinds (bits) that a side has in a zone."""
    for unit in range(rules.n_units):
        unit_type = rules.type_of[unit]
        if rules.types[unit_type].side != side or kinds >> rules.types[unit_type].kind & 1 == 0:
            continue
        while state.unit[unit] // PLACE == zone:  # another unit of the type may move into this row
            if eliminated:
                eliminate(rules, state, unit)
            elif state.unit[unit] & Mark.NEUTRALISED:
                break
            else:
                set_unit(rules, state, unit, state.unit[unit] + Mark.NEUTRALISED)


@internal(types.int64, RULES, types.int64, types.int64)
def combat_value(rules: Rules, unit_type: int, entry: int) -> int:
    """Return the number of dice of a unit in combat; a neutralised one has its bracketed value (R42)."""
    return rules.types[unit_type].cv[entry & Mark.NEUTRALISED]
