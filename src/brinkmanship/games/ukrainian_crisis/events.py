"""The Event Cards, one function each, and the windows in which they are played (sections 3.2, 11).

The function of a card is called with START, and then with each answer that it has asked for: the pips of a die, a
zone, a country, a stack of units, or DONE. It returns whether it asks for one more.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.compile import internal
from brinkmanship.games.ukrainian_crisis.actions import (
    COUNTRY,
    DIE,
    DONE,
    NAMED,
    PLAY_EVENT,
    UNIT,
    ZONE,
)
from brinkmanship.games.ukrainian_crisis.data import COUNTRIES, EVENTS
from brinkmanship.games.ukrainian_crisis.rolls import US
from brinkmanship.games.ukrainian_crisis.standing import gain, leader, lose, lose_both
from brinkmanship.games.ukrainian_crisis.state import (
    DIPLOMATIC,
    DISCARDED,
    DRAWN_IMMEDIATE,
    FACE_UP,
    HELD,
    MOBILISATION,
    N_COUNTRIES,
    N_EVENT_COUNTRY,
    N_EVENT_UNIT,
    N_EVENT_ZONE,
    N_EVENTS,
    N_WINDOW,
    RELOCATED,
    RESERVE,
    RU,
    SIDE,
    STAGE,
    STATE,
    T_EVENT,
    T_WINDOW,
    UA,
    A,
    B,
    C,
    State,
)
from brinkmanship.games.ukrainian_crisis.tables import (
    BELARUS_ZONE,
    ETHNIC,
    FROM_RESERVE_ONLY,
    MOLDOVA_ZONE,
    NO_RANDOMNESS,
    RALLY_PER_UNIT,
    RULES,
    Rules,
)
from brinkmanship.games.ukrainian_crisis.tasks import LEGAL, Legal, ask, ask_die, pop, push
from brinkmanship.games.ukrainian_crisis.units import (
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
from brinkmanship.games.ukrainian_crisis.zones import list_zones

START = -1
NOT_ROLLED = 0
PIPS_WITHOUT_DICE = 3
"""What a die of an event counts when nothing is left to chance (10.2)."""
NEUTRALITY = 1
SUPPORT = 2

_IDS = [card.id for card in EVENTS]
RUNAWAY_GUNS = _IDS.index("runaway_guns")
ISIS_CRISIS = _IDS.index("isis_crisis")
SVOBODA_SHAKEUP = _IDS.index("svoboda_shakeup")
PAID_DEMONSTRATORS = _IDS.index("paid_demonstrators")
MOLDOVA = _IDS.index("moldova")
BELARUS = _IDS.index("belarus")
ECONOMIC_SANCTIONS = _IDS.index("economic_sanctions")
SCREWED_THUMBS = _IDS.index("screwed_thumbs")
F_EU = _IDS.index("f_eu")
A_TERRIBLE_RESOLVE = _IDS.index("a_terrible_resolve")
SPONTANEOUS_MOBILIZATION = _IDS.index("spontaneous_mobilization_spades")
SPONTANEOUS_MOBILIZATION_2 = _IDS.index("spontaneous_mobilization_clubs")
RALLY_FOR_THE_MOTHERLAND = _IDS.index("rally_for_the_motherland")
UNIT_NOT_READY = _IDS.index("unit_not_ready")
IMMEDIATE = sum(card.immediate << event for event, card in enumerate(EVENTS))
"""The cards that are resolved when drawn, as bits."""
ISIS_COUNTRIES = sum(1 << COUNTRIES.index(country) for country in ("US", "GB", "FR"))
BY = COUNTRIES.index("BY")


@internal(types.int64, RULES, STATE, types.int64)
def pips(rules: Rules, state: State, answer: int) -> int:
    """The die an event needs: the answer, or NOT_ROLLED after asking for it."""
    if rules.options[NO_RANDOMNESS]:
        return PIPS_WITHOUT_DICE
    if answer == START:
        ask_die(state)
        return NOT_ROLLED
    return answer


@internal(types.int64, types.int64)
def halved(number: int) -> int:
    """A die divided by two, rounded up (R35)."""
    return (number + 1) // 2


@internal(types.boolean, STATE)
def russia_is_favoured(state: State) -> bool:
    """Without dice the higher Diplomatic card decides about Belarus and Moldova (10.2, R49)."""
    return state.matrix[RU, DIPLOMATIC] >= state.matrix[UA, DIPLOMATIC]


# The cards, in the order of the deck. #UnitedforUkraine and Flight 370 do nothing.


@internal(types.int64, RULES, STATE)
def zones_of_runaway_guns(rules: Rules, state: State) -> int:
    """Zones with Irregulars of both sides."""
    ukrainian = zones_with(rules, state, UA, ONLY_IRREGULARS, 0)
    return ukrainian & zones_with(rules, state, RU, ONLY_IRREGULARS, 0)


@internal(types.boolean, RULES, STATE, types.int64)
def runaway_guns(rules: Rules, state: State, answer: int) -> bool:
    """In a zone the holder names each side loses as much Prestige as it has Irregulars there."""
    if answer == START:
        ask(state, N_EVENT_ZONE, state.stack[state.depth - 1, SIDE])
        return zones_of_runaway_guns(rules, state) != 0
    ukrainian = count_in(rules, state, UA, ONLY_IRREGULARS, answer, 0)
    lose_both(state, ukrainian, count_in(rules, state, RU, ONLY_IRREGULARS, answer, 0))
    return False


@internal(types.void, RULES, STATE)
def isis_crisis(rules: Rules, state: State) -> None:
    """This Turn the US, the UK and France give Ukraine neither Prestige nor Resource Points (R53)."""
    state.suspended |= ISIS_COUNTRIES
    points = 0
    for country in range(N_COUNTRIES):
        if (state.ally_countries & ISIS_COUNTRIES) >> country & 1:
            points += rules.rank[country]
    state.ally_rp -= min(points, state.ally_rp)


@internal(types.boolean, RULES, STATE, types.int64)
def svoboda_shakeup(rules: Rules, state: State, answer: int) -> bool:
    """Ukraine loses a die of Prestige, whoever drew the card."""
    points = pips(rules, state, answer)
    if points == NOT_ROLLED:
        return True
    lose(state, UA, points)
    return False


@internal(types.boolean, RULES, STATE, types.int64)
def paid_demonstrators(rules: Rules, state: State, answer: int) -> bool:
    """The enemy loses half a die of Prestige."""
    points = pips(rules, state, answer)
    if points == NOT_ROLLED:
        return True
    lose(state, 1 - state.stack[state.depth - 1, SIDE], halved(points))
    return False


@internal(types.boolean, RULES, STATE, types.int64)
def moldova(rules: Rules, state: State, answer: int) -> bool:
    """1 to 3: Russia loses 3 Prestige. 4 to 6: Moldova opens, and Russia puts a Regular from Reserve there (R32)."""
    frame = state.stack[state.depth - 1]
    if frame[STAGE] == 1:  # which Regular: the answer is its stack
        move_to(rules, state, find(rules, state, answer, 0), rules.limits[MOLDOVA_ZONE])
        return False
    if rules.options[NO_RANDOMNESS]:
        opens = russia_is_favoured(state)
    else:
        rolled = pips(rules, state, answer)
        if rolled == NOT_ROLLED:
            return True
        opens = rolled >= 4
    if not opens:
        lose(state, RU, 3)
        return False
    state.opened |= 1 << int(rules.limits[MOLDOVA_ZONE])
    frame[STAGE] = 1
    ask(state, N_EVENT_UNIT, RU)
    return count_in(rules, state, RU, ONLY_REGULARS, RESERVE, 0) > 0


@internal(types.boolean, RULES, STATE, types.int64)
def belarus(rules: Rules, state: State, answer: int) -> bool:
    """1 to 3, with Belarus in Neutrality: Belarus opens to Russia (R32). The marker leaves the game in any case."""
    if rules.options[NO_RANDOMNESS]:
        opens = russia_is_favoured(state)
    else:
        rolled = pips(rules, state, answer)
        if rolled == NOT_ROLLED:
            return True
        opens = rolled + state.box[BY] - NEUTRALITY <= 3
    if opens:
        state.opened |= 1 << int(rules.limits[BELARUS_ZONE])
    state.box[BY] = 0
    return False


@internal(types.void, RULES, STATE)
def economic_sanctions(rules: Rules, state: State) -> None:
    """Russia loses the Ranks of all countries in Support and Intervention."""
    points = 0
    for country in range(N_COUNTRIES):
        if state.box[country] >= SUPPORT:
            points += rules.rank[country]
    lose(state, RU, points)


@internal(types.boolean, RULES, STATE, types.int64)
def may_be_thumbed(rules: Rules, state: State, country: int) -> bool:
    """Whether it is a country of the EU in Support or Intervention."""
    return rules.eu[country] == 1 and state.box[country] >= SUPPORT


@internal(types.boolean, RULES, STATE, types.int64)
def screwed_thumbs(rules: Rules, state: State, answer: int) -> bool:
    """A country of the EU goes to Neutrality, and Russia loses its Rank."""
    if answer == START:
        ask(state, N_EVENT_COUNTRY, state.stack[state.depth - 1, SIDE])
        eligible = 0
        for country in range(N_COUNTRIES):
            eligible += may_be_thumbed(rules, state, country)
        return eligible > 0
    state.box[answer] = NEUTRALITY
    lose(state, RU, rules.rank[answer])
    return False


@internal(types.void, RULES, STATE)
def f_eu(rules: Rules, state: State) -> None:
    """Every EU country above Neutrality goes down a box; then Ukraine gains Rank times box of the US."""
    for country in range(N_COUNTRIES):
        if may_be_thumbed(rules, state, country):
            state.box[country] -= 1
    gain(state, UA, rules.rank[US] * state.box[US])


@internal(types.void, STATE)
def a_terrible_resolve(state: State) -> None:
    """The holder may declare a Combat Turn that no Ceasefire can stop; not in Turn 1 (R5, R6)."""
    if state.turn > 1:
        state.resolve = state.stack[state.depth - 1, SIDE]


@internal(types.int64, RULES, STATE, types.int64)
def zones_of_spontaneous_mobilization(rules: Rules, state: State, side: int) -> int:
    """The zones of a side's own ethnic colour; Ukraine is barred from Union zones."""
    zones = int(rules.zone_sets[ETHNIC + side])
    return zones & ~state.union if side == UA else zones


@internal(types.int64, RULES, STATE, types.int64, LEGAL)
def list_spontaneous(rules: Rules, state: State, side: int, out: Legal) -> int:
    """The Irregulars that may be put on the map: from Reserve or Mobilisation (R33), not one relocated this Turn."""
    n = list_stacks(rules, state, side, ONLY_IRREGULARS, RESERVE, RELOCATED, out, 0)
    if rules.options[FROM_RESERVE_ONLY] == 0:
        n = list_stacks(rules, state, side, ONLY_IRREGULARS, MOBILISATION, RELOCATED, out, n)
    return n


@internal(types.boolean, RULES, STATE, types.int64)
def has_spontaneous(rules: Rules, state: State, side: int) -> bool:
    """Whether there is such an Irregular."""
    places = 1 if rules.options[FROM_RESERVE_ONLY] else 2
    for place in range(RESERVE, RESERVE + places):
        if count_in(rules, state, side, ONLY_IRREGULARS, place, RELOCATED) > 0:
            return True
    return False


@internal(types.boolean, RULES, STATE, types.int64)
def spontaneous_mobilization(rules: Rules, state: State, answer: int) -> bool:
    """The holder puts an own Irregular into a zone of an own ethnic colour, free (R33)."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    if answer == START:
        ask(state, N_EVENT_UNIT, side)
        return has_spontaneous(rules, state, side) and zones_of_spontaneous_mobilization(rules, state, side) != 0
    if frame[STAGE] == 0:
        frame[C] = answer
        frame[STAGE] = 1
        ask(state, N_EVENT_ZONE, side)
        return True
    move_to(rules, state, find(rules, state, frame[C], RELOCATED), answer)
    return False


@internal(types.boolean, RULES, STATE, types.int64)
def rally_for_the_motherland(rules: Rules, state: State, answer: int) -> bool:
    """The holder has half a die of Resource Points to deploy, move and recover units with, this Turn (R34)."""
    side = state.stack[state.depth - 1, SIDE]
    if rules.options[RALLY_PER_UNIT]:
        state.rally[side] = 1
        return False
    points = pips(rules, state, answer)
    if points == NOT_ROLLED:
        return True
    state.bonus[side] += halved(points)
    return False


@internal(types.boolean, RULES, STATE, types.int64)
def unit_not_ready(rules: Rules, state: State, answer: int) -> bool:
    """The holder moves up to half a die of enemy units from Mobilisation to Reserve; they keep their condition."""
    frame = state.stack[state.depth - 1]
    enemy = 1 - frame[SIDE]
    if frame[STAGE] == 0:
        points = pips(rules, state, answer)
        if points == NOT_ROLLED:
            return True
        frame[B] = halved(points)
        frame[STAGE] = 1
    elif answer == DONE:
        return False
    else:
        move_to(rules, state, find(rules, state, answer, 0), RESERVE)
        frame[B] -= 1
    ask(state, N_EVENT_UNIT, frame[SIDE])
    return frame[B] > 0 and count_in(rules, state, enemy, FIGHTERS | ONLY_SPECIAL, MOBILISATION, 0) > 0


# The course of an event.


@internal(types.boolean, RULES, STATE, types.int64)
def run_event(rules: Rules, state: State, answer: int) -> bool:
    """Call the function of the card in progress; True if it asks for an answer."""
    event = state.stack[state.depth - 1, A]
    if event == RUNAWAY_GUNS:
        return runaway_guns(rules, state, answer)
    if event == ISIS_CRISIS:
        isis_crisis(rules, state)
    elif event == SVOBODA_SHAKEUP:
        return svoboda_shakeup(rules, state, answer)
    elif event == PAID_DEMONSTRATORS:
        return paid_demonstrators(rules, state, answer)
    elif event == MOLDOVA:
        return moldova(rules, state, answer)
    elif event == BELARUS:
        return belarus(rules, state, answer)
    elif event == ECONOMIC_SANCTIONS:
        economic_sanctions(rules, state)
    elif event == SCREWED_THUMBS:
        return screwed_thumbs(rules, state, answer)
    elif event == F_EU:
        f_eu(rules, state)
    elif event == A_TERRIBLE_RESOLVE:
        a_terrible_resolve(state)
    elif event in (SPONTANEOUS_MOBILIZATION, SPONTANEOUS_MOBILIZATION_2):
        return spontaneous_mobilization(rules, state, answer)
    elif event == RALLY_FOR_THE_MOTHERLAND:
        return rally_for_the_motherland(rules, state, answer)
    elif event == UNIT_NOT_READY:
        return unit_not_ready(rules, state, answer)
    return False


@internal(types.boolean, RULES, STATE, types.int64)
def event_goes_on(rules: Rules, state: State, answer: int) -> bool:
    """Give the event its answer; when it is done its card is discarded. True if it asks for another answer."""
    if run_event(rules, state, answer):
        return True
    state.event[state.stack[state.depth - 1, A]] = DISCARDED
    pop(state)
    return False


@internal(types.boolean, RULES, STATE, types.int64)
def event_apply(rules: Rules, state: State, action: int) -> bool:
    """Give the event the answer that an action is; True if it asks for another one."""
    if action == DONE:  # above the numbers of all stacks
        answer = DONE
    elif action >= ZONE:
        answer = action - ZONE
    elif action >= UNIT:
        answer = action - UNIT
    elif action >= COUNTRY:
        answer = (action - COUNTRY) // 3
    else:
        answer = action - DIE + 1
    return event_goes_on(rules, state, answer)


@internal(types.int64, RULES, STATE, LEGAL)
def event_legal(rules: Rules, state: State, out: Legal) -> int:
    """The legal answers to what the event in progress asks."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    event = frame[A]
    n = 0
    if state.node == N_EVENT_COUNTRY:
        for country in range(N_COUNTRIES):
            if may_be_thumbed(rules, state, country):
                out[n] = COUNTRY + country * 3 + NAMED
                n += 1
    elif event == RUNAWAY_GUNS:
        n = list_zones(rules, zones_of_runaway_guns(rules, state), out, 0)
    elif event == MOLDOVA:
        n = list_stacks(rules, state, RU, ONLY_REGULARS, RESERVE, 0, out, 0)
    elif event == UNIT_NOT_READY:
        n = list_stacks(rules, state, 1 - side, FIGHTERS | ONLY_SPECIAL, MOBILISATION, 0, out, 0)
        out[n] = DONE
        n += 1
    elif frame[STAGE] == 0:
        n = list_spontaneous(rules, state, side, out)
    else:
        n = list_zones(rules, zones_of_spontaneous_mobilization(rules, state, side), out, 0)
    return n


@internal(types.void, STATE, types.int64, types.int64)
def push_event(state: State, event: int, side: int) -> None:
    """A card of this side begins to work, open to everybody."""
    state.event[event] = DRAWN_IMMEDIATE + side
    push(state, T_EVENT, side)
    state.stack[state.depth - 1, A] = event


@internal(types.void, RULES, STATE, types.boolean)
def push_immediates(rules: Rules, state: State, diplomatic_cards_shown: bool) -> None:
    """Begin the immediate cards that lie open, the leader's first (R2).

    Without dice Belarus and Moldova wait for the Diplomatic cards of the Turn (R49).
    """
    first = leader(state)
    for side in (1 - first, first):
        for event in range(N_EVENTS):
            waits = rules.options[NO_RANDOMNESS] == 1 and event in (BELARUS, MOLDOVA)
            if state.event[event] == DRAWN_IMMEDIATE + side and waits == diplomatic_cards_shown:
                push_event(state, event, side)


@internal(types.void, RULES, STATE)
def show_diplomatic_cards(rules: Rules, state: State) -> None:
    """Turn up both Diplomatic cards, and begin what has waited for them."""
    state.face_up[DIPLOMATIC] = FACE_UP
    push_immediates(rules, state, True)


# Windows.


@internal(types.void, STATE)
def push_window(state: State) -> None:
    """Open an event window; the leader speaks first (R3)."""
    push(state, T_WINDOW, leader(state))


@internal(types.boolean, STATE)
def window_asks(state: State) -> bool:
    """Ask the speaker, or close the window; who holds no card, which both know, passes."""
    frame = state.stack[state.depth - 1]
    while frame[A] < 2:
        if state.held[frame[SIDE]] > 0:
            ask(state, N_WINDOW, frame[SIDE])
            return True
        frame[A] += 1
        frame[SIDE] = 1 - frame[SIDE]
    pop(state)
    return False


@internal(types.int64, STATE, types.int64, LEGAL)
def window_legal(state: State, side: int, out: Legal) -> int:
    """Pass, or play a held card."""
    out[0] = DONE
    n = 1
    for event in range(N_EVENTS):
        if state.event[event] == HELD + side:
            out[n] = PLAY_EVENT + event
            n += 1
    return n


@internal(types.void, STATE, types.int64)
def window_apply(state: State, action: int) -> None:
    """The speaker passes or plays; then the other one speaks."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    frame[SIDE] = 1 - side
    if action == DONE:
        frame[A] += 1
        return
    frame[A] = 0
    state.held[side] -= 1
    push_event(state, action - PLAY_EVENT, side)
