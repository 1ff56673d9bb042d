"""The card in play, as both games keep it in their state: a frame, that is a row of the field ``stack``.

Index ranges: side 0 = US, 1 = USSR. Numbers here are part of stored states; new ones are added, none is changed.
"""

from __future__ import annotations

from typing import Any

from numba import types

US = 0
USSR = 1
UN = 2
"""The side of a strategy card that belongs to nobody."""
NOBODY = -1

# Columns of a frame.
CARD = 0
PLAYER = 1  # side that played the card
MODE = 2  # AS_EVENT or AS_COMMAND
LETTER = 3  # 13 Days: 1 while the Personal Letter is added to the Command of this card
STEP = 4  # of the turn: T_TRIGGER .. T_CLEAN_UP
ACTOR = 5  # side that carries the event out
EFFECT = 6  # index of the effect in progress, NOBODY when the event is over
STAGE = 7  # within the effect: STARTS .. ENDS
LEFT = 8  # cubes, tracks, battlegrounds or cards the effect still has to give
COUNT = 9  # cubes, tracks or battlegrounds moved, cards discarded so far in this effect
TOUCHED = 10  # bits: battlegrounds or tracks already used by this effect
QUALIFIED = 11  # bits: battlegrounds or tracks the effect may use, fixed when it starts (R42, Q27)
MOVED = 12  # 13 Days: steps the last shift really moved (R38)
CONDITIONS = 13  # bits: effects of this event whose `if` held when the event started (R43)
TAKEN_CARD = 14  # 13 Days: the card Intelligence Reports took, NOBODY before
CHOOSER = 15  # side that makes the choices of the effect in progress
OWNER = 16  # side whose cubes, markers, sphere or hand it is about
FRAME = 17

AS_EVENT = 0
AS_COMMAND = 1

# Steps of a turn, in STEP.
T_TRIGGER = 0
T_EVENT = 1
T_COMMAND = 2
T_CLEAN_UP = 3

# Stages of an effect, in STAGE.
STARTS = 0
ASKS = 1
PUTS = 2  # relocate: the cubes taken are put down
DRAWS = 3  # 13 Days: cards come from the deck
TAKES = 4  # 13 Days: a random card is about to be taken
HAS_TAKEN = 5  # 13 Days: the taken card is to be played or discarded
PLAYS_TAKEN = 6  # 13 Days: it lies on the stack above this frame
ENDS = 7
MOVES = 8  # 13 Minutes: the battleground of movement = "choose" is to move

# Nodes that effects ask at, in the field ``node`` of both states; each game numbers its others around them.
N_PLACE = 15
N_REMOVE = 16
N_TAKE_CUBES = 17
N_PUT_CUBES = 18
N_CHOOSE = 20
N_COMMAND = 22  # of a card, or granted by an event

FRAME_TYPE = types.Array(types.int16, 1, "C")
LEGAL = types.Array(types.int16, 1, "C")

Frame = Any
"""A row of the stack, int16[FRAME]."""
Legal = Any
"""Where legal actions are written, int16[MAX_LEGAL]."""
