"""The Operational Phase: halves of Segments with moves, recoveries and attacks (section 6)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.compile import internal
from brinkmanship.games.ukrainian_crisis.actions import DIE, DONE, RECOVER, UNIT, ZONE, place_in, type_in
from brinkmanship.games.ukrainian_crisis.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.events import halved, push_window
from brinkmanship.games.ukrainian_crisis.military import ALL_KINDS, add_allies, has_allies_for, rally_asks
from brinkmanship.games.ukrainian_crisis.rolls import asks_roll, push_criticals
from brinkmanship.games.ukrainian_crisis.state import (
    ACTED,
    MILITARY,
    N_ATTACK,
    N_MOVE_TO,
    N_OPERATE,
    NEUTRALISED,
    NOBODY,
    PLACE,
    RESERVE,
    SIDE,
    STAGE,
    STATE,
    T_BATTLE,
    T_HALF,
    A,
    State,
)
from brinkmanship.games.ukrainian_crisis.tables import (
    IRREGULAR,
    N_UNITS,
    RULES,
    U_KIND,
    U_SIDE,
    Rules,
)
from brinkmanship.games.ukrainian_crisis.tasks import LEGAL, Legal, ask, pop, push
from brinkmanship.games.ukrainian_crisis.units import (
    FIGHTERS,
    append_new,
    clear_marks,
    find,
    list_stacks,
    set_unit,
    stack_at,
    zones_with,
)
from brinkmanship.games.ukrainian_crisis.zones import list_zones, zones_to_move

# Stages of T_HALF.
OPENS = 0
ROLLS = 1
ROLLED = 2
OPERATES = 3
MOVES = 4
RALLIES = 5
ATTACKS = 6
CLOSES = 7


@internal(types.void, STATE, types.int64)
def push_half(state: State, side: int) -> None:
    """Begin a side's half of an Operational Segment."""
    push(state, T_HALF, side)
    state.area = MILITARY
    state.half += 1


@internal(types.boolean, STATE, types.int64)
def has_point(state: State, side: int) -> bool:
    """Whether one more unit may act: by the roll, by the allies (R13), or by Rally (R34)."""
    return state.rp[side] + state.bonus[side] > 0 or has_allies_for(state, side, MILITARY)


@internal(types.void, STATE, types.int64)
def spend_point(state: State, side: int) -> None:
    """A unit acts: first on points that end with the half, then on those an event may still take, then on Rally's."""
    if state.rp[side] > 0:
        state.rp[side] -= 1
    elif has_allies_for(state, side, MILITARY):
        add_allies(state, 1)
    else:
        state.bonus[side] -= 1


@internal(types.boolean, RULES, STATE, types.int64)
def can_operate(rules: Rules, state: State, side: int) -> bool:
    """Whether a unit of this side on the map may still move or recover in this half."""
    for unit in range(rules.limits[N_UNITS]):
        unit_type = rules.type_of[unit]
        entry = state.unit[unit]
        if rules.types[unit_type, U_SIDE] != side or entry >= RESERVE * PLACE or entry & ACTED:
            continue
        if entry & NEUTRALISED or rules.types[unit_type, U_KIND] != IRREGULAR:
            return True
    return False


@internal(types.int64, RULES, STATE, types.int64)
def zones_to_attack(rules: Rules, state: State, side: int) -> int:
    """The zones, as bits, where a side may attack and has not attacked in this half (R41)."""
    zones = zones_with(rules, state, side, FIGHTERS, NEUTRALISED)
    return zones & zones_with(rules, state, 1 - side, FIGHTERS, 0) & ~state.zones_attacked


@internal(types.boolean, RULES, STATE)
def half_asks(rules: Rules, state: State) -> bool:
    """Go on with the half until somebody is asked (True), or another task begins or it is done (False)."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    if frame[STAGE] == OPENS:
        frame[STAGE] = ROLLS
        push_window(state)
        return False
    if frame[STAGE] == ROLLS:
        frame[STAGE] = ROLLED
        if asks_roll(rules, state, side):
            return True
    if frame[STAGE] == ROLLED:
        frame[STAGE] = OPERATES
        if push_criticals(state, False):
            return False
    if frame[STAGE] == MOVES:
        ask(state, N_MOVE_TO, side)
        return True
    if frame[STAGE] == RALLIES:
        frame[STAGE] = OPERATES
        if rally_asks(rules, state, side):
            return True
    if frame[STAGE] == OPERATES:
        if has_point(state, side) and can_operate(rules, state, side):
            ask(state, N_OPERATE, side)
            return True
        frame[STAGE] = ATTACKS
    if frame[STAGE] == ATTACKS and zones_to_attack(rules, state, side) != 0:
        ask(state, N_ATTACK, side)
        return True
    clear_marks(rules, state, ACTED)
    state.zones_attacked = 0
    state.rp[side] = 0
    pop(state)
    return False


@internal(types.int64, RULES, STATE, LEGAL)
def half_legal(rules: Rules, state: State, out: Legal) -> int:
    """Units that may move, units that may recover, destinations, or zones to attack."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    if state.node == N_MOVE_TO:
        stack = frame[A]
        return list_zones(rules, zones_to_move(rules, state, type_in(stack), place_in(stack)), out, 0)
    if state.node == N_ATTACK:
        n = list_zones(rules, zones_to_attack(rules, state, side), out, 0)
        out[n] = DONE
        return n + 1
    n = 0
    for index in range(list_stacks(rules, state, side, ALL_KINDS, NOBODY, ACTED, out, 0)):
        stack = out[index] - UNIT
        if zones_to_move(rules, state, type_in(stack), place_in(stack)) != 0:
            out[n] = out[index]
            n += 1
    for unit in range(rules.limits[N_UNITS]):
        entry = state.unit[unit]
        waits = entry & (NEUTRALISED | ACTED) == NEUTRALISED and entry // PLACE < MAX_ZONES
        if waits and rules.types[rules.type_of[unit], U_SIDE] == side:
            n = append_new(out, n, RECOVER + stack_at(rules, state, unit) // 2)
    out[n] = DONE
    return n + 1


@internal(types.void, RULES, STATE, types.int64)
def half_apply(rules: Rules, state: State, action: int) -> None:
    """Move or recover a unit, attack a zone, or take the die of a rallying unit."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    if action == DONE:
        frame[STAGE] = ATTACKS if frame[STAGE] == OPERATES else CLOSES
    elif action < DONE:
        state.bonus[side] += halved(action - DIE + 1)
    elif action < RECOVER:
        frame[A] = action - UNIT
        frame[STAGE] = MOVES
    elif action < ZONE:
        unit = find(rules, state, 2 * (action - RECOVER) + 1, ACTED)
        set_unit(rules, state, unit, state.unit[unit] - NEUTRALISED + ACTED)
        spend_point(state, side)
        frame[STAGE] = RALLIES
    elif frame[STAGE] == MOVES:
        unit = find(rules, state, frame[A], ACTED)
        set_unit(rules, state, unit, (action - ZONE) * PLACE + state.unit[unit] % PLACE + ACTED)
        spend_point(state, side)
        frame[A] = 0
        frame[STAGE] = RALLIES
    else:
        state.zones_attacked |= 1 << (action - ZONE)
        push(state, T_BATTLE, side)
        state.stack[state.depth - 1, A] = action - ZONE
