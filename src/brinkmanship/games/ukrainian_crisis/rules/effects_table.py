"""Effects of the Event Cards as data: for pictures, which cannot read the functions of `events`.

`tests/games/ukrainian_crisis/test_effects_table.py` plays every card and compares the changes with this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from brinkmanship.games.ukrainian_crisis.rules.names import Event

Who = Literal["ua", "ru", "holder", "enemy"]
When = Literal["", "low", "high"]
"""Pips of a die that lead to the effect: 1 to 3, or 4 to 6; "" if no die decides."""


class Prestige(NamedTuple):
    """Prestige that a side gains or loses."""

    who: Who
    sign: Literal[1, -1]
    amount: Literal["die", "half", "irregulars", "ranks", "rank", "us_rank_by_box"] | int
    """Amount of Prestige.

    A die, half of one rounded up, the side's Irregulars in the zone named, the Ranks of all countries above Neutrality,
    the Rank of the country named, that of the US times the number of its box; or a number.
    """
    when: When = ""


class Countries(NamedTuple):
    """Countries that change their box; `which` is "EU one", "EU all" or a country."""

    which: str
    to: Literal["neutrality", "down", "away"]
    when: When = ""


class NothingFrom(NamedTuple):
    """Countries that give Ukraine neither Prestige nor Resource Points for the Turn."""

    countries: tuple[str, ...]
    when: When = ""


class Opens(NamedTuple):
    """A neutral zone that opens to Russia."""

    zone: str
    country: str = ""
    """The country whose box is added to the die."""
    when: When = ""


class Moves(NamedTuple):
    """Units that move from a box of their owner."""

    who: Who
    units: Literal["irregular", "regular", "any"]
    start: tuple[Literal["reserve", "mobilisation"], ...]
    goal: str
    """A zone, "own colour", or a box."""
    amount: Literal["half"] | int = 1
    when: When = ""


class Resources(NamedTuple):
    """Additional Resource Points of a side for the Turn."""

    who: Who
    amount: Literal["half"]
    when: When = ""


class CombatTurn(NamedTuple):
    """Right of a side to declare a Combat Turn that no Ceasefire can stop."""

    who: Who
    when: When = ""


Effect = Prestige | Countries | NothingFrom | Opens | Moves | Resources | CombatTurn

_SPONTANEOUS = (Moves("holder", "irregular", ("reserve", "mobilisation"), "own colour"),)

EFFECTS: Mapping[Event, tuple[Effect, ...]] = {
    Event.UNITED_FOR_UKRAINE: (),
    Event.FLIGHT_370: (),
    Event.RUNAWAY_GUNS: (Prestige("ua", -1, "irregulars"), Prestige("ru", -1, "irregulars")),
    Event.ISIS_CRISIS: (NothingFrom(("US", "GB", "FR")),),
    Event.SVOBODA_SHAKEUP: (Prestige("ua", -1, "die"),),
    Event.PAID_DEMONSTRATORS: (Prestige("enemy", -1, "half"),),
    Event.MOLDOVA: (
        Prestige("ru", -1, 3, "low"),
        Opens("MDA", when="high"),
        Moves("ru", "regular", ("reserve",), "MDA", when="high"),
    ),
    Event.BELARUS: (Opens("BLR", "BY", "low"), Countries("BY", "away")),
    Event.ECONOMIC_SANCTIONS: (Prestige("ru", -1, "ranks"),),
    Event.SCREWED_THUMBS: (Countries("EU one", "neutrality"), Prestige("ru", -1, "rank")),
    Event.F_EU: (Countries("EU all", "down"), Prestige("ua", 1, "us_rank_by_box")),
    Event.A_TERRIBLE_RESOLVE: (CombatTurn("holder"),),
    Event.SPONTANEOUS_MOBILIZATION_SPADES: _SPONTANEOUS,
    Event.SPONTANEOUS_MOBILIZATION_CLUBS: _SPONTANEOUS,
    Event.RALLY_FOR_THE_MOTHERLAND: (Resources("holder", "half"),),
    Event.UNIT_NOT_READY: (Moves("enemy", "any", ("mobilisation",), "reserve", "half"),),
}
"""The effects of every Event Card, in their order."""
