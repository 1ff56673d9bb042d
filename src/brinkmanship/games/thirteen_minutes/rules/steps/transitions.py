"""Requests for the next action: every action of a step ends with one of these."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.thirteen_minutes.rules.state import STATE, Node, State


@internal(types.void, STATE, types.int64, types.int64)
def ask(state: State, node: int, mover: int) -> None:
    """Wait for an action."""
    state.node = node
    state.mover = mover


@internal(types.void, STATE, types.int64)
def ask_for_card(state: State, side: int) -> None:
    """Wait for a card from the pile for a side."""
    state.drawer = side
    ask(state, Node.DRAW_CARD, CHANCE)
