"""Texts of Ukrainian Crisis: names from its scenario, titles and texts of its cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from brinkmanship.games.ukrainian_crisis.rules.data import (
    EVENTS,
    LABELS,
    Counters,
    Country,
    GameData,
    Marker,
    Resources,
    Start,
    Unit,
    Zone,
    basis_of,
    is_balanced,
    is_reconstructed,
)
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.words.cards import event_text
from brinkmanship.games.ukrainian_crisis.words.names import words
from brinkmanship.games.ukrainian_crisis.words.rulebook import rules_sections
from brinkmanship.games.ukrainian_crisis.words.rulings import rulings
from brinkmanship.text import GameTexts
from brinkmanship.text.history import day_of, history_of
from brinkmanship.text.words import CardText, RecordStatus, RuleSection, Ruling, Words

__all__ = ["UkrainianCrisisTexts"]


class UkrainianCrisisTexts(GameTexts[UkrainianCrisis]):
    """Texts of Ukrainian Crisis."""

    sections: ClassVar[Mapping[str, str]] = {
        "": "turn",
        "ask.window": "events",
        "ask.event_zone": "events",
        "ask.event_unit": "events",
        "ask.event_country": "events",
        "ask.place": "turn",
        "ask.order": "turn",
        "ask.declare": "turn",
        "ask.who_first": "turn",
        "ask.military": "military",
        "ask.deploy_to": "military",
        "ask.diplomatic": "diplomacy",
        "ask.pay_rp": "diplomacy",
        "ask.pay_prestige": "diplomacy",
        "ask.information": "information",
        "ask.targets": "information",
        "ask.allies": "allies",
        "ask.ceasefire": "ceasefire",
        "ask.operate": "operations",
        "ask.move_to": "movement",
        "ask.attack": "combat",
        "ask.attackers": "combat",
        "ask.defenders": "combat",
        "ask.fight": "combat",
        "ask.hit": "combat",
        "ask.over": "victory",
    }

    def words_of(self, game: UkrainianCrisis, language: str, /) -> Words:
        return words(game.data, language)

    def cards_of(self, game: UkrainianCrisis, words: Words, /) -> list[CardText]:
        """Return the Event Cards, which belong to neither side and have no cubes."""
        return [
            CardText(
                id=card.id,
                name=words.name("event", card.id),
                side="neutral",
                side_name=words.name("side", "neutral"),
                cubes=None,
                icon=False,
                text=event_text(game, card.id, words),
                notes=(),
                history=history_of("event", card.id, words.language),
                day=day_of("event", card.id),
            )
            for card in EVENTS
        ]

    def status_of(self, game: UkrainianCrisis, words: Words, /) -> list[RecordStatus]:
        """Return each record of the scenario, and the basis of its reconstructed values."""
        data = game.data
        listed: list[tuple[str, str, Start | Resources | Counters | Country | Zone | Unit | Marker]] = [
            ("", "start", data.start),
            ("", "resources", data.resources),
            *((words.name("country", country.id), country.id, country) for country in data.country),
            *((words.name("zone", zone.id), zone.id, zone) for zone in data.zone),
            ("", "counters", data.counters),
            *((words.name("unit", unit.id), unit.id, unit) for unit in data.unit),
            *(("", f"marker {marker.id}", marker) for marker in data.marker),
        ]
        return [RecordStatus(name, id, _marks(data, record)) for name, id, record in listed]

    def rules_of(self, game: UkrainianCrisis, language: str, /) -> tuple[RuleSection, ...]:
        return rules_sections(game, language)

    def rulings_of(self, game: UkrainianCrisis, words: Words, /) -> tuple[Ruling, ...]:
        return rulings(game, words)


def _marks(data: GameData, record: Start | Resources | Counters | Country | Zone | Unit | Marker) -> dict[str, str]:
    """Return the mark of every field that is not a label and has a value."""
    marks = {}
    for field in record.__struct_fields__:
        value = getattr(record, field)
        if field in LABELS or value is None:
            continue
        said = "" if isinstance(value, list | dict) or hasattr(value, "__struct_fields__") else str(value)
        mark = "reconstructed" if is_reconstructed(record, field) else "known"
        if is_balanced(record, field):
            mark = "balanced"
        basis = basis_of(data, record, field) if isinstance(record, Country | Zone | Unit | Marker) else None
        named = f"{field} {said.lower() if isinstance(value, bool) else said}".strip()
        marks[named] = f"{mark}.{basis}" if basis and mark == "reconstructed" else mark
    return marks
