"""The state of a game of 13 Days: one flat record of small integers.

`DTYPE` lists every field with its shape and meaning. Index ranges: side 0 = US, 1 = USSR; track, place, card and
agenda as in the data file (`data.TRACKS`, `data.BATTLEGROUNDS`). The supply of a side is its cubes off the board.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types

from brinkmanship.engine.record import blank_records
from brinkmanship.games.cuban.frame import FRAME_DTYPE, EventNode
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, MAX_AGENDAS, MAX_CARDS, MAX_TAKE_CARDS, TRACKS

N_TRACKS = len(TRACKS)
N_PLACES = len(BATTLEGROUNDS)
ALL_PLACES = (1 << N_PLACES) - 1
"""Every battleground, as bits."""

NOT_CHOSEN = -1
"""`chosen` when no agenda has been chosen."""
HIDDEN = -2
"""`chosen` when the viewer of a view does not know the agenda; also for a taken card."""


class CardIs(IntEnum):
    """Location of a strategy card. Those with a side to add come in pairs, US first."""

    IN_DECK = 0
    IN_HAND = 1  # + side
    DISCARDED = 3
    IN_AFTERMATH = 4  # + side that put it there; face down
    IN_PLAY = 6
    TAKEN = 7  # by Intelligence Reports: both sides have seen it, an onlooker has not (R35)
    DRAWN = 8  # + side that drew it for Alliances, before it is put away
    REVEALED = 10  # the aftermath stack, turned up at the end
    UNKNOWN = 11  # only in a view
    ABSENT = 12  # the data file has no card with this index


class Node(IntEnum):
    """Current node of the game: the question to `mover`, or the next automatic step of the rules."""

    # Steps the rules take themselves.
    ESCALATE = 0
    SAVE_AFTERMATH = 1
    UNITED_NATIONS = 2
    RESOLVE_AGENDAS = 3
    CHECK_WAR = 4
    ADVANCE = 5
    COUNT_AFTERMATH = 6
    # Chance.
    DEAL_AGENDA = 7
    DRAW_CARD = 8
    RANDOM_CARD = 9
    DRAW_FOR_ALLIANCES = 10
    # Decisions.
    AGENDA = 11  # D1
    FIRST = 12  # D2
    PLAY = 13  # D3
    TRIGGER = 14  # D4
    PLACE = EventNode.PLACE  # D5, as all to EXCHANGE
    REMOVE = EventNode.REMOVE
    TAKE_CUBES = EventNode.TAKE_CUBES
    PUT_CUBES = EventNode.PUT_CUBES
    SHIFT = 19
    CHOOSE = EventNode.CHOOSE
    EXCHANGE = 21
    COMMAND = EventNode.COMMAND  # D6
    TAKEN_CARD = 23  # D7
    TELEVISION = 24  # D8
    ALLIANCES = 25  # D9
    ALLIANCES_CARD = 26  # D10
    OVER = 27


LAST_STEP_OF_RULES = Node.COUNT_AFTERMATH
FIRST_DECISION = Node.AGENDA

DEPTH = 1 + MAX_TAKE_CARDS
"""Frames of the stack of cards in play."""


class Reason(IntEnum):
    """Reason of the end of a game."""

    NOT_OVER = 0
    PRESTIGE = 1
    PERSONAL_LETTER = 2
    NUCLEAR_WAR = 3
    MUTUAL_WAR = 4


REASONS = ("not_over", "prestige", "personal_letter", "nuclear_war", "mutual_nuclear_war")
"""Ids of the reasons in texts and records."""

DTYPE = np.dtype(
    [
        ("influence", np.int8, (2, N_PLACES)),  # cubes of a side on a battleground
        ("defcon", np.int8, (2, N_TRACKS)),  # step of a side's marker on a track, from 1
        ("prestige", np.int8),  # > 0: the US leads by so many, < 0: the USSR
        ("letter", np.int8),  # side that holds the Personal Letter
        ("modifier", np.int8, 2),  # cubes every Command of a side is worth more, this round (R29)
        ("least", np.int8, 2),  # and at least this many: To the Brink (R27)
        ("ban", np.int8, 2),  # 1: events the side plays do not lower its markers, this round (R32)
        ("round_number", np.int8),  # 1..rounds
        ("turn", np.int8),  # cards played this round by both sides together
        ("first", np.int8),  # side that plays first this round
        ("node", np.int8),  # what is asked now: Node
        ("mover", np.int8),  # who is asked: US, USSR, CHANCE, OVER
        ("drawer", np.int8),  # side a card or agenda is being drawn for, else NOBODY
        ("winner", np.int8),  # side, or NOBODY
        ("reason", np.int8),  # Reason
        ("depth", np.int8),  # cards in play: frames of `stack` in use
        ("chosen", np.int8, 2),  # agenda a side kept this round, NOT_CHOSEN, or HIDDEN in a view
        ("dealt", np.int8, 2),  # agendas a side was dealt this round
        ("agenda_dealt", np.int8, (2, MAX_AGENDAS)),  # copies a side was dealt: its flags, public until step 6
        ("agenda_used", np.int8, MAX_AGENDAS),  # copies out of the game, face up
        ("hand", np.int8, 2),  # cards in a side's hand
        ("aftermath", np.int8, 2),  # cards a side put on the aftermath stack
        ("deck", np.int8),  # cards in the deck
        ("discard", np.int8),  # cards in the discard pile, face up
        ("card", np.int8, MAX_CARDS),  # CardIs
        ("stack", FRAME_DTYPE, DEPTH),  # cards in play, the innermost last
    ],
    align=True,
)

STATE = from_dtype(DTYPE)
STATES = types.Array(STATE, 1, "C")

State = Any
"""A `Record` of `DTYPE`. In compiled code a Numba record."""


def new_states(count: int) -> npt.NDArray[Any]:
    """Return an array of `count` blank states, to be filled by `flow.start`."""
    return blank_records(count, DTYPE)
