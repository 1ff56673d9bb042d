"""The names of Ukrainian Crisis - zones and countries from the scenario, titles of cards - and the `Words` for them."""

from __future__ import annotations

from brinkmanship.engine.message import Message, Ref
from brinkmanship.games.ukrainian_crisis.rules.data import CLASSES, EVENTS, GameData
from brinkmanship.games.ukrainian_crisis.rules.names import N_RANKS, NUMBER_CLASSES
from brinkmanship.text.words import LANGUAGES, NameTable, Words

DOMAIN = "ukrainian-crisis"
PAGES_DOMAIN = "ukrainian-crisis-pages"
"""The catalogue of the pages around the game: options, captions."""


def words(data: GameData, language: str) -> Words:
    """Return the words of Ukrainian Crisis in one language, with the names of the scenario."""
    return Words(language, (DOMAIN, PAGES_DOMAIN), names(data))


def names(data: GameData) -> NameTable:
    """Return all names not in the catalogues: kinds ``zone``, ``country``, ``event`` and number cards (``card``)."""
    table: dict[Ref, dict[str, str]] = {Ref("zone", zone.id): zone.names for zone in data.zone}
    table |= {Ref("country", country.id): country.names for country in data.country}
    table |= {Ref("event", event.id): {"en": event.title} for event in EVENTS}
    table |= {Ref("card", str(number)): {"en": str(number)} for number in range(1, N_RANKS + 1)}
    table |= {Ref("card_row", rank): _resource_texts(data, rank) for rank in CLASSES}
    table |= {Ref("card_row", str(number)): _number_texts(number) for number in range(1, N_RANKS + 1)}
    # Log lines refer to their Event Card as a card (`Line.card`).
    return table | {Ref("card", event.id): {"en": event.title} for event in EVENTS}


def _number_texts(number: int) -> dict[str, str]:
    """Return the effect of a number card in place of a Resource Card (10.1), by language."""
    gives = Message("resource.number", {"points": number, "rank": Ref("card", CLASSES[NUMBER_CLASSES[number - 1]])})
    return {language: Words(language, (DOMAIN,)).sentence(gives) for language in LANGUAGES}


def _resource_texts(data: GameData, rank: str) -> dict[str, str]:
    """Return the effect of a Resource Card, by language: its results, and the possibilities of its class."""
    table = getattr(data.resources, rank)
    results = "–".join(map(str, (min(table), max(table)))) if isinstance(table, list) else ""
    gives = Message("resource.die", {"results": results}) if results else Message("resource.two_dice")
    allowed = {name: int(getattr(getattr(data.resources, name), rank)) for name in ("attempts", "segments")}
    found = {}
    for language in LANGUAGES:
        spoken = Words(language, (DOMAIN,))
        found[language] = " ".join(spoken.sentence(part) for part in (gives, Message("resource.uses", allowed)))
    return found
