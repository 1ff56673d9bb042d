"""The knowledge of each side, and the positions it cannot distinguish.

The other side's card is secret, also after a fold; at a showdown both are revealed.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.jit.compile import compiled, internal
from kuhn_poker.rules.actions import Action
from kuhn_poker.rules.data import N_CARDS
from kuhn_poker.rules.state import HIDDEN, NOBODY, NOT_YET, RULES, STATE, Node, Rules, State

EVERYBODY = 0b111
"""Audience of an action as bits: the sides and the observer."""


@internal(types.void, STATE, STATE)
def copy_state(state: State, out: State) -> None:
    """Copy every field."""
    for side in range(2):
        out.card[side] = state.card[side]
        out.paid[side] = state.paid[side]
    out.folded = state.folded
    out.asked = state.asked
    out.node = state.node


@compiled(types.void, RULES, STATE, types.int64, STATE)
def view(rules: Rules, state: State, side: int, out: State) -> None:  # noqa: ARG001 - the contract's signature
    """Copy to `out` the view of a side or the observer."""
    copy_state(state, out)
    if state.node == Node.OVER and state.folded == NOBODY:
        return
    for other in range(2):
        if other != side and state.card[other] != NOT_YET:
            out.card[other] = HIDDEN


@compiled(types.void, RULES, STATE, types.int64, RANDOM, STATE)
def redeal(rules: Rules, view: State, side: int, random: Random, out: State) -> None:  # noqa: ARG001
    """Fill in a hidden card: any card that the other side does not hold."""
    copy_state(view, out)
    for other in range(2):
        if view.card[other] == HIDDEN:
            card = below(random, N_CARDS)
            while card == out.card[1 - other]:
                card = below(random, N_CARDS)
            out.card[other] = card


@compiled(types.int64, RULES, STATE, types.int64)
def audience(rules: Rules, state: State, action: int) -> int:  # noqa: ARG001
    """Return the bits of the viewers who may know an action: a deal is known only to the side that gets the card."""
    if action < Action.CHECK:
        return 1 << ((action - Action.DEAL) // N_CARDS)
    return EVERYBODY
