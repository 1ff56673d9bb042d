"""A combat of two groups: dice, hits and their effects (section 7)."""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import MAX_DICE, Action
from brinkmanship.games.ukrainian_crisis.rules.groups import disband, group_size, group_value, is_member
from brinkmanship.games.ukrainian_crisis.rules.names import NOBODY, RU, UA, CombatType
from brinkmanship.games.ukrainian_crisis.rules.prestige import lose_both
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Mark, Node, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, WEIGHTS, Legal, Weights, ask, pop
from brinkmanship.games.ukrainian_crisis.rules.units import append_new, eliminate, find_in_group, set_unit, stack_at

HIT_FROM = 5
"""The lowest face of a die that hits."""


class FightStage(IntEnum):
    """Stage of a combat."""

    BEGINS = 0
    ATTACKER_ROLLS = 1
    DEFENDER_ROLLS = 2
    ATTACKER_HITS = 3
    DEFENDER_HITS = 4


@internal(types.int64, types.int64)
def dice_at_once(dice: int) -> int:
    """Return how many of the dice still to be rolled are rolled together."""
    return min(dice, MAX_DICE)


@compiled(types.UniTuple(types.int64, 2), RULES, types.int64, types.int64, types.int64)
def suffered(rules: Rules, attack: int, defence: int, targets: int) -> tuple[int, int]:
    """Return the hits on attacker and defender by their Combat Values (table of 10.2), with `targets` target units."""
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
    """Return the number of further hits a group can absorb: full units two or, in Asymmetric combat, one (R40)."""
    kinetic = state.stack[state.depth - 1].combat == CombatType.KINETIC
    hits = 0
    for unit in range(rules.n_units):
        if is_member(rules, state, unit, side, group):
            neutralised = state.unit[unit] & Mark.NEUTRALISED
            hits += 2 - neutralised if kinetic else 1 - neutralised
    return hits


@internal(types.int64, RULES, STATE, types.int64, types.int64, LEGAL)
def list_hits(rules: Rules, state: State, side: int, group: int, out: Legal) -> int:
    """Write the stacks of a group that can absorb a hit."""
    kinetic = state.stack[state.depth - 1].combat == CombatType.KINETIC
    n = 0
    for unit in range(rules.n_units):
        if is_member(rules, state, unit, side, group) and (kinetic or state.unit[unit] & Mark.NEUTRALISED == 0):
            n = append_new(out, n, Action.UNIT + stack_at(rules, state, unit))
    return n


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def only_stack(rules: Rules, state: State, side: int, group: int) -> int:
    """Return the stack that has to take the next hit, or NOBODY if there is a choice."""
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
    """Return a stack that can absorb a hit."""
    kinetic = state.stack[state.depth - 1].combat == CombatType.KINETIC
    for unit in range(rules.n_units):
        if is_member(rules, state, unit, side, group) and (kinetic or state.unit[unit] & Mark.NEUTRALISED == 0):
            return stack_at(rules, state, unit)
    return NOBODY


@internal(types.void, RULES, STATE, types.int64)
def hit(rules: Rules, state: State, stack: int) -> None:
    """Neutralise a unit, or eliminate a neutralised one, which costs both sides 1 Prestige."""
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
    """Carry out the hits a side has scored; return True if a side has to choose the unit (R39)."""
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
def asks(rules: Rules, state: State) -> bool:
    """Continue the combat until dice or a choice are needed (True) or it is over (False)."""
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
def legal(rules: Rules, state: State, out: Legal) -> int:
    """Write the stacks that the next hit may affect."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    target = 1 - side if frame.stage == FightStage.ATTACKER_HITS else side
    return list_hits(rules, state, target, frame.group, out)


@internal(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Take a roll of dice, or the choice of the unit that is hit."""
    frame = state.stack[state.depth - 1]
    if state.node == Node.HITS:
        frame.hits[state.drawer] += action - Action.HITS
        frame.dice -= dice_at_once(frame.dice)
    else:
        side = frame.side
        frame.hits[side if frame.stage == FightStage.ATTACKER_HITS else 1 - side] -= 1
        hit(rules, state, action - Action.UNIT)


@internal(types.int64, types.int64, LEGAL, WEIGHTS)
def hits_outcomes(dice: int, out: Legal, weights: Weights) -> int:
    """Write the possible numbers of hits of some dice, two faces of six each: weights are ways out of 3^dice."""
    for hits in range(dice + 1):
        out[hits] = Action.HITS + hits
        weights[hits] = hits == 0
    for rolled in range(1, dice + 1):
        for hits in range(rolled, 0, -1):
            weights[hits] = 2 * weights[hits] + weights[hits - 1]
        weights[0] *= 2
    return dice + 1


@internal(types.int64, STATE, LEGAL, WEIGHTS)
def outcomes(state: State, out: Legal, weights: Weights) -> int:
    """Write the possible hits of the dice that are rolled now."""
    return hits_outcomes(dice_at_once(state.stack[state.depth - 1].dice), out, weights)


@internal(types.int64, STATE, RANDOM)
def sample(state: State, random: Random) -> int:
    """Draw one of `outcomes`."""
    hits = 0
    for _ in range(dice_at_once(state.stack[state.depth - 1].dice)):
        hits += below(random, 3) == 0
    return Action.HITS + hits
