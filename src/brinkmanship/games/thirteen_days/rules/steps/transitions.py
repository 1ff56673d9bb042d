"""Waiting for an action: every action of a step ends with one of these functions."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.thirteen_days.rules.state import STATE, Node, State


@internal(types.void, STATE, types.int64, types.int64)
def ask(state: State, node: int, mover: int) -> None:
    """Wait for an action."""
    state.node = node
    state.mover = mover


@internal(types.void, STATE, types.int64, types.int64)
def ask_for_draw(state: State, node: int, side: int) -> None:
    """Wait for a card or agenda that chance draws for a side."""
    state.drawer = side
    ask(state, node, CHANCE)


@internal(types.void, STATE, types.int64, types.int64)
def finish(state: State, winner: int, reason: int) -> None:
    """End the game."""
    state.winner = winner
    state.reason = reason
    ask(state, Node.OVER, OVER)
