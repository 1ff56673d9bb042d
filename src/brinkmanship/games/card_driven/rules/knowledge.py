"""The knowledge of each side: its own hand, and all that lies open. The deck and the other hand are secret."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.jit.compile import RULES, STATE, shared, template
from brinkmanship.games.card_driven.rules.hooks import Rules, State
from brinkmanship.games.card_driven.rules.state import CardIs, Node

EVERYBODY = 0b111
"""Audience of an action as bits: the sides and the observer."""


@template(types.void, RULES, STATE, STATE)
def copy_state(rules: Rules, state: State, out: State) -> None:  # noqa: ARG001 - the shape of a template
    """Copy every field."""
    for card in range(state.card.shape[0]):
        out.card[card] = state.card[card]
    for side in range(2):
        out.hand[side] = state.hand[side]
        for place in range(state.influence.shape[1]):
            out.influence[side, place] = state.influence[side, place]
    for track in range(state.track.shape[0]):
        out.track[track] = state.track[track]
    for counter in range(state.counter.shape[0]):
        out.counter[counter] = state.counter[counter]
    out.deck = state.deck
    out.round_number = state.round_number
    out.first = state.first
    out.node = state.node
    out.mover = state.mover
    out.played = state.played
    out.player = state.player
    out.actor = state.actor
    out.effect = state.effect
    out.left = state.left
    out.happened = state.happened
    out.reason = state.reason


@shared(types.void, RULES, STATE, types.int64, STATE)
def view(rules: Rules, state: State, side: int, out: State) -> None:
    """Copy to `out` the view of a side or the observer. After the game the hands are open."""
    copy_state(rules, state, out)
    for card in range(state.card.shape[0]):
        is_in_a_hand = state.card[card] < 2 and state.card[card] != side and state.node != Node.OVER
        if state.card[card] == CardIs.IN_DECK or is_in_a_hand:
            out.card[card] = CardIs.UNSEEN


@shared(types.void, RULES, STATE, types.int64, RANDOM, STATE)
def redeal(rules: Rules, known: State, side: int, random: Random, out: State) -> None:
    """Fill a view with a full state drawn uniformly from all states that the side cannot distinguish."""
    copy_state(rules, known, out)
    unseen = 0
    for card in range(known.card.shape[0]):
        if known.card[card] == CardIs.UNSEEN:
            out.card[card] = CardIs.IN_DECK
            unseen += 1
    for other in range(2):
        if other == side or known.node == Node.OVER:
            continue
        for _ in range(known.hand[other]):
            pick = below(random, unseen)
            for card in range(known.card.shape[0]):
                if out.card[card] == CardIs.IN_DECK:
                    if pick == 0:
                        out.card[card] = other
                        break
                    pick -= 1
            unseen -= 1


@shared(types.int64, RULES, STATE, types.int64)
def audience(rules: Rules, state: State, action: int) -> int:
    """Return the bits of the viewers who may know an action when it is taken."""
    if rules.first_draw <= action < rules.first_play:
        return 1 << ((action - rules.first_draw) // state.card.shape[0])
    return EVERYBODY
