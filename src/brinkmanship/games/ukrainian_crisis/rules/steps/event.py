"""The course of an Event Card, from the moment it is open until it is discarded (sections 3.2, 11)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, Direction
from brinkmanship.games.ukrainian_crisis.rules.events import (
    EventStage,
    list_spontaneous,
    may_be_thumbed,
    run_event,
    zones_of_runaway_guns,
    zones_of_spontaneous_mobilization,
)
from brinkmanship.games.ukrainian_crisis.rules.names import N_COUNTRIES, N_EVENTS, RU, Area, Event
from brinkmanship.games.ukrainian_crisis.rules.prestige import leader
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, EventPlace, Node, Place, State, Task
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal, pop, push
from brinkmanship.games.ukrainian_crisis.rules.units import FIGHTERS, ONLY_REGULARS, ONLY_SPECIAL, list_stacks
from brinkmanship.games.ukrainian_crisis.rules.zones import list_zones


@internal(types.void, STATE, types.int64, types.int64)
def push_event(state: State, event: int, side: int) -> None:
    """Begin the effect of a side's card, which is open to all viewers."""
    state.event[event] = EventPlace.DRAWN_IMMEDIATE + side
    push(state, Task.EVENT, side)
    state.stack[state.depth - 1].event = event


@internal(types.void, RULES, STATE, types.boolean)
def push_immediates(rules: Rules, state: State, diplomatic_cards_shown: bool) -> None:
    """Begin the immediate cards that lie open, the leader's first (R2).

    Without dice Belarus and Moldova wait for the Diplomatic cards of the Turn (R49).
    """
    first = leader(state)
    for side in (1 - first, first):
        for event in range(N_EVENTS):
            waits = rules.options.no_randomness == 1 and event in (Event.BELARUS, Event.MOLDOVA)
            if state.event[event] == EventPlace.DRAWN_IMMEDIATE + side and waits == diplomatic_cards_shown:
                push_event(state, event, side)


@internal(types.void, RULES, STATE)
def show_diplomatic_cards(rules: Rules, state: State) -> None:
    """Turn up both Diplomatic cards, and begin the events that have waited for them."""
    state.face_up[Area.DIPLOMATIC] = 1
    push_immediates(rules, state, True)


@internal(types.boolean, RULES, STATE, types.int64)
def go_on(rules: Rules, state: State, answer: int) -> bool:
    """Pass the event a choice or die; when it is done, discard its card. Return True if it asks for another one."""
    if run_event(rules, state, answer):
        return True
    state.event[state.stack[state.depth - 1].event] = EventPlace.DISCARDED
    pop(state)
    return False


@internal(types.int64, RULES, STATE, LEGAL)
def legal(rules: Rules, state: State, out: Legal) -> int:
    """Write the legal choices of the event in progress."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    event = frame.event
    n = 0
    if state.node == Node.EVENT_COUNTRY:
        for country in range(N_COUNTRIES):
            if may_be_thumbed(rules, state, country):
                out[n] = Action.COUNTRY + country * 3 + Direction.NAMED
                n += 1
    elif event == Event.RUNAWAY_GUNS:
        n = list_zones(rules, zones_of_runaway_guns(rules, state), out, 0)
    elif event == Event.MOLDOVA:
        n = list_stacks(rules, state, RU, ONLY_REGULARS, Place.RESERVE, 0, out, 0)
    elif event == Event.UNIT_NOT_READY:
        n = list_stacks(rules, state, 1 - side, FIGHTERS | ONLY_SPECIAL, Place.MOBILISATION, 0, out, 0)
        out[n] = Action.DONE
        n += 1
    elif frame.stage == EventStage.BEGINS:
        n = list_spontaneous(rules, state, side, out)
    else:
        n = list_zones(rules, zones_of_spontaneous_mobilization(rules, state, side), out, 0)
    return n


@internal(types.boolean, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> bool:
    """Pass the event the choice or die of an action; return True if it asks for another one."""
    if action == Action.DONE:  # above the numbers of all stacks
        answer = action
    elif action >= Action.ZONE:
        answer = action - Action.ZONE
    elif action >= Action.UNIT:
        answer = action - Action.UNIT
    elif action >= Action.COUNTRY:
        answer = (action - Action.COUNTRY) // 3
    else:
        answer = action - Action.DIE + 1
    return go_on(rules, state, answer)
