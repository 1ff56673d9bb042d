"""The card in play, in the state of both games: a frame, one record of the field ``stack``.

Index ranges: side 0 = US, 1 = USSR. Numbers here are part of stored states; new ones may be added, none may change.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from numba import from_dtype, types

from brinkmanship.engine.record import blank_records, row_dtype

US = 0
USSR = 1
UN = 2
"""The side of a strategy card that belongs to neither side."""
NOBODY = -1


class Mode(IntEnum):
    """Mode in which a card is played."""

    EVENT = 0
    COMMAND = 1
    COMMAND_WITH_LETTER = 2  # 13 Days; not in a frame, which has `letter`


class TurnStep(IntEnum):
    """Progress of the turn of a card."""

    TRIGGER = 0
    EVENT = 1
    COMMAND = 2
    CLEAN_UP = 3


class Stage(IntEnum):
    """Progress of an effect."""

    STARTS = 0
    ASKS = 1
    PUTS = 2  # relocate: the cubes taken are put down
    DRAWS = 3  # 13 Days: cards come from the deck
    TAKES = 4  # 13 Days: a random card is about to be taken
    HAS_TAKEN = 5  # 13 Days: the taken card is to be played or discarded
    PLAYS_TAKEN = 6  # 13 Days: it lies on the stack above this frame
    ENDS = 7
    MOVES = 8  # 13 Minutes: the battleground of movement = "choose" is to move


class EventNode(IntEnum):
    """Questions of effects in both games: part of the `Node` of each."""

    PLACE = 15
    REMOVE = 16
    TAKE_CUBES = 17
    PUT_CUBES = 18
    CHOOSE = 20
    COMMAND = 22  # of a card, or granted by an event


@dataclass(slots=True)
class Frame:
    """A card in play and its progress. In a state it is a record of these fields, all int16."""

    card: int
    player: int  # side that played the card
    mode: int  # Mode.EVENT or Mode.COMMAND
    letter: int  # 13 Days: 1 while the Personal Letter is added to the Command of this card
    step: int  # TurnStep
    actor: int  # side that carries the event out
    effect: int  # row of the effect in progress, NOBODY when the event is over
    stage: int  # Stage of that effect
    left: int  # cubes, tracks, battlegrounds or cards the effect still has to give
    count: int  # cubes, tracks or battlegrounds moved, cards discarded so far in this effect
    touched: int  # bits: battlegrounds or tracks already used by this effect
    qualified: int  # bits: battlegrounds or tracks the effect may use, fixed when it starts (R42, Q27)
    moved: int  # 13 Days: steps the last shift really moved (R38)
    conditions: int  # bits: effects of this event whose `if` held when the event started (R43)
    taken_card: int  # 13 Days: the card Intelligence Reports took, NOBODY before
    chooser: int  # side that makes the choices of the effect in progress
    owner: int  # side whose cubes, markers, sphere or hand it is about


FRAME_DTYPE = row_dtype(Frame)
FRAME = from_dtype(FRAME_DTYPE)
UNUSED = blank_records(1, FRAME_DTYPE)
"""The contents of an unused frame of the stack, in an array of one."""
LEGAL = types.Array(types.int16, 1, "C")

Legal = Any
"""Output buffer for legal actions, int16[MAX_LEGAL]."""
