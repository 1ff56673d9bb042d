"""S1: each side draws an Event Card; immediate ones begin."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.events import IMMEDIATE
from brinkmanship.games.ukrainian_crisis.rules.names import N_EVENTS, Event
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, EventPlace, Node, State, Step
from brinkmanship.games.ukrainian_crisis.rules.steps.event import push_immediates
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, WEIGHTS, Legal, Weights, ask


@internal(types.int64, STATE)
def events_left(state: State) -> int:
    """Return the number of Event Cards in the deck."""
    left = 0
    for event in range(N_EVENTS):
        left += state.event[event] == EventPlace.IN_DECK
    return left


@internal(types.boolean, RULES, STATE)
def asks(rules: Rules, state: State) -> bool:
    """Ask for the Event Card of a side that has none yet; then begin the immediate ones."""
    for side in range(2):
        drew_resolve = state.turn == 1 and state.event[Event.A_TERRIBLE_RESOLVE] == EventPlace.DRAWN_IMMEDIATE + side
        if drew_resolve and rules.options.redraw_resolve:  # R5
            ask(state, Node.RESHUFFLE, CHANCE)
            return True
        if state.drawn >> side & 1 == 0 and events_left(state) > 0:
            state.drawer = side
            ask(state, Node.DRAW_EVENT, CHANCE)
            return True
    push_immediates(rules, state, False)
    state.step = Step.WINDOW_1
    return False


@internal(types.void, STATE, types.int64)
def draw_event(state: State, event: int) -> None:
    """Draw an Event Card for a side; an immediate one lies open, any other is held in secret (R4)."""
    side = state.drawer
    state.drawn |= 1 << side
    if IMMEDIATE >> event & 1:
        state.event[event] = EventPlace.DRAWN_IMMEDIATE + side
    else:
        state.event[event] = EventPlace.HELD + side
        state.held[side] += 1


@internal(types.void, STATE)
def reshuffle_resolve(state: State) -> None:
    """Return A Terrible Resolve, drawn in Turn 1, to the deck; its side draws again (option of R5)."""
    side = state.event[Event.A_TERRIBLE_RESOLVE] - EventPlace.DRAWN_IMMEDIATE
    state.event[Event.A_TERRIBLE_RESOLVE] = EventPlace.IN_DECK
    state.drawn &= ~(1 << int(side))


@internal(types.int64, STATE, LEGAL, WEIGHTS)
def outcomes(state: State, out: Legal, weights: Weights) -> int:
    """Write every card of the deck, all equally likely."""
    n = 0
    for event in range(N_EVENTS):
        if state.event[event] == EventPlace.IN_DECK:
            out[n] = Action.DRAW_EVENT + event
            weights[n] = 1
            n += 1
    return n


@internal(types.int64, STATE, RANDOM)
def sample(state: State, random: Random) -> int:
    """Draw one of `outcomes`."""
    event = below(random, N_EVENTS)
    while state.event[event] != EventPlace.IN_DECK:
        event = below(random, N_EVENTS)
    return Action.DRAW_EVENT + event
