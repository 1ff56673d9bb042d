"""The state of a game of 13 Minutes: one flat record of small integers, 118 bytes.

`DTYPE` lists every field with its shape and meaning. Index ranges: side 0 = US, 1 = USSR; card 0..12 in the order of
the data file; place 0..12 = that card as a battleground, place 13 = `CUBA`, the card that was dealt face down (it keeps
this place when it is turned up; ``cuba_card`` tells what is printed on it); area 0 = the US sphere, 1 = neutral,
2 = the USSR sphere, so that toward the US is one less and toward the USSR one more.

To draw the table from a view: every place whose ``area`` is not `Area.OFF_TABLE` is a battleground in that area with
``influence[:, place]`` cubes; ``area[CUBA]`` is `Area.OFF_TABLE` only before it is set, it lies face down while
``cuba_card`` is `NOBODY`; ``hand`` counts the cards in each hand and ``card`` tells which of them the viewer knows;
the draw pile has ``pile`` cards; ``supply`` and ``lost`` count the other cubes of each side. The card being played is
``stack[0].card`` while ``depth`` is 1. After the aftermath ``card`` is `CardIs.SHOWN` + holder for the two last cards;
those that join a sphere have an ``area`` then, those set aside have not.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types

from brinkmanship.engine.record import blank_records
from brinkmanship.games.cuban.frame import FRAME_DTYPE, EventNode

N_CARDS = 13
N_PLACES = N_CARDS + 1
CUBA = N_CARDS
"""The place of the face-down card."""

COLOURS = ("military", "political", "world_opinion")
"""DEFCON types in the order of every array over colours: orange, green, purple; also group names of a `where`."""
MILITARY = 0
N_COLOURS = len(COLOURS)

NO_BID = -1
"""Value of `bid` if there is no bid."""


class Area(IntEnum):
    """The areas in order of the table, or none: the field ``area`` of a place."""

    US_SPHERE = 0
    NEUTRAL = 1
    USSR_SPHERE = 2
    OFF_TABLE = 3


N_AREAS = 3


class CardIs(IntEnum):
    """Location of a card. Values to which a side is added come in pairs, US first."""

    IN_PILE = 0  # or lying face down as Cuba: nobody can tell which, so it is drawn when it is turned up
    IN_HAND = 1  # + side
    ON_TABLE = 3
    CUBA = 4  # turned up in scoring step 2
    SHOWN = 5  # + side: the last hand cards, from scoring step 3 on
    UNKNOWN = 7  # only in a view


class Node(IntEnum):
    """The current node of the game: the question asked of `mover`, or the step the rules take next."""

    # Steps the rules take themselves.
    SET_CUBA = 0
    REVEAL_BIDS = 1
    SCORE_BATTLEGROUNDS = 2
    SCORE_MILITARY = 3
    AFTERMATH = 4
    CHECK_WAR = 5
    COUNT_PRESTIGE = 6
    # Chance.
    DRAW_CARD = 7
    TURN_UP_CUBA = 8
    COIN = 9
    # Decisions.
    BID = 10
    FIRST = 11
    PLAY = 12
    USE = 13
    OFFER = 14
    PLACE = EventNode.PLACE
    REMOVE = EventNode.REMOVE
    TAKE_CUBES = EventNode.TAKE_CUBES
    PUT_CUBES = EventNode.PUT_CUBES
    CHOOSE = EventNode.CHOOSE
    COMMAND = EventNode.COMMAND
    MOVE = 23
    OVER = 24


LAST_STEP_OF_RULES = Node.COUNT_PRESTIGE
LAST_OF_CHANCE = Node.COIN


class Score(IntEnum):
    """Columns of `score`: Prestige by source."""

    BATTLEGROUNDS = 0
    MILITARY = 1
    AFTERMATH = 2


class Reason(IntEnum):
    """Reason why a game ended."""

    NOT_OVER = 0
    PRESTIGE = 1
    TIEBREAK = 2
    DRAW = 3
    NUCLEAR_WAR = 4
    DOUBLE_WAR = 5


REASONS = ("not_over", "prestige", "tiebreak", "draw", "nuclear", "double_nuclear")
"""Names of the reasons in texts and records."""

DTYPE = np.dtype(
    [
        ("influence", np.int8, (2, N_PLACES)),  # cubes of a side on a battleground
        ("area", np.int8, N_PLACES),  # Area
        ("card", np.int8, N_CARDS),  # CardIs
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
        ("score", np.int8, (2, len(Score))),  # Prestige of a side by what gave it: Score
        ("node", np.int8),  # what is asked now: Node
        ("mover", np.int8),  # who is asked: US, USSR, CHANCE, OVER
        ("drawer", np.int8),  # side a card is being drawn for, else NOBODY
        ("winner", np.int8),  # side, or NOBODY
        ("reason", np.int8),  # Reason
        ("depth", np.int8),  # 1 while a card is in play, else 0
        ("stack", FRAME_DTYPE, 1),  # the card in play
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
