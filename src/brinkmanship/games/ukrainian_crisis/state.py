"""The state of a game of Ukrainian Crisis: one flat record of small integers.

`DTYPE` lists every field with its shape and meaning. Index ranges: side 0 = Ukraine, 1 = Russia; country as in
`data.COUNTRIES`; area as in `data.AREAS`; event as in `data.EVENTS`; zone and unit type as in the scenario file.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype, types

from brinkmanship.games.ukrainian_crisis.data import AREAS, BOXES, COUNTRIES, EVENTS, MAX_UNITS, MAX_ZONES

UA = 0
RU = 1
NOBODY = -1

N_COUNTRIES = len(COUNTRIES)
N_EVENTS = len(EVENTS)
N_AREAS = len(AREAS)
N_RANKS = 9

MILITARY = 0
DIPLOMATIC = 1
INFORMATION = 2

# Places of a unit: a zone, or one of the two boxes of its owner.
RESERVE = MAX_ZONES
MOBILISATION = MAX_ZONES + 1
N_PLACES = MAX_ZONES + 2
NOWHERE = -1
"""The entry in `unit` of a counter that the scenario does not have."""

# An entry of `unit`: place * PLACE + group * GROUP + marks. Units of a type stand in rising order of these numbers, so
# that equal positions are equal records.
NEUTRALISED = 1
ACTED = 2  # moved or recovered in this half
RELOCATED = 4  # sent back to Mobilisation in this Turn (6.13)
GROUP = 8  # times the combat group, from 1, or the attempts that aim at the unit, as bits
PLACE = 256
MAX_GROUPS = PLACE // GROUP - 1

# Where an Event Card is. Codes with a side in them come in pairs, Ukraine first.
IN_DECK = 0
HELD = 1  # 1 UA, 2 RU
DRAWN_IMMEDIATE = 3  # 3 UA, 4 RU; open, and to be resolved
DISCARDED = 5
UNKNOWN = 6  # only in a view

# A square of the card matrix when it is no card, whose ranks are counted from 1.
EMPTY = 0
HIDDEN = -1  # only in a view

FACE_DOWN = 0
FACE_UP = 1

# Answers to a declaration, and what type the Turn is.
NOT_YET = -1
STRATEGIC = 0
COMBAT = 1

# Steps of a Turn: what is next when no task is on the stack (section 3.1).
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

# The node: what is asked right now, of `mover`. First the steps the rules take themselves, then chance, then decisions.
N_RESHUFFLE = 0
N_ALLY_RP = 1
N_REVEAL = 2
N_COMPARE = 3
N_TYPE = 4
N_CHECK = 5
N_INCOME = 6
N_DRAW_EVENT = 7
N_DEAL_CARD = 8
N_ROLL = 9  # a resource roll on the row of `drawer`'s card
N_DIE = 10
N_DICE_SUM = 11
N_HITS = 12
N_ANY_ZONE = 13
N_PLACE = 14
N_DECLARE = 15
N_CEASEFIRE = 16
N_WINDOW = 17
N_ORDER = 18
N_WHO_FIRST = 19
N_MILITARY = 20
N_DEPLOY_TO = 21
N_DIPLOMATIC = 22
N_PAY_RP = 23
N_PAY_PRESTIGE = 24
N_INFORMATION = 25
N_ADD_ALLIES = 26
N_TARGETS = 27
N_OPERATE = 28
N_MOVE_TO = 29
N_ATTACK = 30
N_ATTACKERS = 31
N_DEFENDERS = 32
N_FIGHT = 33
N_HIT = 34
N_EVENT_ZONE = 35
N_EVENT_COUNTRY = 36
N_EVENT_UNIT = 37
N_CRITICAL_ZONE = 38
N_OVER = 39

LAST_STEP_OF_RULES = N_INCOME
FIRST_DECISION = N_PLACE

# The stack of tasks: a frame is a row of `stack`; the columns, with what they hold. A to H are explained at each task.
TASK = 0
SIDE = 1  # whose task it is: who speaks, acts, attacks, holds the event
STAGE = 2
A = 3
B = 4
C = 5
D = 6
E = 7
F = 8
G = 9
H = 10
FRAME = 11
DEPTH = 6

# Tasks. A window, an event and a critical event happen inside other tasks or between the steps of the Turn.
T_WINDOW = 1  # A: how often in succession was passed
T_EVENT = 2  # A: event, B: units it may still move, C: unit chosen
T_CRITICAL = 3  # A: the doubles, 1 to 6
T_CEASEFIRE = 4
T_AREA = 5  # A: area; SIDE: who acts first
T_MILITARY = 6  # A: stack to be deployed
T_DIPLOMATIC = 7  # A: country, B: target box, C: Resource Points paid, D: Prestige paid
T_INFORMATION = 8  # A: action, B: first result, C: second result, D: allies' points, E: targets named, F: dice rolled
T_HALF = 9  # A: stack to be moved, B: whether it rolls for a bonus (R34)
T_BATTLE = 10  # A: zone, B: groups named, C: attackers and D: defenders in the next group
T_FIGHT = 11  # A: zone, B: group, C: type, D: dice left, E/F: hits of attacker/defender, G/H: Prestige UA/RU lose

# Actions of the Information area, column A of T_INFORMATION.
REDUCE = 0
INCREASE = 1
NEUTRALISE = 2

# Types of combat.
SYMBOLIC = 0
KINETIC = 1
ASYMMETRIC = 2

# How a game ended.
NOT_OVER = 0
DRAW = 1
INCONCLUSIVE = 2
TACTICAL = 3
DECISIVE = 4
REASONS = ("not_over", "draw", "inconclusive", "tactical", "decisive")

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
        ("unit", np.int16, MAX_UNITS),  # place, group and marks of each counter, NOWHERE where there is none
        ("stack", np.int16, (DEPTH, FRAME)),  # tasks in progress, the innermost last; see the columns above
        ("box", np.int8, N_COUNTRIES),  # 1 Neutrality, 2 Support, 3 Intervention, 0 left the game
        ("event", np.int8, N_EVENTS),  # where an Event Card is: IN_DECK .. UNKNOWN
        ("held", np.int8, 2),  # Event Cards a side holds, 0 or 1
        ("pack", np.int8, (2, N_RANKS)),  # cards of each rank a side can still play
        ("hand", np.int8, (2, N_RANKS)),  # those it drew at random (R1, R46)
        ("unseen", np.int8, (2, N_RANKS)),  # those it discarded face down (option of R11)
        ("to_draw", np.int8, 2),  # cards a side still draws at random
        ("hand_size", np.int8, 2),
        ("unseen_size", np.int8, 2),
        ("matrix", np.int8, (2, N_AREAS)),  # rank of the card a side has in an area, from 1; EMPTY, HIDDEN
        ("face_up", np.int8, N_AREAS),  # FACE_DOWN or FACE_UP, both cards of an area
        ("doubles", np.int8, 2),  # of a side's last Maximum roll, to be resolved; else 0
        ("declared", np.int8, 2),  # NOT_YET, STRATEGIC or COMBAT
        ("order", np.int8, N_AREAS),  # the areas in the order the leader fixed
        ("ordered", np.int8),  # how many of `order` are fixed
        ("areas_done", np.int8),  # how many of them have been resolved
        ("area", np.int8),  # the area in progress; a ceasefire and the Operational Phase count as one
        ("turn", np.int8),  # 1..turns
        ("turn_type", np.int8),  # NOT_YET, STRATEGIC or COMBAT
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
        ("step", np.int8),  # of the Turn: EVENT_DRAW .. GAME_END
        ("node", np.int8),  # what is asked now: N_RESHUFFLE .. N_OVER
        ("mover", np.int8),  # who is asked: UA, RU, CHANCE, OVER
        ("drawer", np.int8),  # side a card is drawn for or that rolls, else NOBODY
        ("winner", np.int8),  # side, or NOBODY
        ("level", np.int8),  # NOT_OVER .. DECISIVE
        ("depth", np.int8),  # tasks in progress: rows of `stack` in use
    ],
    align=True,
)
"""A position in at most 512 bytes; a test watches the size."""

STATE = from_dtype(DTYPE)
STATES = types.Array(STATE, 1, "C")

State = Any
"""A record of `DTYPE`: an element of a recarray. In compiled code a Numba record."""

N_BOXES = len(BOXES)
