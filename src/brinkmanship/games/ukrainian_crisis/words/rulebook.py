"""The rules of Ukrainian Crisis for players, with the numbers and names of the scenario.

The text is ``rules.<language>.md`` beside this file, in the format of `brinkmanship.text.rulebook`. It may use:

* ``{start.turns}``, ``{pack.small}``, ``{attempts.medium}``, ``{box.support}`` and the rest of `_values`
* ``{critical.detente}`` the name of a critical event
* ``{option.casualty_choice}`` the sentence on the value of that option in this ruleset

Values that the rulebook does not state have a star in the tables (`brinkmanship.games.ukrainian_crisis.rules.data`).
"""

from __future__ import annotations

from brinkmanship.engine.message import Message
from brinkmanship.games.ukrainian_crisis.rules.data import (
    CLASSES,
    CRITICAL_EVENTS,
    EVENTS,
    Country,
    GameData,
    Unit,
    Zone,
    is_reconstructed,
)
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.steps.combat import HIT_FROM
from brinkmanship.games.ukrainian_crisis.rules.steps.final_phase import DECISIVE_FROM, TACTICAL_FROM
from brinkmanship.games.ukrainian_crisis.words.cards import event_text
from brinkmanship.games.ukrainian_crisis.words.names import words
from brinkmanship.text.options import option_text
from brinkmanship.text.rulebook import NOTHING, Value, plain_rules, read_rules, table_rows
from brinkmanship.text.words import RuleSection, Words

PICTURES = ("map", "relations", "matrix", "combat")
"""The pictures of the text; `brinkmanship.drawing` makes them.

The caption is ``picture.<name>`` in the catalogue `brinkmanship.games.ukrainian_crisis.words.names.PAGES_DOMAIN`.
"""

RECONSTRUCTED = "*"
"""Mark after a value that the rulebook does not state."""

_AIRFIELD = "▲"
_PORT = "⚓"
_MEMBER = "✓"


def rules_text(game: UkrainianCrisis, language: str) -> str:
    """Return the rules as plain Markdown, without ids and pictures."""
    return plain_rules(rules_sections(game, language))


def rules_sections(game: UkrainianCrisis, language: str) -> tuple[RuleSection, ...]:
    """Return the rules heading by heading, for a page with anchors and pictures."""
    spoken, data = words(game.data, language), game.data
    rows = {
        "zones": lambda: table_rows(_zone(game, zone, spoken) for zone in data.zone),
        "countries": lambda: table_rows(_country(game, country, spoken) for country in data.country),
        "units": lambda: table_rows(_unit(unit, spoken) for unit in data.unit),
        "results": lambda: _results(data, spoken),
        "events": lambda: table_rows(_event(game, event.id, spoken) for event in EVENTS),
    }
    return read_rules(__package__, spoken, _values(game, spoken), rows)


def _values(game: UkrainianCrisis, spoken: Words) -> dict[str, Value]:
    """Return all values that the text may use."""
    data, options = game.data, game.options
    pack = dict(zip(CLASSES, data.resources.pack.values, strict=True))
    values: dict[str, Value] = {
        "start.turns": data.start.turns,
        "start.prestige_ua": int(options["prestige_ua"]),
        "start.prestige_ru": int(options["prestige_ru"]),
        "pack.all": sum(pack.values()),
        "count.events": len(EVENTS),
        "combat.hit_from": HIT_FROM,
        "level.inconclusive_to": TACTICAL_FROM - 1,
        "level.tactical": TACTICAL_FROM,
        "level.tactical_to": DECISIVE_FROM - 1,
        "level.decisive": DECISIVE_FROM,
        "nonrandom.low_odds": str(options["nonrandom_low_odds_defender_hits"]),
    }
    values |= {f"pack.{name}": count for name, count in pack.items()}
    values |= {f"attempts.{name}": n for name, n in zip(CLASSES, data.resources.attempts.values, strict=True)}
    values |= {f"segments.{name}": n for name, n in zip(CLASSES, data.resources.segments.values, strict=True)}
    values |= {f"box.{box.id}": box.index for box in data.tracks.relations.boxes}
    values |= {f"critical.{event}": spoken.text(Message(f"critical.{event}")) for event in CRITICAL_EVENTS}
    return values | {f"option.{name}": option_text(spoken, name, value) for name, value in options.items()}


def _zone(game: UkrainianCrisis, zone: Zone, spoken: Words) -> list[str]:
    name = spoken.name("zone", zone.id)
    port = zone.port or (zone.azov_port and bool(game.options["azov_is_black_sea"]))  # R37
    shown = [sign for sign, there in ((_AIRFIELD, zone.airfield), (_PORT, port)) if there]
    if zone.home == "UA":
        colour = spoken.text(Message(f"board.colour.{zone.colour}"))
        shown = [_marked(zone.vp, zone, "vp"), _marked(colour, zone, "colour"), *shown]
    return [name, " ".join(shown) or NOTHING, ", ".join(spoken.name("zone", id) for id in zone.adjacent)]


def _country(game: UkrainianCrisis, country: Country, spoken: Words) -> list[str]:
    begins = spoken.text(Message(f"box.{game.options[f'box_{country.id.lower()}']}"))
    member = _MEMBER if country.eu else NOTHING
    return [spoken.name("country", country.id), member, _marked(country.rank, country, "rank"), begins]


def _unit(unit: Unit, spoken: Words) -> list[str]:
    strength = NOTHING if unit.cv is None else _marked(unit.cv, unit, "cv")
    side, kind = (spoken.text(Message(key)) for key in (f"side.{unit.side.lower()}", f"kind.{unit.type}"))
    return [side, kind, strength, _marked(unit.count, unit, "count")]


def _results(data: GameData, spoken: Words) -> str:
    """Return the rows of the cards that roll one die."""
    tables = {"small": data.resources.small, "medium": data.resources.medium}
    return table_rows([spoken.text(Message(f"card.{name}")), *map(str, table)] for name, table in tables.items())


def _event(game: UkrainianCrisis, event: str, spoken: Words) -> list[str]:
    return [spoken.name("event", event), event_text(game, event, spoken)]


def _marked(value: int | str, record: Country | Zone | Unit, field: str) -> str:
    return f"{value}{RECONSTRUCTED if is_reconstructed(record, field) else ''}"
