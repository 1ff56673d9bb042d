"""Dice: resource rolls, the critical events of their doubles, and the single die of any event (section 4)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, higher_die, lower_die, pair_action
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA, Area, CardClass, Country, Critical
from brinkmanship.games.ukrainian_crisis.rules.prestige import leader, lose
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, State, Task, TurnType
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules, ZoneChooser
from brinkmanship.games.ukrainian_crisis.rules.task_stack import (
    LEGAL,
    WEIGHTS,
    Legal,
    Weights,
    ask,
    ask_die,
    end_turn,
    pop,
    push,
)
from brinkmanship.games.ukrainian_crisis.rules.units import FIGHTERS, ONLY_IRREGULARS, strike_zone
from brinkmanship.games.ukrainian_crisis.rules.zones import list_zones


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def card_class(rules: Rules, state: State, side: int, area: int) -> int:
    """Return the class of a side's card in an area: a `CardClass`."""
    return rules.class_of[state.matrix[side, area] - 1]


@internal(types.boolean, RULES, STATE, types.int64)
def asks_roll(rules: Rules, state: State, side: int) -> bool:
    """Return True if a side's card in this area needs a roll on its row; a number card gives its number (10.1)."""
    if rules.options.ordinary_cards:
        state.rp[side] = state.matrix[side, state.area]
        return False
    state.drawer = side
    ask(state, Node.ROLL, CHANCE)
    return True


@internal(types.void, RULES, STATE, types.int64)
def take_roll(rules: Rules, state: State, action: int) -> None:
    """Add the result of a resource roll by the Results Table; keep doubles to be resolved (section 4.2, R18)."""
    side = state.drawer
    if action < Action.TWO_DICE:
        state.rp[side] = rules.results[card_class(rules, state, side, state.area), action - Action.DIE]
        return
    low = lower_die(action)
    high = higher_die(action)
    state.rp[side] = low + high
    in_segment = state.area == Area.MILITARY and state.turn_type == TurnType.COMBAT
    if low == high and not (in_segment and rules.options.no_critical_in_segments):
        state.doubles[side] = low


@internal(types.boolean, RULES, STATE, types.int64)
def rolls_two_dice(rules: Rules, state: State, side: int) -> bool:
    """Return True if a side's card in this area is a Maximum."""
    return card_class(rules, state, side, state.area) == CardClass.MAXIMUM


@internal(types.boolean, STATE, types.boolean)
def push_criticals(state: State, but_detente: bool) -> bool:
    """Begin the critical events of the rolls just made, leader first, Détente last; return False if there is none."""
    first = leader(state)
    if state.doubles[first] == Critical.DETENTE:
        first = 1 - first
    depth = state.depth
    for side in (1 - first, first):
        doubles = state.doubles[side]
        state.doubles[side] = 0
        if doubles > 0 and not (but_detente and doubles == Critical.DETENTE):
            push(state, Task.CRITICAL, side)
            state.stack[state.depth - 1].doubles = doubles
    return state.depth > depth


@internal(types.int64, RULES, STATE)
def border_zones(rules: Rules, state: State) -> int:
    """Return the zones that Secession and Union may name (R21)."""
    return rules.border & ~state.union


@internal(types.boolean, RULES, STATE)
def critical_asks(rules: Rules, state: State) -> bool:
    """Carry out the critical event on top of the stack until a decision is needed; return True if one is."""
    frame = state.stack[state.depth - 1]
    doubles = frame.doubles
    if doubles == Critical.DETENTE:
        end_turn(state)
        return False
    if doubles == Critical.SANCTIONS:
        lose(state, RU, rules.rank[Country.US] * state.box[Country.US])
    elif doubles == Critical.GAS_TURNED_OFF:
        ask_die(state)
        return True
    elif doubles >= Critical.SECESSION and border_zones(rules, state) != 0:
        if rules.options.zone_chooser == ZoneChooser.CHANCE:
            ask(state, Node.ANY_ZONE, CHANCE)
        elif rules.options.zone_chooser == ZoneChooser.ROLLER:
            ask(state, Node.CRITICAL_ZONE, frame.side)
        else:  # R20
            ask(state, Node.CRITICAL_ZONE, RU)
        return True
    pop(state)
    return False


@internal(types.void, RULES, STATE, types.int64)
def critical_apply(rules: Rules, state: State, action: int) -> None:
    """Take the die of "gas turned off", or the zone of Secession or Union."""
    doubles = state.stack[state.depth - 1].doubles
    if doubles == Critical.GAS_TURNED_OFF:
        lose(state, UA, action - Action.DIE + 1)
    elif doubles == Critical.SECESSION:
        strike_zone(rules, state, UA, ONLY_IRREGULARS, action - Action.ZONE, False)
    else:
        strike_zone(rules, state, UA, FIGHTERS, action - Action.ZONE, True)
        state.union |= 1 << (action - Action.ZONE)
    pop(state)


@internal(types.int64, RULES, STATE, LEGAL)
def critical_legal(rules: Rules, state: State, out: Legal) -> int:
    """Write the zones that Secession or Union may name."""
    return list_zones(rules, border_zones(rules, state), out, 0)


@internal(types.int64, LEGAL, WEIGHTS)
def die_outcomes(out: Legal, weights: Weights) -> int:
    """Write the outcomes of one die."""
    for face in range(6):
        out[face] = Action.DIE + face
        weights[face] = 1
    return 6


@internal(types.int64, RULES, STATE, LEGAL, WEIGHTS)
def roll_outcomes(rules: Rules, state: State, out: Legal, weights: Weights) -> int:
    """Write the outcomes of a resource roll: one die, or for a Maximum two."""
    if not rolls_two_dice(rules, state, state.drawer):
        return die_outcomes(out, weights)
    n = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            out[n] = pair_action(low, high)
            weights[n] = 1 if low == high else 2
            n += 1
    return n


@internal(types.int64, RULES, STATE, LEGAL, WEIGHTS)
def outcomes(rules: Rules, state: State, out: Legal, weights: Weights) -> int:
    """Write the outcomes of a resource roll, a die, or a zone named by chance."""
    if state.node == Node.ROLL:
        return roll_outcomes(rules, state, out, weights)
    if state.node == Node.DIE:
        return die_outcomes(out, weights)
    n = critical_legal(rules, state, out)
    for index in range(n):
        weights[index] = 1
    return n


@internal(types.int64, RULES, STATE, RANDOM)
def sample_zone(rules: Rules, state: State, random: Random) -> int:
    """Draw a zone for Secession or Union."""
    zones = border_zones(rules, state)
    zone = below(random, MAX_ZONES)
    while zones >> zone & 1 == 0:
        zone = below(random, MAX_ZONES)
    return zone


@internal(types.int64, RULES, STATE, RANDOM)
def sample(rules: Rules, state: State, random: Random) -> int:
    """Draw one of `outcomes`."""
    if state.node == Node.ANY_ZONE:
        return Action.ZONE + sample_zone(rules, state, random)
    if state.node == Node.ROLL and rolls_two_dice(rules, state, state.drawer):
        one = below(random, 6) + 1
        other = below(random, 6) + 1
        return pair_action(min(one, other), max(one, other))
    return Action.DIE + below(random, 6)
