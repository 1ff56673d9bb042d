"""The state of a game of Ukrainian Crisis: one flat record of small integers.

`DTYPE` lists every field with its shape and meaning. Index ranges: side 0 = Ukraine, 1 = Russia; country, area and
event as in `names`; zone and unit type as in the scenario file.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numba import from_dtype, types

from brinkmanship.games.ukrainian_crisis.rules.data import MAX_UNITS, MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, N_COUNTRIES, N_EVENTS, N_RANKS, ids


class Place(IntEnum):
    """Place of a unit outside the zones: one of its owner's two boxes, or not in this scenario."""

    NOWHERE = -1
    RESERVE = MAX_ZONES
    MOBILISATION = MAX_ZONES + 1


N_PLACES = MAX_ZONES + 2


class Mark(IntEnum):
    """The lowest bits of an entry of `unit`."""

    NEUTRALISED = 1
    ACTED = 2  # moved or recovered in this half
    RELOCATED = 4  # sent back to Mobilisation in this Turn (6.13)


# An entry of `unit`: place * PLACE + group * GROUP + marks. Units of a type stand in rising order of these numbers, so
# that equal positions are equal records.
GROUP = 8  # times the combat group, from 1, or the attempts that aim at the unit, as bits
PLACE = 256
MAX_GROUPS = PLACE // GROUP - 1


class EventPlace(IntEnum):
    """Place of an Event Card. Values for a side are those of Ukraine; add the side."""

    IN_DECK = 0
    HELD = 1
    DRAWN_IMMEDIATE = 3  # open, and to be resolved
    DISCARDED = 5
    UNKNOWN = 6  # only in a view


class Square(IntEnum):
    """Value of a square of the card matrix without a known card; ranks of cards are counted from 1."""

    HIDDEN = -1  # only in a view
    EMPTY = 0


class TurnType(IntEnum):
    """Values of a declaration, and the type of the Turn."""

    NOT_YET = -1
    STRATEGIC = 0
    COMBAT = 1


class Step(IntEnum):
    """Step of the Turn: the next one once no task is on the stack (section 3.1)."""

    EVENT_DRAW = 0  # S1
    WINDOW_1 = 1  # S2
    ALLY_RP = 2  # S3
    DEAL = 3  # cards drawn at random, only with options (R1, R46)
    PLACEMENT = 4  # S4
    DECLARATION = 5  # S5
    CEASEFIRE_OPTION = 6  # S6
    TYPE_FIXED = 7  # S8
    WINDOW_2 = 8
    KEPT_DIPLOMACY = 9  # option of R9
    ORDER = 10  # S9
    RESOLVE_AREAS = 11  # S10-S12
    OPERATIONS = 12  # S13
    WINDOW_5 = 13  # S14
    FINAL_CHECK = 14  # S15
    FINAL_INCOME = 15  # S16
    GAME_END = 16  # S17


class Node(IntEnum):
    """The current question, asked of `mover` by the Turn's step or the innermost task.

    First come the steps the rules take themselves, then chance, then decisions. A step is not a node: within one step
    and its tasks there are many questions, and afterwards the Turn continues from that step.
    """

    RESHUFFLE = 0
    ALLY_RP = 1
    REVEAL = 2
    COMPARE = 3
    TYPE = 4
    CHECK = 5
    INCOME = 6
    DRAW_EVENT = 7
    DEAL_CARD = 8
    ROLL = 9  # a resource roll on the row of `drawer`'s card
    DIE = 10
    DICE_SUM = 11
    HITS = 12
    ANY_ZONE = 13
    PLACE = 14
    DECLARE = 15
    CEASEFIRE = 16
    WINDOW = 17
    ORDER = 18
    WHO_FIRST = 19
    MILITARY = 20
    DEPLOY_TO = 21
    DIPLOMATIC = 22
    PAY_RP = 23
    PAY_PRESTIGE = 24
    INFORMATION = 25
    ADD_ALLIES = 26
    TARGETS = 27
    OPERATE = 28
    MOVE_TO = 29
    ATTACK = 30
    ATTACKERS = 31
    DEFENDERS = 32
    FIGHT = 33
    HIT = 34
    EVENT_ZONE = 35
    EVENT_COUNTRY = 36
    EVENT_UNIT = 37
    CRITICAL_ZONE = 38
    OVER = 39


LAST_STEP_OF_RULES = Node.INCOME


class Task(IntEnum):
    """Tasks in progress; a window, an event and a critical event happen inside other tasks or between the steps."""

    NONE = 0
    WINDOW = 1
    EVENT = 2
    CRITICAL = 3
    CEASEFIRE = 4
    AREA = 5
    MILITARY = 6
    DIPLOMATIC = 7
    INFORMATION = 8
    HALF = 9
    BATTLE = 10
    FIGHT = 11


class Level(IntEnum):
    """Level of the victory, or other end of a game."""

    NOT_OVER = 0
    DRAW = 1
    INCONCLUSIVE = 2
    TACTICAL = 3
    DECISIVE = 4


REASONS = ids(Level)

DEPTH = 6
"""Maximum number of nested tasks."""

FRAME_DTYPE = np.dtype(
    [
        ("task", np.int8),
        ("side", np.int8),  # whose task it is: who speaks, acts, attacks, holds the event
        ("stage", np.int8),  # how far it is; each task lists its own stages
        ("passes", np.int8),  # WINDOW: in succession
        ("event", np.int8),  # EVENT
        ("units", np.int8),  # EVENT: how many units it may still move
        ("doubles", np.int8),  # CRITICAL: 1 to 6
        ("detente", np.int8),  # CEASEFIRE: 1 where one waits for the comparison (R19)
        ("allies", np.int8),  # CEASEFIRE, INFORMATION: the allies' points added
        ("country", np.int8),  # DIPLOMATIC: whose marker is to be moved
        ("box", np.int8),  # DIPLOMATIC: where to
        ("inform", np.int8),  # INFORMATION: the action chosen
        ("results", np.int8, 2),  # INFORMATION: of the first and the second roll
        ("targets", np.int8),  # INFORMATION: units named
        ("attempts", np.int8),  # INFORMATION: how many of them have been tried
        ("zone", np.int8),  # BATTLE, FIGHT
        ("group", np.int8),  # BATTLE: the last group that is complete; FIGHT: the one that fights; from 1
        ("attackers", np.int8),  # BATTLE: units in the group being named
        ("defenders", np.int8),  # BATTLE: and in its target group
        ("combat", np.int8),  # FIGHT: its type
        ("regulars", np.int8),  # FIGHT: 1 where the attacking group began it as Regular; losses could change that
        ("rp", np.int16),  # DIPLOMATIC: Resource Points paid
        ("prestige", np.int16),  # DIPLOMATIC: Prestige paid
        ("picked", np.int16),  # EVENT, MILITARY, HALF: the unit that was picked, as `action_numbers.stack_of`
        ("dice", np.int16),  # FIGHT: still to be rolled
        ("hits", np.int16, 2),  # FIGHT: scored by each side, and not carried out yet
        ("losses", np.int16, 2),  # FIGHT: Prestige that each side will lose
    ],
    align=True,
)
"""A task in progress. Each task uses the fields that name it, and leaves the others 0."""

DTYPE = np.dtype(
    [
        ("zones_attacked", np.int32),  # bits: zones attacked in this half (R41)
        ("union", np.int32),  # bits: zones that Union with Russia took (R22)
        ("opened", np.int32),  # bits: neutral states opened by their event
        ("prestige", np.int16, 2),
        ("vp", np.int16, 2),  # Victory Points, once the game is over
        ("rp", np.int16, 2),  # Resource Points of this area or half: what the card has brought
        ("bonus", np.int16, 2),  # Resource Points of Rally for the Motherland! (R34)
        ("ally_rp", np.int16),  # unspent Resource Points of the allies (5.3)
        ("unit", np.int16, MAX_UNITS),  # place, group and marks of each counter, `Place.NOWHERE` where there is none
        ("stack", FRAME_DTYPE, DEPTH),  # tasks in progress, the innermost last
        ("box", np.int8, N_COUNTRIES),  # a `Box` of the relations track
        ("event", np.int8, N_EVENTS),  # where each card is, an `EventPlace`
        ("held", np.int8, 2),  # Event Cards a side holds, 0 or 1
        ("pack", np.int8, (2, N_RANKS)),  # cards of each rank a side can still play
        ("hand", np.int8, (2, N_RANKS)),  # those it drew at random (R1, R46)
        ("unseen", np.int8, (2, N_RANKS)),  # those it discarded face down (option of R11)
        ("to_draw", np.int8, 2),  # cards a side still draws at random
        ("hand_size", np.int8, 2),
        ("unseen_size", np.int8, 2),
        ("matrix", np.int8, (2, N_AREAS)),  # rank of the card a side has in an area, from 1, or a `Square`
        ("face_up", np.int8, N_AREAS),  # 1: both cards of an area
        ("doubles", np.int8, 2),  # of a side's last Maximum roll, to be resolved; else 0
        ("declared", np.int8, 2),  # a `TurnType`
        ("order", np.int8, N_AREAS),  # the areas in the order the leader fixed
        ("ordered", np.int8),  # how many of `order` are fixed
        ("areas_done", np.int8),  # how many of them have been resolved
        ("area", np.int8),  # the area in progress; a ceasefire and the Operational Phase count as one
        ("turn", np.int8),  # 1..turns
        ("turn_type", np.int8),  # a `TurnType`
        ("combat_turns", np.int8),  # Combat Turns of the game so far
        ("drawn", np.int8),  # bits: sides that have drawn their Event Card
        ("resolve", np.int8),  # side with the right of A Terrible Resolve this Turn, else NOBODY (R6)
        ("ceasefire", np.int8),  # 1 once a Ceasefire was attempted this Turn
        ("ally_area", np.int8),  # area where the allies' points are used, NOBODY before (R12)
        ("ally_countries", np.int8),  # bits: countries that gave Resource Points this Turn
        ("suspended", np.int8),  # bits: countries that give nothing this Turn (R53)
        ("rally", np.int8, 2),  # 1: each unit that acts brings a bonus (option of R34)
        ("segments", np.int8),  # Operational Segments of each side in this Combat Turn
        ("half", np.int8),  # halves of Segments begun
        ("reshuffled", np.int8),  # 1 once the used cards were shuffled (10.1)
        ("step", np.int8),  # how far the Turn is, a `Step`
        ("node", np.int8),  # what is asked now, a `Node`
        ("mover", np.int8),  # who is asked: UA, RU, CHANCE, OVER
        ("drawer", np.int8),  # side a card is drawn for or that rolls, else NOBODY
        ("winner", np.int8),  # side, or NOBODY
        ("level", np.int8),  # how it ended, a `Level`
        ("depth", np.int8),  # tasks in progress: rows of `stack` in use
    ],
    align=True,
)
"""A position, at most 512 bytes; a test checks the size."""

STATE = from_dtype(DTYPE)
STATES = types.Array(STATE, 1, "C")

State = Any
"""A record of `DTYPE`. In compiled code a Numba record."""
