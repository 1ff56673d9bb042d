"""The knowledge of each side, and the positions it cannot distinguish.

The other side's favourite is secret until the end. A bid is secret until both are in, and so is the fact that it has
been made.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.jit.compile import compiled, internal
from template_game.rules.actions import N_BIDS, Action
from template_game.rules.data import N_PRIZES
from template_game.rules.state import HIDDEN, NOT_YET, RULES, STATE, Node, Rules, State

EVERYBODY = 0b111
"""Audience of an action as bits: the sides and the observer."""


@internal(types.void, STATE, STATE)
def copy_state(state: State, out: State) -> None:
    """Copy every field."""
    for prize in range(N_PRIZES):
        out.prize[prize] = state.prize[prize]
    for side in range(2):
        out.favourite[side] = state.favourite[side]
        out.coins[side] = state.coins[side]
        out.bid[side] = state.bid[side]
    out.node = state.node


@compiled(types.void, RULES, STATE, types.int64, STATE)
def view(rules: Rules, state: State, side: int, out: State) -> None:  # noqa: ARG001 - the contract's signature
    """Copy to `out` the view of a side or the observer."""
    copy_state(state, out)
    for other in range(2):
        if other == side:
            continue
        if state.node == Node.BID:
            out.bid[other] = NOT_YET
        if state.favourite[other] != NOT_YET and state.node != Node.OVER:
            out.favourite[other] = HIDDEN


@compiled(types.void, RULES, STATE, types.int64, RANDOM, STATE)
def redeal(rules: Rules, known: State, side: int, random: Random, out: State) -> None:  # noqa: ARG001
    """Fill a view with a full state drawn uniformly from all states that the side cannot distinguish."""
    copy_state(known, out)
    for other in range(2):
        if out.favourite[other] == HIDDEN:
            out.favourite[other] = below(random, N_PRIZES)


@compiled(types.int64, RULES, STATE, types.int64)
def audience(rules: Rules, state: State, action: int) -> int:  # noqa: ARG001
    """Return the bits of the viewers who may know an action when it is taken."""
    if Action.DEAL <= action < Action.TURN_UP:
        return 1 << ((action - Action.DEAL) // N_PRIZES)
    if action >= Action.BID:
        return 1 << ((action - Action.BID) // N_BIDS)
    return EVERYBODY
