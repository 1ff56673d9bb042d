"""The state of a game of 13 Minutes: one flat record of small integers, 118 bytes.

`DTYPE` lists every field with its shape and meaning. Index ranges: side 0 = US, 1 = USSR; card 0..12 in the order of
the data file; place 0..12 = that card as a battleground, place 13 = `CUBA`, the card that was dealt face down (it keeps
this place when it is turned up; ``cuba_card`` tells what is printed on it); area 0 = the US sphere, 1 = neutral,
2 = the USSR sphere, so that toward the US is one less and toward the USSR one more.

To draw the table from a view: every place whose ``area`` is not `OFF_TABLE` is a battleground in that area with
``influence[:, place]`` cubes; ``area[CUBA]`` is `OFF_TABLE` only before it is set, it lies face down while
``cuba_card`` is `NOBODY`; ``hand`` counts the cards in each hand and ``card`` tells which of them the viewer knows;
the draw pile has ``pile`` cards; ``supply`` and ``lost`` count the other cubes of each side. The card being played is
``stack[0, CARD]`` while ``depth`` is 1. After the aftermath ``card`` is `SHOWN` + holder for the two last cards; those
that join a sphere have an ``area`` then, those set aside have not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types

from brinkmanship.engine.record import blank_records
from brinkmanship.games.events.frame import FRAME

N_CARDS = 13
N_PLACES = N_CARDS + 1
CUBA = N_CARDS
"""The place of the face-down card."""

# Areas, in order of the table; also the field ``area`` of a place.
US_SPHERE = 0
NEUTRAL = 1
USSR_SPHERE = 2
OFF_TABLE = 3
N_AREAS = 3

COLOURS = ("military", "political", "world_opinion")
"""DEFCON types in the order of every array over colours: orange, green, purple; also group names of a `where`."""
MILITARY = 0
N_COLOURS = len(COLOURS)

# Where a card is. Codes with a side in them come in pairs, US first.
IN_PILE = 0  # or lying face down as Cuba: nobody can tell which, so it is drawn when it is turned up
IN_HAND = 1  # 1 US, 2 USSR
ON_TABLE = 3
IS_CUBA = 4  # turned up in scoring step 2
SHOWN = 5  # the last hand cards, from scoring step 3 on: 5 held by the US, 6 by the USSR
UNKNOWN = 7  # only in a view

# `bid` when it is no number of cubes.
NO_BID = -1

# Steps of a game: what is next when no card is in play (section 4).
SET_UP = 0
BIDS = 1
REVEAL_BIDS = 2
CHOOSE_FIRST = 3
BEGINNER = 4
TURNS = 5
SCORE_BATTLEGROUNDS = 6
TURN_UP_CUBA = 7
SCORE_MILITARY = 8
AFTERMATH = 9
CHECK_WAR = 10
COUNT_PRESTIGE = 11
FINISHED = 12

# The node: what is asked right now, of `mover`. First the steps the rules take themselves, then chance, then
# decisions; 15 to 22 are those of effects (`events.frame`).
N_SET_CUBA = 0
N_REVEAL_BIDS = 1
N_SCORE_BATTLEGROUNDS = 2
N_SCORE_MILITARY = 3
N_AFTERMATH = 4
N_CHECK_WAR = 5
N_COUNT_PRESTIGE = 6
N_DRAW_CARD = 7
N_TURN_UP_CUBA = 8
N_COIN = 9
N_BID = 10
N_FIRST = 11
N_PLAY = 12
N_USE = 13
N_OFFER = 14
N_MOVE = 23
N_OVER = 24

LAST_STEP_OF_RULES = N_COUNT_PRESTIGE
LAST_OF_CHANCE = N_COIN

# Columns of `score`: what gave Prestige.
BY_BATTLEGROUNDS = 0
BY_MILITARY = 1
BY_AFTERMATH = 2
SCORES = 3

# Why a game ended.
NOT_OVER = 0
BY_PRESTIGE = 1
BY_TIEBREAK = 2
DRAW = 3
BY_NUCLEAR_WAR = 4
BY_DOUBLE_WAR = 5
REASONS = ("not_over", "prestige", "tiebreak", "draw", "nuclear", "double_nuclear")

DTYPE = np.dtype(
    [
        ("influence", np.int8, (2, N_PLACES)),  # cubes of a side on a battleground
        ("area", np.int8, N_PLACES),  # US_SPHERE, NEUTRAL, USSR_SPHERE or OFF_TABLE
        ("card", np.int8, N_CARDS),  # where a card is: IN_PILE .. UNKNOWN
        ("cuba_card", np.int8),  # card that was turned up as Cuba, NOBODY before
        ("hand", np.int8, 2),  # cards in a side's hand
        ("pile", np.int8),  # cards in the draw pile
        ("supply", np.int8, 2),  # cubes of a side that it can still place
        ("lost", np.int8, 2),  # cubes of a side out of the game: its bid, or the one of the beginner variant
        ("bid", np.int8, 2),  # cubes a side bids, NO_BID before and after (or not to be known in a view)
        ("ties", np.int16),  # equal bids so far
        ("first", np.int8),  # side that has turn 1, NOBODY before it is known
        ("bidder", np.int8),  # side with the higher bid, NOBODY before and in the beginner variant
        ("turn", np.int8),  # cards played by both sides together, 0..10
        ("score", np.int8, (2, SCORES)),  # Prestige of a side by what gave it; see the columns above
        ("step", np.int8),  # SET_UP .. FINISHED
        ("node", np.int8),  # what is asked now: N_SET_CUBA .. N_OVER
        ("mover", np.int8),  # who is asked: US, USSR, CHANCE, OVER
        ("drawer", np.int8),  # side a card is being drawn for, else NOBODY
        ("winner", np.int8),  # side, or NOBODY
        ("reason", np.int8),  # NOT_OVER .. BY_DOUBLE_WAR
        ("depth", np.int8),  # 1 while a card is in play, else 0
        ("stack", np.int16, (1, FRAME)),  # the card in play; columns in `events.frame`
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
