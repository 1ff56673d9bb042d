"""Knowledge of each side (section 6), and sampling of the positions it cannot tell apart.

Knowledge follows from where a card is: a side knows its own hand, the cards it put on the aftermath stack, those it
drew for Alliances, and everything face up; both sides, but not an observer, know a card taken by Intelligence Reports.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.cuban.frame import US, USSR
from brinkmanship.games.thirteen_days.rules.action_numbers import Action
from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS, MAX_CARDS
from brinkmanship.games.thirteen_days.rules.state import (
    DEPTH,
    HIDDEN,
    N_PLACES,
    N_TRACKS,
    NOT_CHOSEN,
    STATE,
    CardIs,
    Node,
    Reason,
    State,
)
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules

EVERYBODY = 0b111
"""All viewers as bits: US, USSR, OBSERVER."""


@internal(types.boolean, types.int64, types.int64)
def knows(side: int, place: int) -> bool:
    """Return True if a side knows a card in this location (IN_DECK .. ABSENT)."""
    if place == CardIs.IN_DECK:
        return False
    for secret in (CardIs.IN_HAND, CardIs.IN_AFTERMATH, CardIs.DRAWN):
        if secret <= place <= secret + 1:
            return side == place - secret
    if place == CardIs.TAKEN:
        return side != OBSERVER
    return True


@internal(types.void, STATE, STATE)
def copy_state(state: State, out: State) -> None:
    """Copy every field."""
    for side in range(2):
        for place in range(N_PLACES):
            out.influence[side, place] = state.influence[side, place]
        for track in range(N_TRACKS):
            out.defcon[side, track] = state.defcon[side, track]
        for agenda in range(MAX_AGENDAS):
            out.agenda_dealt[side, agenda] = state.agenda_dealt[side, agenda]
        out.modifier[side] = state.modifier[side]
        out.least[side] = state.least[side]
        out.ban[side] = state.ban[side]
        out.chosen[side] = state.chosen[side]
        out.dealt[side] = state.dealt[side]
        out.hand[side] = state.hand[side]
        out.aftermath[side] = state.aftermath[side]
    for agenda in range(MAX_AGENDAS):
        out.agenda_used[agenda] = state.agenda_used[agenda]
    for card in range(MAX_CARDS):
        out.card[card] = state.card[card]
    for depth in range(DEPTH):
        out.stack[depth] = state.stack[depth]
    out.prestige = state.prestige
    out.letter = state.letter
    out.round_number = state.round_number
    out.turn = state.turn
    out.first = state.first
    out.node = state.node
    out.mover = state.mover
    out.drawer = state.drawer
    out.winner = state.winner
    out.reason = state.reason
    out.depth = state.depth
    out.deck = state.deck
    out.discard = state.discard


@compiled(types.void, RULES, STATE, types.int64, STATE)
def view(rules: Rules, state: State, side: int, out: State) -> None:  # noqa: ARG001 - the contract's signature
    """Copy to `out` the knowledge of a side (0, 1, or OBSERVER); the rest is UNKNOWN or HIDDEN."""
    copy_state(state, out)
    for card in range(MAX_CARDS):
        if not knows(side, state.card[card]):
            out.card[card] = CardIs.UNKNOWN
    for other in range(2):
        if other == side:
            continue
        if state.node == Node.AGENDA:
            out.chosen[other] = NOT_CHOSEN  # nor whether it has chosen yet
        elif state.chosen[other] != NOT_CHOSEN:
            out.chosen[other] = HIDDEN
    if state.node == Node.AGENDA:
        out.mover = US if out.chosen[US] == NOT_CHOSEN else USSR
    if side == OBSERVER and state.node == Node.TAKEN_CARD:
        out.stack[state.depth - 1].taken_card = HIDDEN


@internal(types.int64, STATE, types.int64, types.int64, types.int64, RANDOM)
def hide_among(out: State, place: int, count: int, unknown: int, random: Random) -> int:
    """Put `count` of the `unknown` cards, still in the deck, in a location; return the number of unknown cards left."""
    for _ in range(count):
        pick = below(random, unknown)
        for card in range(MAX_CARDS):
            if out.card[card] == CardIs.IN_DECK:
                if pick == 0:
                    out.card[card] = place
                    break
                pick -= 1
        unknown -= 1
    return unknown


@internal(types.int64, STATE, types.int64, RANDOM)
def some_agenda(known: State, side: int, random: Random) -> int:
    """Draw one of the agendas a side was dealt, each of its cards with equal probability."""
    copies = 0
    for agenda in range(MAX_AGENDAS):
        copies += known.agenda_dealt[side, agenda]
    pick = below(random, copies)
    agenda = 0
    while True:
        pick -= known.agenda_dealt[side, agenda]
        if pick < 0:
            return agenda
        agenda += 1


@compiled(types.void, RULES, STATE, types.int64, RANDOM, STATE)
def redeal(rules: Rules, known: State, side: int, random: Random, out: State) -> None:  # noqa: ARG001
    """Fill a side's view with a full state drawn uniformly from all that the side cannot tell apart."""
    copy_state(known, out)
    unknown = 0
    for card in range(MAX_CARDS):
        if out.card[card] == CardIs.UNKNOWN:
            out.card[card] = CardIs.IN_DECK
            unknown += 1
    for other in range(2):
        if other == side:
            continue
        unknown = hide_among(out, CardIs.IN_HAND + other, known.hand[other], unknown, random)
        if known.reason != Reason.PRESTIGE and known.reason != Reason.PERSONAL_LETTER:  # else the stack is open
            unknown = hide_among(out, CardIs.IN_AFTERMATH + other, known.aftermath[other], unknown, random)
        if known.node == Node.ALLIANCES_CARD and known.mover == other:
            unknown = hide_among(out, CardIs.DRAWN + other, 1, unknown, random)
        if known.node == Node.AGENDA:
            if known.chosen[1 - other] == NOT_CHOSEN or side == OBSERVER:
                pick = below(random, 4)
                if pick > 0:
                    out.chosen[other] = some_agenda(known, other, random)
        elif known.chosen[other] == HIDDEN:
            out.chosen[other] = some_agenda(known, other, random)
    if known.node == Node.AGENDA:
        if out.chosen[US] != NOT_CHOSEN and out.chosen[USSR] != NOT_CHOSEN:
            out.chosen[USSR] = NOT_CHOSEN  # one of the two choices is still pending
        out.mover = US if out.chosen[US] == NOT_CHOSEN else USSR
    if side == OBSERVER and known.node == Node.TAKEN_CARD:
        hide_among(out, CardIs.TAKEN, 1, unknown, random)
        for card in range(MAX_CARDS):
            if out.card[card] == CardIs.TAKEN:
                out.stack[known.depth - 1].taken_card = card


@compiled(types.int64, RULES, STATE, types.int64)
def audience(rules: Rules, state: State, action: int) -> int:  # noqa: ARG001 - the contract's signature
    """Return the viewers who may know which action is taken, as bits; others learn only that one of its kind was."""
    if Action.DRAW <= action < Action.TAKE:
        return 1 << state.drawer
    if Action.TAKE <= action < Action.KEEP_AGENDA:
        return EVERYBODY & ~(1 << OBSERVER)
    if Action.KEEP_AGENDA <= action < Action.FIRST:
        return 1 << ((action - Action.KEEP_AGENDA) // MAX_AGENDAS)
    return EVERYBODY
