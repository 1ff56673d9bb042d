"""What each side knows (section 6), and the positions it cannot tell apart.

Knowledge follows from where a card is: a side knows its own hand, what it put on the aftermath stack itself, what it
drew for Alliances, and everything face up; both sides, but no onlooker, know a card taken by Intelligence Reports.
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.compile import compiled, internal
from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.events.frame import FRAME, TAKEN_CARD, US, USSR
from brinkmanship.games.thirteen_days.actions import (
    DRAW,
    FIRST,
    KEEP_AGENDA,
    TAKE,
)
from brinkmanship.games.thirteen_days.data import MAX_AGENDAS, MAX_CARDS
from brinkmanship.games.thirteen_days.state import (
    BY_PERSONAL_LETTER,
    BY_PRESTIGE,
    DEPTH,
    DRAWN,
    HIDDEN,
    IN_AFTERMATH,
    IN_DECK,
    IN_HAND,
    N_AGENDA,
    N_ALLIANCES_CARD,
    N_PLACES,
    N_TAKEN_CARD,
    N_TRACKS,
    NOT_CHOSEN,
    STATE,
    TAKEN,
    UNKNOWN,
    State,
)
from brinkmanship.games.thirteen_days.tables import RULES, Rules

EVERYBODY = 0b111
"""Audience of an action as bits: US, USSR, OBSERVER."""


@internal(types.boolean, types.int64, types.int64)
def knows(side: int, place: int) -> bool:
    """Whether a side knows a card that is in this place (IN_DECK .. ABSENT)."""
    if place == IN_DECK:
        return False
    if place in (IN_HAND, IN_AFTERMATH, DRAWN):
        return side == US
    if place in (IN_HAND + 1, IN_AFTERMATH + 1, DRAWN + 1):
        return side == USSR
    if place == TAKEN:
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
        for column in range(FRAME):
            out.stack[depth, column] = state.stack[depth, column]
    out.prestige = state.prestige
    out.letter = state.letter
    out.round_number = state.round_number
    out.turn = state.turn
    out.first = state.first
    out.step = state.step
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
    """Copy to `out` what a side (0, 1, or OBSERVER) knows; the rest is UNKNOWN or HIDDEN."""
    copy_state(state, out)
    for card in range(MAX_CARDS):
        if not knows(side, state.card[card]):
            out.card[card] = UNKNOWN
    for other in range(2):
        if other == side:
            continue
        if state.node == N_AGENDA:
            out.chosen[other] = NOT_CHOSEN  # nor whether it has chosen yet
        elif state.chosen[other] != NOT_CHOSEN:
            out.chosen[other] = HIDDEN
    if state.node == N_AGENDA:
        out.mover = US if out.chosen[US] == NOT_CHOSEN else USSR
    if side == OBSERVER and state.node == N_TAKEN_CARD:
        out.stack[state.depth - 1, TAKEN_CARD] = HIDDEN


@internal(types.int64, STATE, types.int64, types.int64, types.int64, RANDOM)
def hide_among(out: State, place: int, count: int, unknown: int, random: Random) -> int:
    """Put `count` of the `unknown` cards, still lying in the deck, in a place; returns how many are left there."""
    for _ in range(count):
        pick = below(random, unknown)
        for card in range(MAX_CARDS):
            if out.card[card] == IN_DECK:
                if pick == 0:
                    out.card[card] = place
                    break
                pick -= 1
        unknown -= 1
    return unknown


@internal(types.int64, STATE, types.int64, RANDOM)
def some_agenda(known: State, side: int, random: Random) -> int:
    """One of the agendas a side was dealt, each of its cards as likely."""
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
    """Fill a side's view with a full state drawn evenly from all that the side cannot tell apart."""
    copy_state(known, out)
    unknown = 0
    for card in range(MAX_CARDS):
        if out.card[card] == UNKNOWN:
            out.card[card] = IN_DECK
            unknown += 1
    for other in range(2):
        if other == side:
            continue
        unknown = hide_among(out, IN_HAND + other, known.hand[other], unknown, random)
        if known.reason != BY_PRESTIGE and known.reason != BY_PERSONAL_LETTER:  # else the stack is open
            unknown = hide_among(out, IN_AFTERMATH + other, known.aftermath[other], unknown, random)
        if known.node == N_ALLIANCES_CARD and known.mover == other:
            unknown = hide_among(out, DRAWN + other, 1, unknown, random)
        if known.node == N_AGENDA:
            if known.chosen[1 - other] == NOT_CHOSEN or side == OBSERVER:
                pick = below(random, 4)
                if pick > 0:
                    out.chosen[other] = some_agenda(known, other, random)
        elif known.chosen[other] == HIDDEN:
            out.chosen[other] = some_agenda(known, other, random)
    if known.node == N_AGENDA:
        if out.chosen[US] != NOT_CHOSEN and out.chosen[USSR] != NOT_CHOSEN:
            out.chosen[USSR] = NOT_CHOSEN  # one of them is still awaited
        out.mover = US if out.chosen[US] == NOT_CHOSEN else USSR
    if side == OBSERVER and known.node == N_TAKEN_CARD:
        hide_among(out, TAKEN, 1, unknown, random)
        for card in range(MAX_CARDS):
            if out.card[card] == TAKEN:
                out.stack[known.depth - 1, TAKEN_CARD] = card


@compiled(types.int64, RULES, STATE, types.int64)
def audience(rules: Rules, state: State, action: int) -> int:  # noqa: ARG001 - the contract's signature
    """Who may know which action is taken here, as bits; others learn only that one of its kind was."""
    if DRAW <= action < TAKE:
        return 1 << state.drawer
    if TAKE <= action < KEEP_AGENDA:
        return EVERYBODY & ~(1 << OBSERVER)
    if KEEP_AGENDA <= action < FIRST:
        return 1 << ((action - KEEP_AGENDA) // MAX_AGENDAS)
    return EVERYBODY
