"""The Military area of a Strategic Turn: mobilise, deploy, relocate (section 5.1)."""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, place_in, type_in
from brinkmanship.games.ukrainian_crisis.rules.events import PIPS_WITHOUT_DICE, halved
from brinkmanship.games.ukrainian_crisis.rules.names import N_KINDS, NOBODY, Kind
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, STATE, Mark, Node, Place, State
from brinkmanship.games.ukrainian_crisis.rules.steps.allies import add_allies, has_allies_for
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal, ask, ask_die, pop
from brinkmanship.games.ukrainian_crisis.rules.units import ALL_KINDS, find, list_stacks, move_to, set_unit, zones_with
from brinkmanship.games.ukrainian_crisis.rules.zones import list_zones, zones_to_deploy


class MilitaryStage(IntEnum):
    """Stage of a side's next unit."""

    CHOOSES = 0
    DEPLOYS = 1
    RALLIES = 2


@internal(types.boolean, RULES, STATE, types.int64)
def rally_asks(rules: Rules, state: State, side: int) -> bool:
    """Ask for the die of a bonus if one is due for a unit that was deployed, moved or recovered (R34)."""
    if state.rally[side] == 0:
        return False
    if rules.options.no_randomness:
        state.bonus[side] += halved(PIPS_WITHOUT_DICE)
        return False
    ask_die(state)
    return True


@internal(types.boolean, RULES, STATE)
def asks(rules: Rules, state: State) -> bool:
    """Ask for the next step, or end the action if no step is left."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if frame.stage == MilitaryStage.DEPLOYS:
        ask(state, Node.DEPLOY_TO, side)
        return True
    if frame.stage == MilitaryStage.RALLIES:
        frame.stage = MilitaryStage.CHOOSES
        if rally_asks(rules, state, side):
            return True
    has_points = state.rp[side] + state.bonus[side] > 0 or has_allies_for(state, side, state.area)
    if has_points or zones_with(rules, state, side, ALL_KINDS, 0) != 0:
        ask(state, Node.MILITARY, side)
        return True
    pop(state)
    return False


@internal(types.int64, RULES, STATE, types.int64)
def kinds_to_deploy(rules: Rules, state: State, side: int) -> int:
    """Return the kinds of unit, as bits, for which there is a zone, and for a Regular also a point of Prestige."""
    kinds = 0
    for kind in range(N_KINDS):
        is_affordable = kind != Kind.REGULAR or state.prestige[side] > 0
        if is_affordable and zones_to_deploy(rules, state, side, kind) != 0:
            kinds |= 1 << kind
    return kinds


@internal(types.int64, RULES, STATE, LEGAL)
def legal(rules: Rules, state: State, out: Legal) -> int:
    """Write the legal steps; a unit is mobilised, deployed or relocated according to its place."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if frame.stage == MilitaryStage.DEPLOYS:
        kind = rules.types[type_in(frame.picked)].kind
        return list_zones(rules, zones_to_deploy(rules, state, side, kind), out, 0)
    n = list_stacks(rules, state, side, ALL_KINDS, Place.RESERVE, 0, out, 0) if state.rp[side] > 0 else 0
    if state.rp[side] + state.bonus[side] > 0:
        kinds = kinds_to_deploy(rules, state, side)
        n = list_stacks(rules, state, side, kinds, Place.MOBILISATION, Mark.RELOCATED, out, n)
    n = list_stacks(rules, state, side, ALL_KINDS, NOBODY, 0, out, n)
    if has_allies_for(state, side, state.area):
        out[n] = Action.ALLIES + state.ally_rp
        n += 1
    out[n] = Action.DONE
    return n + 1


@internal(types.void, RULES, STATE, types.int64)
def relocate(rules: Rules, state: State, stack: int) -> None:
    """Move a unit from the map to Mobilisation, in its condition (R29)."""
    unit = find(rules, state, stack, 0)
    condition = 0 if rules.options.relocation_cures else state.unit[unit] & Mark.NEUTRALISED
    set_unit(rules, state, unit, Place.MOBILISATION * PLACE + Mark.RELOCATED + condition)


@internal(types.void, RULES, STATE, types.int64, types.int64)
def deploy(rules: Rules, state: State, stack: int, zone: int) -> None:
    """Move a unit from Mobilisation to the map; the points of Rally, now usable for nothing else, are spent first."""
    side = state.stack[state.depth - 1].side
    if state.bonus[side] > 0:
        state.bonus[side] -= 1
    else:
        state.rp[side] -= 1
    if rules.types[type_in(stack)].kind == Kind.REGULAR:
        state.prestige[side] -= 1
    move_to(rules, state, find(rules, state, stack, Mark.RELOCATED), zone)


@internal(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a step, or take the die of a rallying unit."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if action == Action.DONE:
        pop(state)
    elif frame.stage == MilitaryStage.DEPLOYS:
        deploy(rules, state, frame.picked, action - Action.ZONE)
        frame.picked = 0
        frame.stage = MilitaryStage.RALLIES
    elif action < Action.DONE:
        state.bonus[side] += halved(action - Action.DIE + 1)
    elif action < Action.UNIT:
        add_allies(state, action - Action.ALLIES)
        state.rp[side] += action - Action.ALLIES
    elif place_in(action - Action.UNIT) == Place.RESERVE:
        state.rp[side] -= 1
        move_to(rules, state, find(rules, state, action - Action.UNIT, 0), Place.MOBILISATION)
    elif place_in(action - Action.UNIT) == Place.MOBILISATION:
        frame.picked = action - Action.UNIT
        frame.stage = MilitaryStage.DEPLOYS
    else:
        relocate(rules, state, action - Action.UNIT)
