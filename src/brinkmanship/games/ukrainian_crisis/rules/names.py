"""Constants of the rules of Ukrainian Crisis: a number in the rules, its lower-case name outside.

Compiled code treats the members as plain numbers. Records of a scenario file are in `data`; constants of a position or
an action are in `state` and `action_numbers`.
"""

from __future__ import annotations

from enum import IntEnum

UA = 0
RU = 1
NOBODY = -1
"""No side, area or unit, in a field that names one."""


def ids(members: type[IntEnum]) -> tuple[str, ...]:
    """Return the names as programs and records write them: "gas_turned_off"."""
    return tuple(member.name.lower() for member in members)


class Country(IntEnum):
    """The seven countries of the relations track."""

    US = 0
    PL = 1
    GB = 2
    DE = 3
    FR = 4
    RO = 5
    BY = 6


class Box(IntEnum):
    """The boxes of the relations track from the bottom; the number of a box is its price (R23)."""

    GONE = 0  # the marker has left the game
    NEUTRALITY = 1
    SUPPORT = 2
    INTERVENTION = 3


class Area(IntEnum):
    """The areas of the card matrix."""

    MILITARY = 0
    DIPLOMATIC = 1
    INFORMATION = 2


class CardClass(IntEnum):
    """The classes of Resource Cards, in order of strength."""

    SMALL = 0
    MEDIUM = 1
    MAXIMUM = 2


NUMBER_CLASSES = (CardClass.SMALL,) * 4 + (CardClass.MEDIUM,) * 3 + (CardClass.MAXIMUM,) * 2
"""The classes of the number cards ace to nine (10.1, R46)."""


class Kind(IntEnum):
    """The kinds of unit."""

    REGULAR = 0
    IRREGULAR = 1
    SPECIAL = 2


N_KINDS = len(Kind)


class UnitType(IntEnum):
    """The types of unit within a kind."""

    GROUND = 0
    AIRBORNE = 1
    NAVAL = 2
    MILITIA = 3
    SPECIAL = 4


class CombatType(IntEnum):
    """The types of combat (section 7)."""

    SYMBOLIC = 0
    KINETIC = 1
    ASYMMETRIC = 2


class Inform(IntEnum):
    """The actions of the Information area (section 5.4)."""

    REDUCE = 0
    INCREASE = 1
    NEUTRALISE = 2


class Critical(IntEnum):
    """The critical events of doubles 1-1 to 6-6 (section 4.2)."""

    DETENTE = 1
    SANCTIONS = 2
    GAS_TURNED_OFF = 3
    NATO_ACTIVITY = 4
    SECESSION = 5
    UNION = 6


class Event(IntEnum):
    """The Event Cards in the order of every array over events (section 11)."""

    UNITED_FOR_UKRAINE = 0
    FLIGHT_370 = 1
    RUNAWAY_GUNS = 2
    ISIS_CRISIS = 3
    SVOBODA_SHAKEUP = 4
    PAID_DEMONSTRATORS = 5
    MOLDOVA = 6
    BELARUS = 7
    ECONOMIC_SANCTIONS = 8
    SCREWED_THUMBS = 9
    F_EU = 10
    A_TERRIBLE_RESOLVE = 11
    SPONTANEOUS_MOBILIZATION_SPADES = 12
    SPONTANEOUS_MOBILIZATION_CLUBS = 13
    RALLY_FOR_THE_MOTHERLAND = 14
    UNIT_NOT_READY = 15


N_COUNTRIES = len(Country)
N_BOXES = Box.INTERVENTION.value
N_AREAS = len(Area)
N_EVENTS = len(Event)
N_RANKS = 9
"""Number of ranks of Resource Cards, of which the three classes use three (10.1)."""
