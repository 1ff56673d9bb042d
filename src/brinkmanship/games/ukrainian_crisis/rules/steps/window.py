"""Event windows: S2, S8, S14, and those inside areas and Segments (section 3.2)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.names import N_EVENTS
from brinkmanship.games.ukrainian_crisis.rules.prestige import leader
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, EventPlace, Node, State, Task
from brinkmanship.games.ukrainian_crisis.rules.steps.event import push_event
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal, ask, pop, push


@internal(types.void, STATE)
def push_window(state: State) -> None:
    """Open an event window; the leader speaks first (R3)."""
    push(state, Task.WINDOW, leader(state))


@internal(types.void, STATE)
def open_between_steps(state: State) -> None:
    """Open the window that is a step of the Turn itself; afterwards the next step follows."""
    state.step += 1
    push_window(state)


@internal(types.boolean, STATE)
def asks(state: State) -> bool:
    """Ask the side to speak, or close the window; a side that holds no card, which both know, passes."""
    frame = state.stack[state.depth - 1]
    while frame.passes < 2:
        if state.held[frame.side] > 0:
            ask(state, Node.WINDOW, frame.side)
            return True
        frame.passes += 1
        frame.side = 1 - frame.side
    pop(state)
    return False


@internal(types.int64, STATE, types.int64, LEGAL)
def legal(state: State, side: int, out: Legal) -> int:
    """Write the choices: pass, or play a held card."""
    out[0] = Action.DONE
    n = 1
    for event in range(N_EVENTS):
        if state.event[event] == EventPlace.HELD + side:
            out[n] = Action.PLAY_EVENT + event
            n += 1
    return n


@internal(types.void, STATE, types.int64)
def apply(state: State, action: int) -> None:
    """Pass or play for the side to speak; then the other one is to speak."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    frame.side = 1 - side
    if action == Action.DONE:
        frame.passes += 1
        return
    frame.passes = 0
    state.held[side] -= 1
    push_event(state, action - Action.PLAY_EVENT, side)
