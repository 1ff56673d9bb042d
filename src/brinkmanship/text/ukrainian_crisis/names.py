"""The names of Ukrainian Crisis - zones and countries from the scenario, titles of cards - and the `Words` for them."""

from __future__ import annotations

from brinkmanship.engine.message import Ref
from brinkmanship.games.ukrainian_crisis.data import EVENTS, GameData
from brinkmanship.games.ukrainian_crisis.state import N_RANKS
from brinkmanship.text.words import NameTable, Words

DOMAIN = "ukrainian-crisis"
PAGES_DOMAIN = "ukrainian-crisis-pages"
"""The catalogue of what the pages around the game say: options, captions."""


def words(data: GameData, language: str) -> Words:
    """The words of Ukrainian Crisis in one language, with the names as they stand in the scenario."""
    return Words(language, (DOMAIN, PAGES_DOMAIN), names(data))


def names(data: GameData) -> NameTable:
    """Every name that is not in the catalogues: kinds ``zone``, ``country``, ``event`` and number cards (``card``)."""
    table: dict[Ref, dict[str, str]] = {Ref("zone", zone.id): zone.names for zone in data.zone}
    table |= {Ref("country", country.id): country.names for country in data.country}
    table |= {Ref("event", event.id): {"en": event.title} for event in EVENTS}
    table |= {Ref("card", str(number)): {"en": str(number)} for number in range(1, N_RANKS + 1)}
    # Lines of the log name the Event Card they are about as a card (`Line.card`).
    return table | {Ref("card", event.id): {"en": event.title} for event in EVENTS}
