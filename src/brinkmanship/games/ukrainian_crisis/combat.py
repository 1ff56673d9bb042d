"""Combat in a zone: groups, the type of each combat, dice, hits and their effects (section 7)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.compile import compiled, internal
from brinkmanship.engine.game import CHANCE
from brinkmanship.games.ukrainian_crisis.actions import COMBATS, DONE, FIGHT, HITS, MAX_DICE, UNIT
from brinkmanship.games.ukrainian_crisis.standing import lose_both
from brinkmanship.games.ukrainian_crisis.state import (
    ASYMMETRIC,
    GROUP,
    KINETIC,
    MAX_GROUPS,
    N_ATTACKERS,
    N_DEFENDERS,
    N_FIGHT,
    N_HIT,
    N_HITS,
    NEUTRALISED,
    NOBODY,
    RU,
    SIDE,
    STAGE,
    STATE,
    SYMBOLIC,
    T_FIGHT,
    UA,
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    State,
)
from brinkmanship.games.ukrainian_crisis.tables import (
    N_UNITS,
    NO_LOW_ODDS_HIT,
    NO_RANDOMNESS,
    OWNER_CHOOSES,
    REGULAR,
    RULES,
    U_KIND,
    U_SIDE,
    Rules,
)
from brinkmanship.games.ukrainian_crisis.tasks import LEGAL, Legal, ask, pop, push
from brinkmanship.games.ukrainian_crisis.units import (
    FIGHTERS,
    GROUPED,
    append_new,
    combat_value,
    count_in,
    eliminate,
    find,
    find_in_group,
    list_stacks,
    set_unit,
    stack_at,
)

N_TYPES_OF_COMBAT = len(COMBATS)
HIT_FROM = 5
"""The lowest face of a die that hits."""

# Stages of T_BATTLE.
NAMES_ATTACKERS = 0
NAMES_DEFENDERS = 1
FIGHTS = 2

# Stages of T_FIGHT.
BEGINS = 0
ATTACKER_ROLLS = 1
DEFENDER_ROLLS = 2
ATTACKER_HITS = 3
DEFENDER_HITS = 4
SETTLES = 5

REGULARS_ATTACK = len(COMBATS)
"""Added to column C of T_FIGHT where the attacking group is of the kind Regular; losses could change that later."""


# Groups.


@internal(types.boolean, RULES, STATE, types.int64, types.int64, types.int64)
def is_member(rules: Rules, state: State, unit: int, side: int, group: int) -> bool:
    """Whether a unit of this side belongs to a combat group; groups exist in one zone at a time."""
    if state.unit[unit] & GROUPED != group * GROUP:
        return False
    return rules.types[rules.type_of[unit], U_SIDE] == side


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def group_size(rules: Rules, state: State, side: int, group: int) -> int:
    """The number of units in a group."""
    size = 0
    for unit in range(rules.limits[N_UNITS]):
        size += is_member(rules, state, unit, side, group)
    return size


@compiled(types.boolean, RULES, STATE, types.int64, types.int64)
def is_regular_group(rules: Rules, state: State, side: int, group: int) -> bool:
    """Whether half or more of the units of a group are Regular; neutralised ones count too (R42)."""
    balance = 0
    for unit in range(rules.limits[N_UNITS]):
        if is_member(rules, state, unit, side, group):
            balance += 1 if rules.types[rules.type_of[unit], U_KIND] == REGULAR else -1
    return balance >= 0


@compiled(types.int64, RULES, STATE, types.int64, types.int64)
def group_value(rules: Rules, state: State, side: int, group: int) -> int:
    """The total Combat Value of a group."""
    total = 0
    for unit in range(rules.limits[N_UNITS]):
        if is_member(rules, state, unit, side, group):
            total += combat_value(rules, rules.type_of[unit], state.unit[unit])
    return total


@internal(types.void, RULES, STATE, types.int64)
def disband(rules: Rules, state: State, group: int) -> None:
    """Both groups of a combat that has been fought are no more."""
    for unit in range(rules.limits[N_UNITS]):
        while state.unit[unit] & GROUPED == group * GROUP:
            set_unit(rules, state, unit, state.unit[unit] & ~GROUPED)


# A battle: the groups of a zone are named, then their combats fought (R41).


@internal(types.void, STATE)
def close_group(state: State) -> None:
    """An attack group and its target group are complete."""
    frame = state.stack[state.depth - 1]
    frame[B] += 1
    frame[C] = 0
    frame[D] = 0
    frame[STAGE] = NAMES_ATTACKERS


@internal(types.boolean, RULES, STATE)
def battle_asks(rules: Rules, state: State) -> bool:
    """Ask for the next unit of a group, or the next combat; False when all named combats are fought."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    if frame[STAGE] == NAMES_ATTACKERS:
        attackers = count_in(rules, state, side, FIGHTERS, frame[A], NEUTRALISED | GROUPED)
        targets = count_in(rules, state, 1 - side, FIGHTERS, frame[A], GROUPED)
        if frame[C] == 0 and (attackers == 0 or targets == 0 or frame[B] == MAX_GROUPS):
            frame[STAGE] = FIGHTS
        elif attackers == 0:
            frame[STAGE] = NAMES_DEFENDERS
        else:
            ask(state, N_ATTACKERS, side)
            return True
    if frame[STAGE] == NAMES_DEFENDERS:
        if frame[D] == 0 or count_in(rules, state, 1 - side, FIGHTERS, frame[A], GROUPED) > 0:
            ask(state, N_DEFENDERS, side)
            return True
        close_group(state)
        return False
    for group in range(1, frame[B] + 1):
        if group_size(rules, state, side, group) > 0:
            ask(state, N_FIGHT, side)
            return True
    pop(state)
    return False


@internal(types.int64, RULES, STATE, LEGAL)
def battle_legal(rules: Rules, state: State, out: Legal) -> int:
    """Units for the next group, or the combats that may be fought next, each with its types."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    n = 0
    if state.node == N_ATTACKERS:
        n = list_stacks(rules, state, side, FIGHTERS, frame[A], NEUTRALISED | GROUPED, out, 0)
        if frame[B] + frame[C] > 0:
            out[n] = DONE
            n += 1
    elif state.node == N_DEFENDERS:
        n = list_stacks(rules, state, 1 - side, FIGHTERS, frame[A], GROUPED, out, 0)
        if frame[D] > 0:
            out[n] = DONE
            n += 1
    else:
        for group in range(1, frame[B] + 1):
            if group_size(rules, state, side, group) == 0:
                continue
            same_kind = is_regular_group(rules, state, side, group) == is_regular_group(rules, state, 1 - side, group)
            first = FIGHT + (group - 1) * N_TYPES_OF_COMBAT
            out[n] = first + SYMBOLIC
            out[n + 1] = first + (KINETIC if same_kind else ASYMMETRIC)
            n += 2
    return n


@internal(types.void, RULES, STATE, types.int64)
def battle_apply(rules: Rules, state: State, action: int) -> None:
    """Put a unit into the next group, close the group, or begin a combat."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    if frame[STAGE] == FIGHTS:
        group = (action - FIGHT) // N_TYPES_OF_COMBAT + 1
        regulars = is_regular_group(rules, state, side, group)
        push(state, T_FIGHT, side)
        fight = state.stack[state.depth - 1]
        fight[A] = frame[A]
        fight[B] = group
        fight[C] = (action - FIGHT) % N_TYPES_OF_COMBAT + (REGULARS_ATTACK if regulars else 0)
    elif action == DONE:
        if frame[STAGE] == NAMES_DEFENDERS:
            close_group(state)
        else:
            frame[STAGE] = NAMES_DEFENDERS if frame[C] > 0 else FIGHTS
    else:
        attacks = frame[STAGE] == NAMES_ATTACKERS
        unit = find(rules, state, action - UNIT, GROUPED)
        set_unit(rules, state, unit, state.unit[unit] + (frame[B] + 1) * GROUP)
        frame[C if attacks else D] += 1


# One combat.


@internal(types.int64, types.int64)
def dice_at_once(dice: int) -> int:
    """How many of the dice still to be rolled are rolled together."""
    return min(dice, MAX_DICE)


@compiled(types.UniTuple(types.int64, 2), RULES, types.int64, types.int64, types.int64)
def suffered(rules: Rules, attack: int, defence: int, targets: int) -> tuple[int, int]:
    """The table of 10.2: what attacker and defender suffer by their Combat Values; there are so many targets."""
    if attack < defence:
        return 2, 0 if rules.options[NO_LOW_ODDS_HIT] else 1  # R47
    if attack == defence:
        return 1, 0
    return 1, 2 if attack >= 2 * defence and targets > 1 else 1


@internal(types.void, RULES, STATE)
def decide_without_dice(rules: Rules, state: State) -> None:
    """Score the hits of a combat without dice."""
    frame = state.stack[state.depth - 1]
    side, group = frame[SIDE], frame[B]
    attack, defence = group_value(rules, state, side, group), group_value(rules, state, 1 - side, group)
    frame[F], frame[E] = suffered(rules, attack, defence, group_size(rules, state, 1 - side, group))


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def hits_absorbed(rules: Rules, state: State, side: int, group: int) -> int:
    """How many more hits the units of a group absorb: full ones two or, in Asymmetric combat, one (R40)."""
    kinetic = state.stack[state.depth - 1, C] % N_TYPES_OF_COMBAT == KINETIC
    hits = 0
    for unit in range(rules.limits[N_UNITS]):
        if is_member(rules, state, unit, side, group):
            neutralised = state.unit[unit] & NEUTRALISED
            hits += 2 - neutralised if kinetic else 1 - neutralised
    return hits


@internal(types.int64, RULES, STATE, types.int64, types.int64, LEGAL)
def list_hits(rules: Rules, state: State, side: int, group: int, out: Legal) -> int:
    """The stacks of a group that can absorb a hit."""
    kinetic = state.stack[state.depth - 1, C] % N_TYPES_OF_COMBAT == KINETIC
    n = 0
    for unit in range(rules.limits[N_UNITS]):
        if is_member(rules, state, unit, side, group) and (kinetic or state.unit[unit] & NEUTRALISED == 0):
            n = append_new(out, n, UNIT + stack_at(rules, state, unit))
    return n


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def only_stack(rules: Rules, state: State, side: int, group: int) -> int:
    """The stack that has to take the next hit, NOBODY where there is a choice."""
    kinetic = state.stack[state.depth - 1, C] % N_TYPES_OF_COMBAT == KINETIC
    found = NOBODY
    for unit in range(rules.limits[N_UNITS]):
        if is_member(rules, state, unit, side, group) and (kinetic or state.unit[unit] & NEUTRALISED == 0):
            stack = stack_at(rules, state, unit)
            if found == NOBODY:
                found = stack
            elif found != stack:
                return NOBODY
    return found


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def some_stack(rules: Rules, state: State, side: int, group: int) -> int:
    """A stack that can absorb a hit."""
    kinetic = state.stack[state.depth - 1, C] % N_TYPES_OF_COMBAT == KINETIC
    for unit in range(rules.limits[N_UNITS]):
        if is_member(rules, state, unit, side, group) and (kinetic or state.unit[unit] & NEUTRALISED == 0):
            return stack_at(rules, state, unit)
    return NOBODY


@internal(types.void, RULES, STATE, types.int64)
def hit(rules: Rules, state: State, stack: int) -> None:
    """A unit is neutralised; one that was already is eliminated, and both sides lose 1 Prestige."""
    frame = state.stack[state.depth - 1]
    unit = find_in_group(rules, state, stack, frame[B])
    if state.unit[unit] & NEUTRALISED:
        eliminate(rules, state, unit)
        frame[G + UA] += 1
        frame[G + RU] += 1
    else:
        set_unit(rules, state, unit, state.unit[unit] + NEUTRALISED)


@internal(types.boolean, RULES, STATE, types.int64)
def hits_ask(rules: Rules, state: State, scorer: int) -> bool:
    """Carry out the hits a side has scored; True where somebody has to choose the unit (R39)."""
    frame = state.stack[state.depth - 1]
    column = E if scorer == frame[SIDE] else F
    target = 1 - scorer
    combat = frame[C] % N_TYPES_OF_COMBAT
    scored_by_regulars = (frame[C] >= REGULARS_ATTACK) == (scorer == frame[SIDE])
    if combat == SYMBOLIC:
        frame[G + target] += min(frame[column], group_size(rules, state, target, frame[B]))
        return False
    if combat == ASYMMETRIC and not scored_by_regulars:
        frame[G + target] += frame[column]
        return False
    while frame[column] > 0:
        absorbed = hits_absorbed(rules, state, target, frame[B])
        if absorbed == 0:
            frame[G + scorer] += frame[column]  # surplus hits
            return False
        stack = only_stack(rules, state, target, frame[B])
        if frame[column] >= absorbed:
            stack = some_stack(rules, state, target, frame[B])  # every unit takes all it can: no choice
        if stack == NOBODY:
            ask(state, N_HIT, target if rules.options[OWNER_CHOOSES] else scorer)
            return True
        hit(rules, state, stack)
        frame[column] -= 1
    return False


@internal(types.boolean, RULES, STATE)
def fight_asks(rules: Rules, state: State) -> bool:
    """Go on with the combat until dice or a choice are needed (True) or it is over (False)."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    if frame[STAGE] == BEGINS:
        if rules.options[NO_RANDOMNESS]:
            decide_without_dice(rules, state)
            frame[STAGE] = ATTACKER_HITS
        else:
            frame[D] = group_value(rules, state, side, frame[B])
            frame[STAGE] = ATTACKER_ROLLS
    if frame[STAGE] == ATTACKER_ROLLS:
        if frame[D] > 0:
            state.drawer = side
            ask(state, N_HITS, CHANCE)
            return True
        frame[D] = group_value(rules, state, 1 - side, frame[B])
        frame[STAGE] = DEFENDER_ROLLS
    if frame[STAGE] == DEFENDER_ROLLS:
        if frame[D] > 0:
            state.drawer = 1 - side
            ask(state, N_HITS, CHANCE)
            return True
        frame[STAGE] = ATTACKER_HITS
    if frame[STAGE] == ATTACKER_HITS:
        if hits_ask(rules, state, side):
            return True
        frame[STAGE] = DEFENDER_HITS
    if frame[STAGE] == DEFENDER_HITS and hits_ask(rules, state, 1 - side):
        return True
    lose_both(state, frame[G + UA], frame[G + RU])
    disband(rules, state, frame[B])
    pop(state)
    return False


@internal(types.int64, RULES, STATE, LEGAL)
def fight_legal(rules: Rules, state: State, out: Legal) -> int:
    """The stacks the next hit may fall on."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    target = 1 - side if frame[STAGE] == ATTACKER_HITS else side
    return list_hits(rules, state, target, frame[B], out)


@internal(types.void, RULES, STATE, types.int64)
def fight_apply(rules: Rules, state: State, action: int) -> None:
    """Take a roll of dice, or the choice of the unit that is hit."""
    frame = state.stack[state.depth - 1]
    if state.node == N_HITS:
        frame[E if frame[STAGE] == ATTACKER_ROLLS else F] += action - HITS
        frame[D] -= dice_at_once(frame[D])
    else:
        frame[E if frame[STAGE] == ATTACKER_HITS else F] -= 1
        hit(rules, state, action - UNIT)
