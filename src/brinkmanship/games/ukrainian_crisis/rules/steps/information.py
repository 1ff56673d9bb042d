"""The Information area: reduce Prestige, increase Prestige, neutralise (section 5.4)."""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, place_in, type_in
from brinkmanship.games.ukrainian_crisis.rules.names import NOBODY, UA, Area, Inform
from brinkmanship.games.ukrainian_crisis.rules.prestige import gain, lose_both
from brinkmanship.games.ukrainian_crisis.rules.state import GROUP, PLACE, STATE, Mark, Node, State, TurnType
from brinkmanship.games.ukrainian_crisis.rules.steps.allies import has_allies_for
from brinkmanship.games.ukrainian_crisis.rules.steps.rolls import asks_roll, card_class, push_criticals
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal, ask, ask_die, pop
from brinkmanship.games.ukrainian_crisis.rules.units import (
    ALL_KINDS,
    FIGHTERS,
    GROUPED,
    clear_marks,
    list_stacks,
    set_unit,
    zones_with,
)


class InformationStage(IntEnum):
    """Stage of a side's action."""

    CHOOSES = 0
    FIRST_ROLL = 1
    AFTER_FIRST_ROLL = 2
    SECOND_ROLL = 3
    AFTER_SECOND_ROLL = 4
    ADDS_ALLIES = 5
    TAKES_EFFECT = 6
    NAMES_TARGETS = 7
    ROLLS_FOR_TARGETS = 8


@internal(types.int64, RULES)
def kinds_to_neutralise(rules: Rules) -> int:
    """Return the kinds of unit that can be targets, as bits: Special Forces only by option (R30)."""
    return ALL_KINDS if rules.options.neutralise_sf else FIGHTERS


@internal(types.boolean, RULES, STATE, types.int64)
def has_targets(rules: Rules, state: State, side: int) -> bool:
    """Return True if a side's enemy has a possible target on the map; a neutralised one is a target too (R43)."""
    return zones_with(rules, state, 1 - side, kinds_to_neutralise(rules), 0) != 0


@internal(types.boolean, RULES, STATE)
def second_roll_asks(rules: Rules, state: State) -> bool:
    """Ask for the second roll of a reduce: the actor's, or by option the opponent's (R16).

    There is none with number cards (10.1).
    """
    frame = state.stack[state.depth - 1]
    if frame.inform != Inform.REDUCE or rules.options.ordinary_cards:
        return False
    if rules.options.reduce_one_each == 0:
        return asks_roll(rules, state, frame.side)
    if rules.options.roll_at_reveal:
        return False  # the opponent has rolled
    return asks_roll(rules, state, 1 - frame.side)


@internal(types.void, RULES, STATE)
def take_second_result(rules: Rules, state: State) -> None:
    """Take the second number of a reduce."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if rules.options.ordinary_cards:
        frame.results[1] = state.matrix[1 - side, Area.INFORMATION]
    elif rules.options.reduce_one_each:
        frame.results[1] = state.rp[1 - side]
    else:
        frame.results[1] = state.rp[side]


@internal(types.boolean, RULES, STATE)
def may_add_allies(rules: Rules, state: State) -> bool:
    """Return True if Ukraine may add its allies' points to the increase, the threshold or the opponent's loss (R17)."""
    frame = state.stack[state.depth - 1]
    if rules.options.no_allies_in_information or (rules.options.no_randomness and frame.inform == Inform.NEUTRALISE):
        return False
    return has_allies_for(state, frame.side, Area.INFORMATION)


@internal(types.void, STATE)
def change_prestige(state: State) -> None:
    """Change Prestige by the results.

    Reduce: the opponent loses the higher, the actor the lower result. Increase: the actor gains the result.
    """
    frame = state.stack[state.depth - 1]
    side = frame.side
    if frame.inform == Inform.INCREASE:
        gain(state, side, frame.results[0] + frame.allies)
        return
    lower = min(frame.results[0], frame.results[1])
    higher = max(frame.results[0], frame.results[1]) + frame.allies
    if side == UA:
        lose_both(state, lower, higher)
    else:
        lose_both(state, higher, lower)


@internal(types.int64, RULES, STATE, types.int64)
def least_named(rules: Rules, state: State, stack: int) -> int:
    """Return the unit of a stack that is the target of the fewest attempts."""
    found = NOBODY
    fewest = GROUPED
    for unit in range(rules.types[type_in(stack)].first, rules.types[type_in(stack)].end):
        entry = state.unit[unit]
        if entry // PLACE == place_in(stack) and entry & Mark.NEUTRALISED == stack % 2 and entry & GROUPED < fewest:
            found = unit
            fewest = entry & GROUPED
    return found


@internal(types.void, RULES, STATE)
def attempt(rules: Rules, state: State) -> None:
    """Neutralise the target of the attempt in progress; a neutralised one is not affected again."""
    aimed_at = GROUP << int(state.stack[state.depth - 1].attempts)
    for unit in range(rules.n_units):
        entry = state.unit[unit]
        if entry & aimed_at:
            set_unit(rules, state, unit, entry | Mark.NEUTRALISED)
            return


@internal(types.boolean, RULES, STATE)
def targets_ask(rules: Rules, state: State) -> bool:
    """Ask for the next target or its die; all are named before the first die (R43). Return False when all is done.

    A critical event of the roll itself may have removed the last possible target from the map.
    """
    frame = state.stack[state.depth - 1]
    side = frame.side
    if frame.stage == InformationStage.NAMES_TARGETS:
        most = rules.attempts[card_class(rules, state, side, Area.INFORMATION)]
        if frame.targets < most and has_targets(rules, state, side):
            ask(state, Node.TARGETS, side)
            return True
        frame.stage = InformationStage.ROLLS_FOR_TARGETS
    while frame.attempts < frame.targets:
        if rules.options.no_randomness == 0:
            ask_die(state)
            return True
        attempt(rules, state)
        frame.attempts += 1
    clear_marks(rules, state, GROUPED)
    return False


@internal(types.boolean, RULES, STATE)
def asks(rules: Rules, state: State) -> bool:
    """Continue a side's action until a side is to decide (True) or it is done (False)."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if frame.stage == InformationStage.CHOOSES:
        if state.turn_type == TurnType.STRATEGIC or has_targets(rules, state, side):
            ask(state, Node.INFORMATION, side)
            return True
        pop(state)
        return False
    if frame.stage == InformationStage.FIRST_ROLL:
        frame.stage = InformationStage.AFTER_FIRST_ROLL
        if rules.options.roll_at_reveal == 0 and asks_roll(rules, state, side):  # R15
            return True
    if frame.stage == InformationStage.AFTER_FIRST_ROLL:
        frame.results[0] = state.rp[side]
        frame.stage = InformationStage.SECOND_ROLL
        if push_criticals(state, False):
            return False
    if frame.stage == InformationStage.SECOND_ROLL:
        frame.stage = InformationStage.AFTER_SECOND_ROLL
        if second_roll_asks(rules, state):
            return True
    if frame.stage == InformationStage.AFTER_SECOND_ROLL:
        take_second_result(rules, state)
        frame.stage = InformationStage.ADDS_ALLIES
        if push_criticals(state, False):
            return False
    if frame.stage == InformationStage.ADDS_ALLIES:
        frame.stage = InformationStage.TAKES_EFFECT
        if may_add_allies(rules, state):
            ask(state, Node.ADD_ALLIES, UA)
            return True
    if frame.stage == InformationStage.TAKES_EFFECT:
        if frame.inform == Inform.NEUTRALISE:
            frame.stage = InformationStage.NAMES_TARGETS
        else:
            change_prestige(state)
            pop(state)
            return False
    if targets_ask(rules, state):
        return True
    pop(state)
    return False


@internal(types.int64, RULES, STATE, LEGAL)
def legal(rules: Rules, state: State, out: Legal) -> int:
    """Write the legal actions, or the targets that may be named."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    n = 0
    if state.node == Node.TARGETS:
        n = list_stacks(rules, state, 1 - side, kinds_to_neutralise(rules), NOBODY, 0, out, 0)
        if frame.targets > 0:
            out[n] = Action.DONE
            n += 1
        return n
    if state.turn_type == TurnType.STRATEGIC:
        out[0] = Action.INFORM + Inform.REDUCE
        out[1] = Action.INFORM + Inform.INCREASE
        n = 2
    if has_targets(rules, state, side):
        out[n] = Action.INFORM + Inform.NEUTRALISE
        n += 1
    out[n] = Action.DONE
    return n + 1


@internal(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Choose the action, name a target, or take the die of a target."""
    frame = state.stack[state.depth - 1]
    if frame.stage == InformationStage.CHOOSES:
        if action == Action.DONE:
            pop(state)
            return
        frame.inform = action - Action.INFORM
        frame.stage = InformationStage.FIRST_ROLL
    elif frame.stage == InformationStage.NAMES_TARGETS:
        if action == Action.DONE:
            frame.stage = InformationStage.ROLLS_FOR_TARGETS
            return
        unit = least_named(rules, state, action - Action.UNIT)
        set_unit(rules, state, unit, state.unit[unit] + (GROUP << int(frame.targets)))
        frame.targets += 1
    else:
        if action - Action.DIE + 1 <= frame.results[0] + frame.allies:
            attempt(rules, state)
        frame.attempts += 1
