"""A battle in a zone: naming its groups, then fighting their combats (section 7, R41)."""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import N_COMBATS, Action
from brinkmanship.games.ukrainian_crisis.rules.groups import group_size, is_regular_group
from brinkmanship.games.ukrainian_crisis.rules.names import CombatType
from brinkmanship.games.ukrainian_crisis.rules.state import GROUP, MAX_GROUPS, STATE, Mark, Node, State, Task
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal, ask, pop, push
from brinkmanship.games.ukrainian_crisis.rules.units import FIGHTERS, GROUPED, count_in, find, list_stacks, set_unit


class BattleStage(IntEnum):
    """Stage of a battle."""

    NAMES_ATTACKERS = 0
    NAMES_DEFENDERS = 1
    FIGHTS = 2


@internal(types.void, STATE)
def close_group(state: State) -> None:
    """Complete an attack group and its target group."""
    frame = state.stack[state.depth - 1]
    frame.group += 1
    frame.attackers = 0
    frame.defenders = 0
    frame.stage = BattleStage.NAMES_ATTACKERS


@internal(types.boolean, RULES, STATE)
def asks(rules: Rules, state: State) -> bool:
    """Ask for the next unit of a group, or the next combat; return False when all named combats are fought."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if frame.stage == BattleStage.NAMES_ATTACKERS:
        attackers = count_in(rules, state, side, FIGHTERS, frame.zone, Mark.NEUTRALISED | GROUPED)
        targets = count_in(rules, state, 1 - side, FIGHTERS, frame.zone, GROUPED)
        if frame.attackers == 0 and (attackers == 0 or targets == 0 or frame.group == MAX_GROUPS):
            frame.stage = BattleStage.FIGHTS
        elif attackers == 0:
            frame.stage = BattleStage.NAMES_DEFENDERS
        else:
            ask(state, Node.ATTACKERS, side)
            return True
    if frame.stage == BattleStage.NAMES_DEFENDERS:
        if frame.defenders == 0 or count_in(rules, state, 1 - side, FIGHTERS, frame.zone, GROUPED) > 0:
            ask(state, Node.DEFENDERS, side)
            return True
        close_group(state)
        return False
    for group in range(1, frame.group + 1):
        if group_size(rules, state, side, group) > 0:
            ask(state, Node.FIGHT, side)
            return True
    pop(state)
    return False


@internal(types.int64, RULES, STATE, LEGAL)
def legal(rules: Rules, state: State, out: Legal) -> int:
    """Write the units for the next group, or the combats that may be fought next, each with its types."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    n = 0
    if state.node == Node.ATTACKERS:
        n = list_stacks(rules, state, side, FIGHTERS, frame.zone, Mark.NEUTRALISED | GROUPED, out, 0)
        if frame.group + frame.attackers > 0:
            out[n] = Action.DONE
            n += 1
    elif state.node == Node.DEFENDERS:
        n = list_stacks(rules, state, 1 - side, FIGHTERS, frame.zone, GROUPED, out, 0)
        if frame.defenders > 0:
            out[n] = Action.DONE
            n += 1
    else:
        for group in range(1, frame.group + 1):
            if group_size(rules, state, side, group) == 0:
                continue
            same_kind = is_regular_group(rules, state, side, group) == is_regular_group(rules, state, 1 - side, group)
            first = Action.FIGHT + (group - 1) * N_COMBATS
            out[n] = first + CombatType.SYMBOLIC
            out[n + 1] = first + (CombatType.KINETIC if same_kind else CombatType.ASYMMETRIC)
            n += 2
    return n


@internal(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Put a unit into the next group, close the group, or begin a combat."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if frame.stage == BattleStage.FIGHTS:
        group = (action - Action.FIGHT) // N_COMBATS + 1
        regulars = is_regular_group(rules, state, side, group)
        push(state, Task.FIGHT, side)
        fight = state.stack[state.depth - 1]
        fight.zone = frame.zone
        fight.group = group
        fight.combat = (action - Action.FIGHT) % N_COMBATS
        fight.regulars = regulars
    elif action == Action.DONE:
        if frame.stage == BattleStage.NAMES_DEFENDERS:
            close_group(state)
        else:
            frame.stage = BattleStage.NAMES_DEFENDERS if frame.attackers > 0 else BattleStage.FIGHTS
    else:
        attacks = frame.stage == BattleStage.NAMES_ATTACKERS
        unit = find(rules, state, action - Action.UNIT, GROUPED)
        set_unit(rules, state, unit, state.unit[unit] + (int(frame.group) + 1) * GROUP)
        if attacks:
            frame.attackers += 1
        else:
            frame.defenders += 1
