"""The knowledge of each side (section 5.7), and the positions it cannot tell apart.

Knowledge follows from where a card is: a side knows its own hand and everything face up. The draw pile and Cuba are
indistinguishable to all viewers until Cuba is turned up, so the state does not record which card Cuba is. A bid, and
the fact that it has been made, is secret until both are in (Q6).
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.cuban.frame import US, USSR
from brinkmanship.games.thirteen_minutes.rules.action_numbers import N_BIDS, Action
from brinkmanship.games.thirteen_minutes.rules.state import N_CARDS, N_PLACES, NO_BID, STATE, CardIs, Node, State
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules

EVERYBODY = 0b111
"""Audience of an action as bits: US, USSR, OBSERVER."""


@internal(types.void, STATE, STATE)
def copy_state(state: State, out: State) -> None:
    """Copy every field."""
    for place in range(N_PLACES):
        out.area[place] = state.area[place]
        for side in range(2):
            out.influence[side, place] = state.influence[side, place]
    for card in range(N_CARDS):
        out.card[card] = state.card[card]
    for side in range(2):
        out.hand[side] = state.hand[side]
        out.supply[side] = state.supply[side]
        out.lost[side] = state.lost[side]
        out.bid[side] = state.bid[side]
        for column in range(state.score.shape[1]):
            out.score[side, column] = state.score[side, column]
    out.stack[0] = state.stack[0]
    out.cuba_card = state.cuba_card
    out.pile = state.pile
    out.ties = state.ties
    out.first = state.first
    out.bidder = state.bidder
    out.turn = state.turn
    out.node = state.node
    out.mover = state.mover
    out.drawer = state.drawer
    out.winner = state.winner
    out.reason = state.reason
    out.depth = state.depth


@internal(types.void, STATE)
def ask_one_of_the_bidders(out: State) -> None:
    """Set the mover to the first side without a bid, as `actor` does."""
    out.mover = US if out.bid[US] == NO_BID else USSR


@compiled(types.void, RULES, STATE, types.int64, STATE)
def view(rules: Rules, state: State, side: int, out: State) -> None:  # noqa: ARG001 - the contract's signature
    """Copy the knowledge of a side (0, 1, or OBSERVER) to `out`; other cards are UNKNOWN, pending bids NO_BID."""
    copy_state(state, out)
    for card in range(N_CARDS):
        place = state.card[card]
        if place == CardIs.IN_PILE or (
            CardIs.IN_HAND <= place <= CardIs.IN_HAND + 1 and place != CardIs.IN_HAND + side
        ):
            out.card[card] = CardIs.UNKNOWN
    if state.node == Node.BID:
        for other in range(2):
            if other != side:
                out.bid[other] = NO_BID
        ask_one_of_the_bidders(out)


@internal(types.int64, STATE, types.int64, types.int64, types.int64, RANDOM)
def hide_among(out: State, place: int, count: int, unknown: int, random: Random) -> int:
    """Put `count` of the `unknown` cards, still lying in the pile, in a place; return the number left in the pile."""
    for _ in range(count):
        pick = below(random, unknown)
        for card in range(N_CARDS):
            if out.card[card] == CardIs.IN_PILE:
                if pick == 0:
                    out.card[card] = place
                    break
                pick -= 1
        unknown -= 1
    return unknown


@compiled(types.void, RULES, STATE, types.int64, RANDOM, STATE)
def redeal(rules: Rules, known: State, side: int, random: Random, out: State) -> None:  # noqa: ARG001
    """Draw a full state uniformly from all that the side cannot tell apart from its view."""
    copy_state(known, out)
    unknown = 0
    for card in range(N_CARDS):
        if out.card[card] == CardIs.UNKNOWN:
            out.card[card] = CardIs.IN_PILE
            unknown += 1
    for other in range(2):
        if other == side:
            continue
        unknown = hide_among(out, CardIs.IN_HAND + other, known.hand[other], unknown, random)
        # At most one bid may have been made already.
        may_have_bid = known.bid[1 - other] == NO_BID and out.bid[1 - other] == NO_BID
        if known.node == Node.BID and may_have_bid and below(random, 4) > 0:
            out.bid[other] = below(random, known.supply[other] + 1)
    if known.node == Node.BID:
        ask_one_of_the_bidders(out)


@compiled(types.int64, RULES, STATE, types.int64)
def audience(rules: Rules, state: State, action: int) -> int:  # noqa: ARG001 - the contract's signature
    """Return the viewers who may know the action, as bits; others learn only that one of its kind was taken."""
    if Action.DRAW <= action < Action.TURN_UP:
        return 1 << state.drawer
    if Action.BID <= action < Action.FIRST:
        return 1 << ((action - Action.BID) // N_BIDS)
    return EVERYBODY
