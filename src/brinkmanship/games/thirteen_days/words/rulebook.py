"""The rules of 13 Days for players, with the numbers and names of the data file.

The text is ``rules.<language>.md`` beside this file; `brinkmanship.text.rulebook` describes its format. Its values are:

* ``{limits.rounds}``, ``{areas.defcon_2}`` the steps of an area ("4–6"), ``{count.cards}``, ``{start.supply_us}`` and
  the rest of `_values`, which are computed from the data
* ``{battleground.television:at}``, ``{side.us}``, ``{area.defcon_2}``, ``{track.military}`` and other names
* ``{option.letter_declared}`` the sentence about the default of that option
"""

from __future__ import annotations

from collections import Counter

import msgspec

from brinkmanship.engine.message import Ref
from brinkmanship.games.thirteen_days.rules.data import GameData
from brinkmanship.games.thirteen_days.words.cards import agenda_text
from brinkmanship.games.thirteen_days.words.names import names, words
from brinkmanship.text.options import option_text
from brinkmanship.text.rulebook import NOTHING, Value, plain_rules, read_rules, table_rows
from brinkmanship.text.words import RuleSection, Words

PICTURES = ("board", "thermometer", "card")
"""The pictures that the text has places for; `brinkmanship.drawing` draws them."""


def rules_text(data: GameData, language: str) -> str:
    """Return the rules as plain Markdown, without ids and pictures."""
    return plain_rules(rules_sections(data, language))


def rules_sections(data: GameData, language: str) -> tuple[RuleSection, ...]:
    """Return the rules as sections, for a page with anchors and pictures."""
    spoken = words(data, language)
    rows = {"battlegrounds": lambda: _battlegrounds(data, spoken), "agendas": lambda: _agendas(data, spoken)}
    return read_rules(__package__, spoken, _values(data, spoken), rows)


def _values(data: GameData, words: Words) -> dict[str, Value]:
    """Return all values for placeholders of the text."""
    values: dict[str, Value] = {f"{ref.kind}.{ref.id}": ref for ref in names(data)}
    values |= {f"side.{side}": Ref("side", side) for side in ("us", "ussr", "un")}
    values |= {f"limits.{name}": limit for name, limit in msgspec.structs.asdict(data.limits).items()}
    values |= {f"areas.{name}": _range(steps) for name, steps in data.areas.items()}
    values |= {f"count.{name}": n for name, n in _counts(data).items()}
    values |= {f"option.{name}": option_text(words, name, option.default) for name, option in data.options.items()}
    return values | _start(data, words)


def _counts(data: GameData) -> dict[str, int]:
    of_side = Counter(card.side for card in data.card)
    return {
        "battlegrounds": len(data.battleground),
        "cards": len(data.card),
        "cards_us": of_side["us"],
        "cards_ussr": of_side["ussr"],
        "cards_un": of_side["un"],
        "agendas": sum(agenda.copies for agenda in data.agenda),
        "agendas_returned": data.limits.agendas_dealt - 1,
        "cards_left": data.limits.hand_size - data.limits.turns_per_round,
    }


def _start(data: GameData, words: Words) -> dict[str, Value]:
    """Return the position after set-up, as the cells of a table with a column for each side."""
    start = data.start
    values: dict[str, Value] = {}
    for side, cubes, markers, lead in (
        ("us", start.cubes_us, start.defcon_us, start.prestige),
        ("ussr", start.cubes_ussr, start.defcon_ussr, -start.prestige),
    ):
        placed = [f"{words.name('battleground', place)}: {n}" for place, n in cubes.items() if n]
        values[f"start.cubes_{side}"] = "; ".join(placed) or NOTHING
        values[f"start.supply_{side}"] = data.limits.cubes_per_side - sum(cubes.values())
        values |= {f"start.{track}_{side}": step for track, step in markers.items()}
        values[f"start.prestige_{side}"] = words.signed(max(lead, 0))
        values[f"start.letter_{side}"] = "✓" if start.letter == side else NOTHING
    return values


def _range(steps: list[int]) -> str:
    return f"{steps[0]}–{steps[-1]}" if len(steps) > 1 else str(steps[0])


def _battlegrounds(data: GameData, words: Words) -> str:
    connected = {agenda.battleground: agenda.connected for agenda in data.agenda}
    return table_rows(
        [
            words.name("battleground", place.id),
            words.name("track", place.track),
            ", ".join(words.name("battleground", id) for id in connected.get(place.id, [])) or NOTHING,
        ]
        for place in data.battleground
    )


def _agendas(data: GameData, words: Words) -> str:
    return table_rows(
        [words.name("agenda", agenda.id), str(agenda.copies), agenda_text(data, agenda, words)]
        for agenda in data.agenda
    )
