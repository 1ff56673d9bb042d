"""The Information area: reduce Prestige, increase Prestige, neutralise (section 5.4)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.compile import internal
from brinkmanship.games.ukrainian_crisis.actions import ALLIES, DIE, DONE, INFORM, UNIT, place_in, type_in
from brinkmanship.games.ukrainian_crisis.military import ALL_KINDS, add_allies, has_allies_for
from brinkmanship.games.ukrainian_crisis.rolls import asks_roll, card_class, push_criticals
from brinkmanship.games.ukrainian_crisis.standing import gain, lose_both
from brinkmanship.games.ukrainian_crisis.state import (
    GROUP,
    INCREASE,
    INFORMATION,
    N_ADD_ALLIES,
    N_INFORMATION,
    N_TARGETS,
    NEUTRALISE,
    NEUTRALISED,
    NOBODY,
    PLACE,
    REDUCE,
    SIDE,
    STAGE,
    STATE,
    STRATEGIC,
    UA,
    A,
    B,
    C,
    D,
    E,
    F,
    State,
)
from brinkmanship.games.ukrainian_crisis.tables import (
    N_UNITS,
    NEUTRALISE_SF,
    NO_ALLIES_IN_INFORMATION,
    NO_RANDOMNESS,
    ORDINARY_CARDS,
    REDUCE_ONE_EACH,
    ROLL_AT_REVEAL,
    RULES,
    U_END,
    U_FIRST,
    Rules,
)
from brinkmanship.games.ukrainian_crisis.tasks import LEGAL, Legal, ask, ask_die, pop
from brinkmanship.games.ukrainian_crisis.units import (
    FIGHTERS,
    GROUPED,
    clear_marks,
    list_stacks,
    set_unit,
    zones_with,
)

# Stages of T_INFORMATION.
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
    """The kinds of unit that can be targets, as bits: Special Forces only by option (R30)."""
    return ALL_KINDS if rules.options[NEUTRALISE_SF] else FIGHTERS


@internal(types.boolean, RULES, STATE, types.int64)
def has_targets(rules: Rules, state: State, side: int) -> bool:
    """Whether the enemy of a side has a possible target on the map; a neutralised one is a target too (R43)."""
    return zones_with(rules, state, 1 - side, kinds_to_neutralise(rules), 0) != 0


@internal(types.boolean, RULES, STATE)
def second_roll_asks(rules: Rules, state: State) -> bool:
    """Of a reduce: the actor's second roll, or the opponent's by option (R16); none with number cards (10.1)."""
    frame = state.stack[state.depth - 1]
    if frame[A] != REDUCE or rules.options[ORDINARY_CARDS]:
        return False
    if rules.options[REDUCE_ONE_EACH] == 0:
        return asks_roll(rules, state, frame[SIDE])
    if rules.options[ROLL_AT_REVEAL]:
        return False  # the opponent has rolled
    return asks_roll(rules, state, 1 - frame[SIDE])


@internal(types.void, RULES, STATE)
def take_second_result(rules: Rules, state: State) -> None:
    """The other number of a reduce."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    if rules.options[ORDINARY_CARDS]:
        frame[C] = state.matrix[1 - side, INFORMATION]
    elif rules.options[REDUCE_ONE_EACH]:
        frame[C] = state.rp[1 - side]
    else:
        frame[C] = state.rp[side]


@internal(types.boolean, RULES, STATE)
def may_add_allies(rules: Rules, state: State) -> bool:
    """Whether Ukraine may add its allies' points to the increase, the threshold or the opponent's loss (R17)."""
    frame = state.stack[state.depth - 1]
    if rules.options[NO_ALLIES_IN_INFORMATION] or (rules.options[NO_RANDOMNESS] and frame[A] == NEUTRALISE):
        return False
    return has_allies_for(state, frame[SIDE], INFORMATION)


@internal(types.void, STATE)
def change_prestige(state: State) -> None:
    """Reduce: the opponent loses the higher, the actor the lower result. Increase: the actor gains the result."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    if frame[A] == INCREASE:
        gain(state, side, frame[B] + frame[D])
        return
    lower = min(frame[B], frame[C])
    higher = max(frame[B], frame[C]) + frame[D]
    if side == UA:
        lose_both(state, lower, higher)
    else:
        lose_both(state, higher, lower)


@internal(types.int64, RULES, STATE, types.int64)
def least_named(rules: Rules, state: State, stack: int) -> int:
    """The unit of a stack at which the fewest attempts aim."""
    found = NOBODY
    fewest = GROUPED
    for unit in range(rules.types[type_in(stack), U_FIRST], rules.types[type_in(stack), U_END]):
        entry = state.unit[unit]
        if entry // PLACE == place_in(stack) and entry & NEUTRALISED == stack % 2 and entry & GROUPED < fewest:
            found = unit
            fewest = entry & GROUPED
    return found


@internal(types.void, RULES, STATE)
def attempt(rules: Rules, state: State) -> None:
    """Neutralise the unit at which the attempt in progress aims; a neutralised one is not affected again."""
    aimed_at = GROUP << int(state.stack[state.depth - 1, F])
    for unit in range(rules.limits[N_UNITS]):
        entry = state.unit[unit]
        if entry & aimed_at:
            set_unit(rules, state, unit, entry | NEUTRALISED)
            return


@internal(types.boolean, RULES, STATE)
def targets_ask(rules: Rules, state: State) -> bool:
    """Ask for the next target or its die; all are named before the first die (R43). False when all is done."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    if frame[STAGE] == NAMES_TARGETS:
        if frame[E] < rules.attempts[card_class(rules, state, side, INFORMATION)]:
            ask(state, N_TARGETS, side)
            return True
        frame[STAGE] = ROLLS_FOR_TARGETS
    while frame[F] < frame[E]:
        if rules.options[NO_RANDOMNESS] == 0:
            ask_die(state)
            return True
        attempt(rules, state)
        frame[F] += 1
    clear_marks(rules, state, GROUPED)
    return False


@internal(types.boolean, RULES, STATE)
def information_asks(rules: Rules, state: State) -> bool:
    """Go on with a side's action until somebody is asked (True) or it is done (False)."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    if frame[STAGE] == CHOOSES:
        if state.turn_type == STRATEGIC or has_targets(rules, state, side):
            ask(state, N_INFORMATION, side)
            return True
        pop(state)
        return False
    if frame[STAGE] == FIRST_ROLL:
        frame[STAGE] = AFTER_FIRST_ROLL
        if rules.options[ROLL_AT_REVEAL] == 0 and asks_roll(rules, state, side):  # R15
            return True
    if frame[STAGE] == AFTER_FIRST_ROLL:
        frame[B] = state.rp[side]
        frame[STAGE] = SECOND_ROLL
        if push_criticals(state, False):
            return False
    if frame[STAGE] == SECOND_ROLL:
        frame[STAGE] = AFTER_SECOND_ROLL
        if second_roll_asks(rules, state):
            return True
    if frame[STAGE] == AFTER_SECOND_ROLL:
        take_second_result(rules, state)
        frame[STAGE] = ADDS_ALLIES
        if push_criticals(state, False):
            return False
    if frame[STAGE] == ADDS_ALLIES:
        frame[STAGE] = TAKES_EFFECT
        if may_add_allies(rules, state):
            ask(state, N_ADD_ALLIES, UA)
            return True
    if frame[STAGE] == TAKES_EFFECT:
        if frame[A] == NEUTRALISE:
            frame[STAGE] = NAMES_TARGETS
        else:
            change_prestige(state)
            pop(state)
            return False
    if targets_ask(rules, state):
        return True
    pop(state)
    return False


@internal(types.int64, RULES, STATE, LEGAL)
def information_legal(rules: Rules, state: State, out: Legal) -> int:
    """The legal actions, or the targets that may be named."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    n = 0
    if state.node == N_TARGETS:
        n = list_stacks(rules, state, 1 - side, kinds_to_neutralise(rules), NOBODY, 0, out, 0)
        if frame[E] > 0:
            out[n] = DONE
            n += 1
        return n
    if state.turn_type == STRATEGIC:
        out[0] = INFORM + REDUCE
        out[1] = INFORM + INCREASE
        n = 2
    if has_targets(rules, state, side):
        out[n] = INFORM + NEUTRALISE
        n += 1
    out[n] = DONE
    return n + 1


@internal(types.int64, STATE, LEGAL)
def allies_legal(state: State, out: Legal) -> int:
    """Add any number of the allies' points, or none."""
    for points in range(1, state.ally_rp + 1):
        out[points - 1] = ALLIES + points
    out[state.ally_rp] = DONE
    return state.ally_rp + 1


@internal(types.void, STATE, types.int64)
def allies_apply(state: State, action: int) -> None:
    """Take the allies' points into column D of the task."""
    if action != DONE:
        add_allies(state, action - ALLIES)
        state.stack[state.depth - 1, D] = action - ALLIES


@internal(types.void, RULES, STATE, types.int64)
def information_apply(rules: Rules, state: State, action: int) -> None:
    """Choose the action, name a target, or take the die of a target."""
    frame = state.stack[state.depth - 1]
    if frame[STAGE] == CHOOSES:
        if action == DONE:
            pop(state)
            return
        frame[A] = action - INFORM
        frame[STAGE] = FIRST_ROLL
    elif frame[STAGE] == NAMES_TARGETS:
        if action == DONE:
            frame[STAGE] = ROLLS_FOR_TARGETS
            return
        unit = least_named(rules, state, action - UNIT)
        set_unit(rules, state, unit, state.unit[unit] + (GROUP << int(frame[E])))
        frame[E] += 1
    else:
        if action - DIE + 1 <= frame[B] + frame[D]:
            attempt(rules, state)
        frame[F] += 1
