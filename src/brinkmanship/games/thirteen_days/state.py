"""The state of a game of 13 Days: one flat record of small integers.

`DTYPE` lists every field with its shape and meaning. Index ranges: side 0 = US, 1 = USSR; track, place, card and
agenda as in the data file (`data.TRACKS`, `data.BATTLEGROUNDS`). The supply of a side is what is not on the board.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types

from brinkmanship.engine.record import blank_records
from brinkmanship.games.events.frame import FRAME
from brinkmanship.games.thirteen_days.data import BATTLEGROUNDS, MAX_AGENDAS, MAX_CARDS, MAX_TAKE_CARDS, TRACKS

N_TRACKS = len(TRACKS)
N_PLACES = len(BATTLEGROUNDS)
ALL_PLACES = (1 << N_PLACES) - 1
"""Every battleground, as bits."""

# Where a strategy card is. Codes with a side in them come in pairs, US first.
IN_DECK = 0
IN_HAND = 1  # 1 US, 2 USSR
DISCARDED = 3
IN_AFTERMATH = 4  # 4 put there by the US, 5 by the USSR; face down
IN_PLAY = 6
TAKEN = 7  # by Intelligence Reports: both sides have seen it, an onlooker has not (R35)
DRAWN = 8  # 8 by the US, 9 by the USSR, for Alliances, before it is put away
REVEALED = 10  # the aftermath stack, turned up at the end
UNKNOWN = 11  # only in a view
ABSENT = 12  # the data file has no card with this index

# `chosen` when it is no agenda.
NOT_CHOSEN = -1
HIDDEN = -2

# Steps of a round: what is next when no card is in play (section 2.1).
ESCALATE = 0
DEAL_AGENDAS = 1
PICK_AGENDAS = 2
DRAW_HANDS = 3
CHOOSE_FIRST = 4
TURNS = 5
SAVE_AFTERMATH = 6
BONUS_TELEVISION = 7
BONUS_UNITED_NATIONS = 8
BONUS_ALLIANCES = 9
RESOLVE_AGENDAS = 10
CHECK_WAR = 11
ADVANCE = 12
COUNT_AFTERMATH = 13
FINISHED = 14

# The node: what is asked right now, of `mover`. First the steps the rules take themselves, then chance, then decisions;
# 15 to 22 are D5 and D6, those of effects (`events.frame`) and two of this game's own.
N_ESCALATE = 0
N_SAVE_AFTERMATH = 1
N_UNITED_NATIONS = 2
N_RESOLVE_AGENDAS = 3
N_CHECK_WAR = 4
N_ADVANCE = 5
N_COUNT_AFTERMATH = 6
N_DEAL_AGENDA = 7
N_DRAW_CARD = 8
N_RANDOM_CARD = 9
N_DRAW_FOR_ALLIANCES = 10
N_AGENDA = 11  # D1
N_FIRST = 12  # D2
N_PLAY = 13  # D3
N_TRIGGER = 14  # D4
N_SHIFT = 19
N_EXCHANGE = 21
N_TAKEN_CARD = 23  # D7
N_TELEVISION = 24  # D8
N_ALLIANCES = 25  # D9
N_ALLIANCES_CARD = 26  # D10
N_OVER = 27

LAST_STEP_OF_RULES = N_COUNT_AFTERMATH
FIRST_DECISION = N_AGENDA

DEPTH = 1 + MAX_TAKE_CARDS
"""Rows of the stack of cards in play; the columns are those of `events.frame`."""

AS_COMMAND_WITH_LETTER = 2
"""A way to play a card beside AS_EVENT and AS_COMMAND; not in a frame, which has the letter in a column of its own."""

# Why a game ended.
NOT_OVER = 0
BY_PRESTIGE = 1
BY_PERSONAL_LETTER = 2
BY_NUCLEAR_WAR = 3
BY_MUTUAL_WAR = 4
REASONS = ("not_over", "prestige", "personal_letter", "nuclear_war", "mutual_nuclear_war")

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
        ("step", np.int8),  # of the round: ESCALATE .. FINISHED
        ("node", np.int8),  # what is asked now: N_ESCALATE .. N_OVER
        ("mover", np.int8),  # who is asked: US, USSR, CHANCE, OVER
        ("drawer", np.int8),  # side a card or agenda is being drawn for, else NOBODY
        ("winner", np.int8),  # side, or NOBODY
        ("reason", np.int8),  # NOT_OVER .. BY_MUTUAL_WAR
        ("depth", np.int8),  # cards in play: rows of `stack` in use
        ("chosen", np.int8, 2),  # agenda a side kept this round, NOT_CHOSEN, or HIDDEN in a view
        ("dealt", np.int8, 2),  # agendas a side was dealt this round
        ("agenda_dealt", np.int8, (2, MAX_AGENDAS)),  # copies a side was dealt: its flags, public until step 6
        ("agenda_used", np.int8, MAX_AGENDAS),  # copies out of the game, face up
        ("hand", np.int8, 2),  # cards in a side's hand
        ("aftermath", np.int8, 2),  # cards a side put on the aftermath stack
        ("deck", np.int8),  # cards in the deck
        ("discard", np.int8),  # cards in the discard pile, face up
        ("card", np.int8, MAX_CARDS),  # where a strategy card is: IN_DECK .. ABSENT
        ("stack", np.int16, (DEPTH, FRAME)),  # cards in play, the innermost last; see the columns in `events.frame`
    ],
    align=True,
)

STATE = from_dtype(DTYPE)
STATES = types.Array(STATE, 1, "C")

State = Any
"""A `Record` of `DTYPE`. In compiled code a Numba record."""


def new_states(count: int) -> npt.NDArray[Any]:
    """An array of `count` blank states, to be filled by `flow.start`."""
    return blank_records(count, DTYPE)
