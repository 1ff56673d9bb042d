"""Combat in a zone: groups, the type of each combat, dice, hits and their effects (section 7)."""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import MAX_DICE, N_COMBATS, Action
from brinkmanship.games.ukrainian_crisis.rules.names import NOBODY, RU, UA, CombatType, Kind
from brinkmanship.games.ukrainian_crisis.rules.prestige import lose_both
from brinkmanship.games.ukrainian_crisis.rules.state import GROUP, MAX_GROUPS, STATE, Mark, Node, State, Task
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal, ask, pop, push
from brinkmanship.games.ukrainian_crisis.rules.units import (
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

HIT_FROM = 5
"""The lowest face of a die that hits."""


class BattleStage(IntEnum):
    """How far a battle is."""

    NAMES_ATTACKERS = 0
    NAMES_DEFENDERS = 1
    FIGHTS = 2


class FightStage(IntEnum):
    """How far a combat is."""

    BEGINS = 0
    ATTACKER_ROLLS = 1
    DEFENDER_ROLLS = 2
    ATTACKER_HITS = 3
    DEFENDER_HITS = 4


# Groups.


@internal(types.boolean, RULES, STATE, types.int64, types.int64, types.int64)
def is_member(rules: Rules, state: State, unit: int, side: int, group: int) -> bool:
    """Whether a unit of this side belongs to a combat group; groups exist in one zone at a time."""
    if state.unit[unit] & GROUPED != int(group) * GROUP:
        return False
    return rules.types[rules.type_of[unit]].side == side


@compiled(types.int64, RULES, STATE, types.int64, types.int64)
def group_size(rules: Rules, state: State, side: int, group: int) -> int:
    """The number of units in a group."""
    size = 0
    for unit in range(rules.n_units):
        size += is_member(rules, state, unit, side, group)
    return size


@compiled(types.boolean, RULES, STATE, types.int64, types.int64)
def is_regular_group(rules: Rules, state: State, side: int, group: int) -> bool:
    """Whether half or more of the units of a group are Regular; neutralised ones count too (R42)."""
    balance = 0
    for unit in range(rules.n_units):
        if is_member(rules, state, unit, side, group):
            balance += 1 if rules.types[rules.type_of[unit]].kind == Kind.REGULAR else -1
    return balance >= 0


@compiled(types.int64, RULES, STATE, types.int64, types.int64)
def group_value(rules: Rules, state: State, side: int, group: int) -> int:
    """The total Combat Value of a group."""
    total = 0
    for unit in range(rules.n_units):
        if is_member(rules, state, unit, side, group):
            total += combat_value(rules, rules.type_of[unit], state.unit[unit])
    return total


@internal(types.void, RULES, STATE, types.int64)
def disband(rules: Rules, state: State, group: int) -> None:
    """Both groups of a combat that has been fought are no more."""
    for unit in range(rules.n_units):
        while state.unit[unit] & GROUPED == int(group) * GROUP:
            set_unit(rules, state, unit, state.unit[unit] & ~GROUPED)


# A battle: the groups of a zone are named, then their combats fought (R41).


@internal(types.void, STATE)
def close_group(state: State) -> None:
    """An attack group and its target group are complete."""
    frame = state.stack[state.depth - 1]
    frame.group += 1
    frame.attackers = 0
    frame.defenders = 0
    frame.stage = BattleStage.NAMES_ATTACKERS


@internal(types.boolean, RULES, STATE)
def battle_asks(rules: Rules, state: State) -> bool:
    """Ask for the next unit of a group, or the next combat; False when all named combats are fought."""
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
def battle_legal(rules: Rules, state: State, out: Legal) -> int:
    """Units for the next group, or the combats that may be fought next, each with its types."""
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
def battle_apply(rules: Rules, state: State, action: int) -> None:
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


# One combat.


@internal(types.int64, types.int64)
def dice_at_once(dice: int) -> int:
    """How many of the dice still to be rolled are rolled together."""
    return min(dice, MAX_DICE)


@compiled(types.UniTuple(types.int64, 2), RULES, types.int64, types.int64, types.int64)
def suffered(rules: Rules, attack: int, defence: int, targets: int) -> tuple[int, int]:
    """The table of 10.2: what attacker and defender suffer by their Combat Values; there are so many targets."""
    if attack < defence:
        return 2, 0 if rules.options.no_low_odds_hit else 1  # R47
    if attack == defence:
        return 1, 0
    return 1, 2 if attack >= 2 * defence and targets > 1 else 1


@internal(types.void, RULES, STATE)
def decide_without_dice(rules: Rules, state: State) -> None:
    """Score the hits of a combat without dice."""
    frame = state.stack[state.depth - 1]
    side, group = frame.side, frame.group
    attack, defence = group_value(rules, state, side, group), group_value(rules, state, 1 - side, group)
    attacker_suffers, defender_suffers = suffered(rules, attack, defence, group_size(rules, state, 1 - side, group))
    frame.hits[1 - side] = attacker_suffers
    frame.hits[side] = defender_suffers


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def hits_absorbed(rules: Rules, state: State, side: int, group: int) -> int:
    """How many more hits the units of a group absorb: full ones two or, in Asymmetric combat, one (R40)."""
    kinetic = state.stack[state.depth - 1].combat == CombatType.KINETIC
    hits = 0
    for unit in range(rules.n_units):
        if is_member(rules, state, unit, side, group):
            neutralised = state.unit[unit] & Mark.NEUTRALISED
            hits += 2 - neutralised if kinetic else 1 - neutralised
    return hits


@internal(types.int64, RULES, STATE, types.int64, types.int64, LEGAL)
def list_hits(rules: Rules, state: State, side: int, group: int, out: Legal) -> int:
    """The stacks of a group that can absorb a hit."""
    kinetic = state.stack[state.depth - 1].combat == CombatType.KINETIC
    n = 0
    for unit in range(rules.n_units):
        if is_member(rules, state, unit, side, group) and (kinetic or state.unit[unit] & Mark.NEUTRALISED == 0):
            n = append_new(out, n, Action.UNIT + stack_at(rules, state, unit))
    return n


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def only_stack(rules: Rules, state: State, side: int, group: int) -> int:
    """The stack that has to take the next hit, NOBODY where there is a choice."""
    kinetic = state.stack[state.depth - 1].combat == CombatType.KINETIC
    found = NOBODY
    for unit in range(rules.n_units):
        if is_member(rules, state, unit, side, group) and (kinetic or state.unit[unit] & Mark.NEUTRALISED == 0):
            stack = stack_at(rules, state, unit)
            if found == NOBODY:
                found = stack
            elif found != stack:
                return NOBODY
    return found


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def some_stack(rules: Rules, state: State, side: int, group: int) -> int:
    """A stack that can absorb a hit."""
    kinetic = state.stack[state.depth - 1].combat == CombatType.KINETIC
    for unit in range(rules.n_units):
        if is_member(rules, state, unit, side, group) and (kinetic or state.unit[unit] & Mark.NEUTRALISED == 0):
            return stack_at(rules, state, unit)
    return NOBODY


@internal(types.void, RULES, STATE, types.int64)
def hit(rules: Rules, state: State, stack: int) -> None:
    """A unit is neutralised; one that was already is eliminated, and both sides lose 1 Prestige."""
    frame = state.stack[state.depth - 1]
    unit = find_in_group(rules, state, stack, frame.group)
    if state.unit[unit] & Mark.NEUTRALISED:
        eliminate(rules, state, unit)
        frame.losses[UA] += 1
        frame.losses[RU] += 1
    else:
        set_unit(rules, state, unit, state.unit[unit] + Mark.NEUTRALISED)


@internal(types.boolean, RULES, STATE, types.int64)
def hits_ask(rules: Rules, state: State, scorer: int) -> bool:
    """Carry out the hits a side has scored; True where somebody has to choose the unit (R39)."""
    frame = state.stack[state.depth - 1]
    target = 1 - scorer
    scored_by_regulars = (frame.regulars == 1) == (scorer == frame.side)
    if frame.combat == CombatType.SYMBOLIC:
        frame.losses[target] += min(frame.hits[scorer], group_size(rules, state, target, frame.group))
        return False
    if frame.combat == CombatType.ASYMMETRIC and not scored_by_regulars:
        frame.losses[target] += frame.hits[scorer]
        return False
    while frame.hits[scorer] > 0:
        absorbed = hits_absorbed(rules, state, target, frame.group)
        if absorbed == 0:
            frame.losses[scorer] += frame.hits[scorer]  # surplus hits
            return False
        stack = only_stack(rules, state, target, frame.group)
        if frame.hits[scorer] >= absorbed:
            stack = some_stack(rules, state, target, frame.group)  # every unit takes all it can: no choice
        if stack == NOBODY:
            ask(state, Node.HIT, target if rules.options.owner_chooses else scorer)
            return True
        hit(rules, state, stack)
        frame.hits[scorer] -= 1
    return False


@internal(types.boolean, RULES, STATE)
def fight_asks(rules: Rules, state: State) -> bool:
    """Go on with the combat until dice or a choice are needed (True) or it is over (False)."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if frame.stage == FightStage.BEGINS:
        if rules.options.no_randomness:
            decide_without_dice(rules, state)
            frame.stage = FightStage.ATTACKER_HITS
        else:
            frame.dice = group_value(rules, state, side, frame.group)
            frame.stage = FightStage.ATTACKER_ROLLS
    if frame.stage == FightStage.ATTACKER_ROLLS:
        if frame.dice > 0:
            state.drawer = side
            ask(state, Node.HITS, CHANCE)
            return True
        frame.dice = group_value(rules, state, 1 - side, frame.group)
        frame.stage = FightStage.DEFENDER_ROLLS
    if frame.stage == FightStage.DEFENDER_ROLLS:
        if frame.dice > 0:
            state.drawer = 1 - side
            ask(state, Node.HITS, CHANCE)
            return True
        frame.stage = FightStage.ATTACKER_HITS
    if frame.stage == FightStage.ATTACKER_HITS:
        if hits_ask(rules, state, side):
            return True
        frame.stage = FightStage.DEFENDER_HITS
    if frame.stage == FightStage.DEFENDER_HITS and hits_ask(rules, state, 1 - side):
        return True
    lose_both(state, frame.losses[UA], frame.losses[RU])
    disband(rules, state, frame.group)
    pop(state)
    return False


@internal(types.int64, RULES, STATE, LEGAL)
def fight_legal(rules: Rules, state: State, out: Legal) -> int:
    """The stacks the next hit may fall on."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    target = 1 - side if frame.stage == FightStage.ATTACKER_HITS else side
    return list_hits(rules, state, target, frame.group, out)


@internal(types.void, RULES, STATE, types.int64)
def fight_apply(rules: Rules, state: State, action: int) -> None:
    """Take a roll of dice, or the choice of the unit that is hit."""
    frame = state.stack[state.depth - 1]
    if state.node == Node.HITS:
        frame.hits[state.drawer] += action - Action.HITS
        frame.dice -= dice_at_once(frame.dice)
    else:
        side = frame.side
        frame.hits[side if frame.stage == FightStage.ATTACKER_HITS else 1 - side] -= 1
        hit(rules, state, action - Action.UNIT)
