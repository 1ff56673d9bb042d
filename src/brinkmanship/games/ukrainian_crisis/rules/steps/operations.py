"""S13, the Operational Phase: halves of Segments with moves, recoveries and attacks (section 6)."""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, place_in, type_in
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.events import halved
from brinkmanship.games.ukrainian_crisis.rules.names import NOBODY, RU, UA, Area, Kind
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, STATE, Mark, Node, Place, State, Step, Task
from brinkmanship.games.ukrainian_crisis.rules.steps.allies import add_allies, has_allies_for
from brinkmanship.games.ukrainian_crisis.rules.steps.military import rally_asks
from brinkmanship.games.ukrainian_crisis.rules.steps.rolls import asks_roll, push_criticals
from brinkmanship.games.ukrainian_crisis.rules.steps.window import push_window
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal, ask, pop, push
from brinkmanship.games.ukrainian_crisis.rules.units import (
    ALL_KINDS,
    FIGHTERS,
    append_new,
    clear_marks,
    find,
    list_stacks,
    set_unit,
    stack_at,
    zones_with,
)
from brinkmanship.games.ukrainian_crisis.rules.zones import list_zones, zones_to_move


class HalfStage(IntEnum):
    """Stage of a half."""

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
    push(state, Task.HALF, side)
    state.area = Area.MILITARY
    state.half += 1


@internal(types.void, STATE)
def next_half(state: State) -> None:
    """Begin the next half of the Operational Segments, Russia's first (S13)."""
    if state.half < 2 * state.segments:
        push_half(state, RU if state.half % 2 == 0 else UA)
    else:
        state.step = Step.WINDOW_5


@internal(types.boolean, STATE, types.int64)
def has_point(state: State, side: int) -> bool:
    """Return True if another unit may act: by the roll, by the allies (R13), or by Rally (R34)."""
    return state.rp[side] + state.bonus[side] > 0 or has_allies_for(state, side, Area.MILITARY)


@internal(types.void, STATE, types.int64)
def spend_point(state: State, side: int) -> None:
    """Spend a point for a unit: first those that end with the half, then those an event may take, then Rally's."""
    if state.rp[side] > 0:
        state.rp[side] -= 1
    elif has_allies_for(state, side, Area.MILITARY):
        add_allies(state, 1)
    else:
        state.bonus[side] -= 1


@internal(types.boolean, RULES, STATE, types.int64)
def can_operate(rules: Rules, state: State, side: int) -> bool:
    """Return True if a unit of this side on the map may still move or recover in this half."""
    for unit in range(rules.n_units):
        unit_type = rules.type_of[unit]
        entry = state.unit[unit]
        if rules.types[unit_type].side != side or entry >= Place.RESERVE * PLACE or entry & Mark.ACTED:
            continue
        if entry & Mark.NEUTRALISED or rules.types[unit_type].kind != Kind.IRREGULAR:
            return True
    return False


@internal(types.int64, RULES, STATE, types.int64)
def zones_to_attack(rules: Rules, state: State, side: int) -> int:
    """Return the zones, as bits, where a side may attack and has not attacked in this half (R41)."""
    zones = zones_with(rules, state, side, FIGHTERS, Mark.NEUTRALISED)
    return zones & zones_with(rules, state, 1 - side, FIGHTERS, 0) & ~state.zones_attacked


@internal(types.boolean, RULES, STATE)
def asks(rules: Rules, state: State) -> bool:
    """Continue the half until a side is to decide (True), or another task begins or it is done (False)."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if frame.stage == HalfStage.OPENS:
        frame.stage = HalfStage.ROLLS
        push_window(state)
        return False
    if frame.stage == HalfStage.ROLLS:
        frame.stage = HalfStage.ROLLED
        if asks_roll(rules, state, side):
            return True
    if frame.stage == HalfStage.ROLLED:
        frame.stage = HalfStage.OPERATES
        if push_criticals(state, False):
            return False
    if frame.stage == HalfStage.MOVES:
        ask(state, Node.MOVE_TO, side)
        return True
    if frame.stage == HalfStage.RALLIES:
        frame.stage = HalfStage.OPERATES
        if rally_asks(rules, state, side):
            return True
    if frame.stage == HalfStage.OPERATES:
        if has_point(state, side) and can_operate(rules, state, side):
            ask(state, Node.OPERATE, side)
            return True
        frame.stage = HalfStage.ATTACKS
    if frame.stage == HalfStage.ATTACKS and zones_to_attack(rules, state, side) != 0:
        ask(state, Node.ATTACK, side)
        return True
    clear_marks(rules, state, Mark.ACTED)
    state.zones_attacked = 0
    state.rp[side] = 0
    pop(state)
    return False


@internal(types.int64, RULES, STATE, LEGAL)
def legal(rules: Rules, state: State, out: Legal) -> int:
    """Write the units that may move, units that may recover, destinations, or zones to attack."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if state.node == Node.MOVE_TO:
        stack = frame.picked
        return list_zones(rules, zones_to_move(rules, state, type_in(stack), place_in(stack)), out, 0)
    if state.node == Node.ATTACK:
        n = list_zones(rules, zones_to_attack(rules, state, side), out, 0)
        out[n] = Action.DONE
        return n + 1
    n = 0
    for index in range(list_stacks(rules, state, side, ALL_KINDS, NOBODY, Mark.ACTED, out, 0)):
        stack = out[index] - Action.UNIT
        if zones_to_move(rules, state, type_in(stack), place_in(stack)) != 0:
            out[n] = out[index]
            n += 1
    for unit in range(rules.n_units):
        entry = state.unit[unit]
        waits = entry & (Mark.NEUTRALISED | Mark.ACTED) == Mark.NEUTRALISED and entry // PLACE < MAX_ZONES
        if waits and rules.types[rules.type_of[unit]].side == side:
            n = append_new(out, n, Action.RECOVER + stack_at(rules, state, unit) // 2)
    out[n] = Action.DONE
    return n + 1


@internal(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Move or recover a unit, attack a zone, or take the die of a rallying unit."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if action == Action.DONE:
        frame.stage = HalfStage.ATTACKS if frame.stage == HalfStage.OPERATES else HalfStage.CLOSES
    elif action < Action.DONE:
        state.bonus[side] += halved(action - Action.DIE + 1)
    elif action < Action.RECOVER:
        frame.picked = action - Action.UNIT
        frame.stage = HalfStage.MOVES
    elif action < Action.ZONE:
        unit = find(rules, state, 2 * (action - Action.RECOVER) + 1, Mark.ACTED)
        set_unit(rules, state, unit, state.unit[unit] - Mark.NEUTRALISED + Mark.ACTED)
        spend_point(state, side)
        frame.stage = HalfStage.RALLIES
    elif frame.stage == HalfStage.MOVES:
        unit = find(rules, state, frame.picked, Mark.ACTED)
        set_unit(rules, state, unit, (action - Action.ZONE) * PLACE + state.unit[unit] % PLACE + Mark.ACTED)
        spend_point(state, side)
        frame.picked = 0
        frame.stage = HalfStage.RALLIES
    else:
        state.zones_attacked |= 1 << (action - Action.ZONE)
        push(state, Task.BATTLE, side)
        state.stack[state.depth - 1].zone = action - Action.ZONE
