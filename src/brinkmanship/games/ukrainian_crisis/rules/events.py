"""The Event Cards, one function each (section 11).

The function of a card is called with START, and then with each choice or die that it has asked for: the pips of a die,
a zone, a country, a stack of units, or DONE. It returns True if it asks for another one.
"""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS
from brinkmanship.games.ukrainian_crisis.rules.names import N_COUNTRIES, RU, UA, Area, Box, Country, Event
from brinkmanship.games.ukrainian_crisis.rules.prestige import gain, lose, lose_both
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Mark, Node, Place, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal, ask, ask_die
from brinkmanship.games.ukrainian_crisis.rules.units import (
    FIGHTERS,
    ONLY_IRREGULARS,
    ONLY_REGULARS,
    ONLY_SPECIAL,
    count_in,
    find,
    list_stacks,
    move_to,
    zones_with,
)


class EventStage(IntEnum):
    """Stage of a card that asks more than once."""

    BEGINS = 0
    GOES_ON = 1


START = -1
NOT_ROLLED = 0
PIPS_WITHOUT_DICE = 3
"""Pips of an event's die when nothing is left to chance (10.2)."""

IMMEDIATE = sum(card.immediate << event for event, card in enumerate(EVENTS))
"""The cards that are resolved when drawn, as bits."""
ISIS_COUNTRIES = 1 << Country.US | 1 << Country.GB | 1 << Country.FR


@internal(types.int64, RULES, STATE, types.int64)
def pips(rules: Rules, state: State, answer: int) -> int:
    """Return the pips of the die an event needs, or NOT_ROLLED after asking for it."""
    if rules.options.no_randomness:
        return PIPS_WITHOUT_DICE
    if answer == START:
        ask_die(state)
        return NOT_ROLLED
    return answer


@internal(types.int64, types.int64)
def halved(number: int) -> int:
    """Return a die divided by two, rounded up (R35)."""
    return (number + 1) // 2


@internal(types.boolean, STATE)
def russia_is_favoured(state: State) -> bool:
    """Return True if Russia's Diplomatic card is at least as high: without dice it decides some events (10.2, R49)."""
    return state.matrix[RU, Area.DIPLOMATIC] >= state.matrix[UA, Area.DIPLOMATIC]


# The cards, in the order of the deck. #UnitedforUkraine and Flight 370 do nothing.


@internal(types.int64, RULES, STATE)
def zones_of_runaway_guns(rules: Rules, state: State) -> int:
    """Return the zones with Irregulars of both sides."""
    ukrainian = zones_with(rules, state, UA, ONLY_IRREGULARS, 0)
    return ukrainian & zones_with(rules, state, RU, ONLY_IRREGULARS, 0)


@internal(types.boolean, RULES, STATE, types.int64)
def runaway_guns(rules: Rules, state: State, answer: int) -> bool:
    """Let each side lose as much Prestige as it has Irregulars in a zone the holder names."""
    if answer == START:
        ask(state, Node.EVENT_ZONE, state.stack[state.depth - 1].side)
        return zones_of_runaway_guns(rules, state) != 0
    ukrainian = count_in(rules, state, UA, ONLY_IRREGULARS, answer, 0)
    lose_both(state, ukrainian, count_in(rules, state, RU, ONLY_IRREGULARS, answer, 0))
    return False


@internal(types.void, RULES, STATE)
def isis_crisis(rules: Rules, state: State) -> None:
    """Suspend Prestige and Resource Points from the US, the UK and France for Ukraine this Turn (R53)."""
    state.suspended |= ISIS_COUNTRIES
    points = 0
    for country in range(N_COUNTRIES):
        if (state.ally_countries & ISIS_COUNTRIES) >> country & 1:
            points += rules.rank[country]
    state.ally_rp -= min(points, state.ally_rp)


@internal(types.boolean, RULES, STATE, types.int64)
def svoboda_shakeup(rules: Rules, state: State, answer: int) -> bool:
    """Let Ukraine lose a die of Prestige, whichever side drew the card."""
    points = pips(rules, state, answer)
    if points == NOT_ROLLED:
        return True
    lose(state, UA, points)
    return False


@internal(types.boolean, RULES, STATE, types.int64)
def paid_demonstrators(rules: Rules, state: State, answer: int) -> bool:
    """Let the enemy lose half a die of Prestige."""
    points = pips(rules, state, answer)
    if points == NOT_ROLLED:
        return True
    lose(state, 1 - state.stack[state.depth - 1].side, halved(points))
    return False


@internal(types.boolean, RULES, STATE, types.int64)
def moldova(rules: Rules, state: State, answer: int) -> bool:
    """Roll: at 1 to 3 Russia loses 3 Prestige; at 4 to 6 Moldova opens to a Russian Regular from Reserve (R32)."""
    frame = state.stack[state.depth - 1]
    if frame.stage == EventStage.GOES_ON:  # which Regular: `answer` is its stack
        move_to(rules, state, find(rules, state, answer, 0), rules.moldova)
        return False
    if rules.options.no_randomness:
        opens = russia_is_favoured(state)
    else:
        rolled = pips(rules, state, answer)
        if rolled == NOT_ROLLED:
            return True
        opens = rolled >= 4
    if not opens:
        lose(state, RU, 3)
        return False
    state.opened |= 1 << int(rules.moldova)
    frame.stage = EventStage.GOES_ON
    ask(state, Node.EVENT_UNIT, RU)
    return count_in(rules, state, RU, ONLY_REGULARS, Place.RESERVE, 0) > 0


@internal(types.boolean, RULES, STATE, types.int64)
def belarus(rules: Rules, state: State, answer: int) -> bool:
    """Roll: at 1 to 3, with Belarus in Neutrality, Belarus opens to Russia (R32). Its marker leaves the game anyway."""
    if rules.options.no_randomness:
        opens = russia_is_favoured(state)
    else:
        rolled = pips(rules, state, answer)
        if rolled == NOT_ROLLED:
            return True
        opens = rolled + state.box[Country.BY] - Box.NEUTRALITY <= 3
    if opens:
        state.opened |= 1 << int(rules.belarus)
    state.box[Country.BY] = 0
    return False


@internal(types.void, RULES, STATE)
def economic_sanctions(rules: Rules, state: State) -> None:
    """Let Russia lose the Ranks of all countries in Support and Intervention."""
    points = 0
    for country in range(N_COUNTRIES):
        if state.box[country] >= Box.SUPPORT:
            points += rules.rank[country]
    lose(state, RU, points)


@internal(types.boolean, RULES, STATE, types.int64)
def may_be_thumbed(rules: Rules, state: State, country: int) -> bool:
    """Return True for a country of the EU in Support or Intervention."""
    return rules.eu[country] == 1 and state.box[country] >= Box.SUPPORT


@internal(types.boolean, RULES, STATE, types.int64)
def screwed_thumbs(rules: Rules, state: State, answer: int) -> bool:
    """Move a country of the EU to Neutrality; Russia loses its Rank."""
    if answer == START:
        ask(state, Node.EVENT_COUNTRY, state.stack[state.depth - 1].side)
        eligible = 0
        for country in range(N_COUNTRIES):
            eligible += may_be_thumbed(rules, state, country)
        return eligible > 0
    state.box[answer] = Box.NEUTRALITY
    lose(state, RU, rules.rank[answer])
    return False


@internal(types.void, RULES, STATE)
def f_eu(rules: Rules, state: State) -> None:
    """Move every EU country above Neutrality down a box; then Ukraine gains Rank times box of the US."""
    for country in range(N_COUNTRIES):
        if may_be_thumbed(rules, state, country):
            state.box[country] -= 1
    gain(state, UA, rules.rank[Country.US] * state.box[Country.US])


@internal(types.void, STATE)
def a_terrible_resolve(state: State) -> None:
    """Let the holder declare a Combat Turn that no Ceasefire can stop; not in Turn 1 (R5, R6)."""
    if state.turn > 1:
        state.resolve = state.stack[state.depth - 1].side


@internal(types.int64, RULES, STATE, types.int64)
def zones_of_spontaneous_mobilization(rules: Rules, state: State, side: int) -> int:
    """Return the zones of a side's own ethnic colour; Ukraine is barred from Union zones."""
    zones = int(rules.ethnic[side])
    return zones & ~state.union if side == UA else zones


@internal(types.int64, RULES, STATE, types.int64, LEGAL)
def list_spontaneous(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the Irregulars that may be put on the map: in Reserve or Mobilisation (R33), not relocated this Turn."""
    n = list_stacks(rules, state, side, ONLY_IRREGULARS, Place.RESERVE, Mark.RELOCATED, out, 0)
    if rules.options.from_reserve_only == 0:
        n = list_stacks(rules, state, side, ONLY_IRREGULARS, Place.MOBILISATION, Mark.RELOCATED, out, n)
    return n


@internal(types.boolean, RULES, STATE, types.int64)
def has_spontaneous(rules: Rules, state: State, side: int) -> bool:
    """Return True if there is such an Irregular."""
    places = 1 if rules.options.from_reserve_only else 2
    for place in range(Place.RESERVE, Place.RESERVE + places):
        if count_in(rules, state, side, ONLY_IRREGULARS, place, Mark.RELOCATED) > 0:
            return True
    return False


@internal(types.boolean, RULES, STATE, types.int64)
def spontaneous_mobilization(rules: Rules, state: State, answer: int) -> bool:
    """Put an Irregular of the holder into a zone of its own ethnic colour, free of charge (R33)."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if answer == START:
        ask(state, Node.EVENT_UNIT, side)
        return has_spontaneous(rules, state, side) and zones_of_spontaneous_mobilization(rules, state, side) != 0
    if frame.stage == EventStage.BEGINS:
        frame.picked = answer
        frame.stage = EventStage.GOES_ON
        ask(state, Node.EVENT_ZONE, side)
        return True
    move_to(rules, state, find(rules, state, frame.picked, Mark.RELOCATED), answer)
    return False


@internal(types.boolean, RULES, STATE, types.int64)
def rally_for_the_motherland(rules: Rules, state: State, answer: int) -> bool:
    """Give the holder half a die of Resource Points to deploy, move and recover units with, this Turn (R34)."""
    side = state.stack[state.depth - 1].side
    if rules.options.rally_per_unit:
        state.rally[side] = 1
        return False
    points = pips(rules, state, answer)
    if points == NOT_ROLLED:
        return True
    state.bonus[side] += halved(points)
    return False


@internal(types.boolean, RULES, STATE, types.int64)
def unit_not_ready(rules: Rules, state: State, answer: int) -> bool:
    """Let the holder move up to half a die of enemy units from Mobilisation to Reserve; they keep their condition."""
    frame = state.stack[state.depth - 1]
    enemy = 1 - frame.side
    if frame.stage == EventStage.BEGINS:
        points = pips(rules, state, answer)
        if points == NOT_ROLLED:
            return True
        frame.units = halved(points)
        frame.stage = EventStage.GOES_ON
    elif answer == Action.DONE:
        return False
    else:
        move_to(rules, state, find(rules, state, answer, 0), Place.RESERVE)
        frame.units -= 1
    ask(state, Node.EVENT_UNIT, frame.side)
    return frame.units > 0 and count_in(rules, state, enemy, FIGHTERS | ONLY_SPECIAL, Place.MOBILISATION, 0) > 0


@internal(types.boolean, RULES, STATE, types.int64)
def run_event(rules: Rules, state: State, answer: int) -> bool:
    """Call the function of the card in progress; return True if it asks for a choice or a die."""
    event = state.stack[state.depth - 1].event
    if event == Event.RUNAWAY_GUNS:
        return runaway_guns(rules, state, answer)
    if event == Event.ISIS_CRISIS:
        isis_crisis(rules, state)
    elif event == Event.SVOBODA_SHAKEUP:
        return svoboda_shakeup(rules, state, answer)
    elif event == Event.PAID_DEMONSTRATORS:
        return paid_demonstrators(rules, state, answer)
    elif event == Event.MOLDOVA:
        return moldova(rules, state, answer)
    elif event == Event.BELARUS:
        return belarus(rules, state, answer)
    elif event == Event.ECONOMIC_SANCTIONS:
        economic_sanctions(rules, state)
    elif event == Event.SCREWED_THUMBS:
        return screwed_thumbs(rules, state, answer)
    elif event == Event.F_EU:
        f_eu(rules, state)
    elif event == Event.A_TERRIBLE_RESOLVE:
        a_terrible_resolve(state)
    elif event in (Event.SPONTANEOUS_MOBILIZATION_SPADES, Event.SPONTANEOUS_MOBILIZATION_CLUBS):
        return spontaneous_mobilization(rules, state, answer)
    elif event == Event.RALLY_FOR_THE_MOTHERLAND:
        return rally_for_the_motherland(rules, state, answer)
    elif event == Event.UNIT_NOT_READY:
        return unit_not_ready(rules, state, answer)
    return False
