"""Resource rolls and the critical events of doubles (section 4)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.compile import internal
from brinkmanship.engine.game import CHANCE
from brinkmanship.games.ukrainian_crisis.actions import DIE, TWO_DICE, ZONE, higher_die, lower_die
from brinkmanship.games.ukrainian_crisis.data import COUNTRIES
from brinkmanship.games.ukrainian_crisis.standing import leader, lose
from brinkmanship.games.ukrainian_crisis.state import (
    COMBAT,
    MILITARY,
    N_ANY_ZONE,
    N_CRITICAL_ZONE,
    N_ROLL,
    RU,
    SIDE,
    STATE,
    T_CRITICAL,
    UA,
    A,
    State,
)
from brinkmanship.games.ukrainian_crisis.tables import (
    BORDER,
    CHANCE_CHOOSES,
    MAXIMUM,
    NO_CRITICAL_IN_SEGMENTS,
    ORDINARY_CARDS,
    ROLLER_CHOOSES,
    RULES,
    ZONE_CHOOSER,
    Rules,
)
from brinkmanship.games.ukrainian_crisis.tasks import ask, ask_die, end_turn, pop, push
from brinkmanship.games.ukrainian_crisis.units import FIGHTERS, ONLY_IRREGULARS, strike_zone

US = COUNTRIES.index("US")

DETENTE = 1
SANCTIONS = 2
GAS_TURNED_OFF = 3
NATO_ACTIVITY = 4
SECESSION = 5
UNION = 6


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def card_class(rules: Rules, state: State, side: int, area: int) -> int:
    """The class of a side's card in an area: SMALL, MEDIUM or MAXIMUM."""
    return rules.class_of[state.matrix[side, area] - 1]


@internal(types.boolean, RULES, STATE, types.int64)
def asks_roll(rules: Rules, state: State, side: int) -> bool:
    """Whether a roll on the row of a side's card in this area is needed; a number card brings its number (10.1)."""
    if rules.options[ORDINARY_CARDS]:
        state.rp[side] = state.matrix[side, state.area]
        return False
    state.drawer = side
    ask(state, N_ROLL, CHANCE)
    return True


@internal(types.void, RULES, STATE, types.int64)
def take_roll(rules: Rules, state: State, action: int) -> None:
    """What a resource roll brings, by the Results Table; doubles are kept to be resolved (section 4.2, R18)."""
    side = state.drawer
    if action < TWO_DICE:
        state.rp[side] = rules.results[card_class(rules, state, side, state.area), action - DIE]
        return
    low = lower_die(action)
    high = higher_die(action)
    state.rp[side] = low + high
    in_segment = state.area == MILITARY and state.turn_type == COMBAT
    if low == high and not (in_segment and rules.options[NO_CRITICAL_IN_SEGMENTS]):
        state.doubles[side] = low


@internal(types.boolean, RULES, STATE, types.int64)
def rolls_two_dice(rules: Rules, state: State, side: int) -> bool:
    """Whether a side's card in this area is a Maximum."""
    return card_class(rules, state, side, state.area) == MAXIMUM


@internal(types.boolean, STATE, types.boolean)
def push_criticals(state: State, but_detente: bool) -> bool:
    """Begin the critical events of the rolls just made, the leader's first, Détente last; False if there is none."""
    first = leader(state)
    if state.doubles[first] == DETENTE:
        first = 1 - first
    depth = state.depth
    for side in (1 - first, first):
        doubles = state.doubles[side]
        state.doubles[side] = 0
        if doubles > 0 and not (but_detente and doubles == DETENTE):
            push(state, T_CRITICAL, side)
            state.stack[state.depth - 1, A] = doubles
    return state.depth > depth


@internal(types.int64, RULES, STATE)
def border_zones(rules: Rules, state: State) -> int:
    """The zones that Secession and Union may name (R21)."""
    return rules.zone_sets[BORDER] & ~state.union


@internal(types.boolean, RULES, STATE)
def critical_asks(rules: Rules, state: State) -> bool:
    """Carry out the critical event on top of the stack as far as nobody is asked; True if somebody is."""
    frame = state.stack[state.depth - 1]
    doubles = frame[A]
    if doubles == DETENTE:
        end_turn(state)
        return False
    if doubles == SANCTIONS:
        lose(state, RU, rules.rank[US] * state.box[US])
    elif doubles == GAS_TURNED_OFF:
        ask_die(state)
        return True
    elif doubles >= SECESSION and border_zones(rules, state) != 0:
        if rules.options[ZONE_CHOOSER] == CHANCE_CHOOSES:
            ask(state, N_ANY_ZONE, CHANCE)
        elif rules.options[ZONE_CHOOSER] == ROLLER_CHOOSES:
            ask(state, N_CRITICAL_ZONE, frame[SIDE])
        else:  # R20
            ask(state, N_CRITICAL_ZONE, RU)
        return True
    pop(state)
    return False


@internal(types.void, RULES, STATE, types.int64)
def critical_apply(rules: Rules, state: State, action: int) -> None:
    """The die of "gas turned off", or the zone of Secession or Union."""
    doubles = state.stack[state.depth - 1, A]
    if doubles == GAS_TURNED_OFF:
        lose(state, UA, action - DIE + 1)
    elif doubles == SECESSION:
        strike_zone(rules, state, UA, ONLY_IRREGULARS, action - ZONE, False)
    else:
        strike_zone(rules, state, UA, FIGHTERS, action - ZONE, True)
        state.union |= 1 << (action - ZONE)
    pop(state)
