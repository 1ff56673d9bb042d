"""The rules of 13 Days for players, with the numbers and names of the data file.

The text is ``rules.<language>.md`` beside this file, plain Markdown with placeholders:

* ``{limits.rounds}`` a number, ``{limits.rounds: round, rounds}`` a number with its noun (as many forms as the plural
  of the language has); ``{areas.defcon_2}`` steps of a track ("4–6"); ``{count.cards}``, ``{start.supply_us}`` and the
  rest of `_values` are worked out from the data
* ``{battleground.television:at}`` a name in a grammatical form of the catalogues, see `brinkmanship.text.words`
* ``{option.letter_declared}`` the sentence about the default of that option
* ``{rows:agendas}``, alone on a line: the rows of a table whose head stands above it
* ``{picture:board}``, alone on a line: a place for a picture

A heading ends with its id, ``## Set-up {#setup}``; ids are the same in every language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files

import msgspec
from babel import Locale

from brinkmanship.engine.message import Ref
from brinkmanship.games.thirteen_days.data import GameData
from brinkmanship.text.thirteen_days.cards import agenda_text, option_text
from brinkmanship.text.thirteen_days.names import names, words
from brinkmanship.text.words import MissingTextError, RuleSection, Words

PICTURES = ("board", "thermometer", "card")
"""The pictures that the text has places for; `brinkmanship.draw` makes them."""

Value = int | str | Ref

_HEADING = re.compile(r"(#+) (.+) \{#([a-z-]+)\}")
_PICTURE = re.compile(r"^\{picture:(\w+)\}\n*", re.MULTILINE)
_ROWS = re.compile(r"^\{rows:(\w+)\}$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{(\w+(?:\.\w+)+)(?::([^{}]*))?\}")
_PLURALS = {"one": 0, "few": 1}  # every other category is the last form
_NOTHING = "–"


def rules_text(data: GameData, language: str) -> str:
    """The rules as plain Markdown, without ids and pictures."""
    parts = []
    for section in rules_sections(data, language):
        parts.append(f"{'#' * section.level} {section.title}")
        parts.append(_PICTURE.sub("", section.text))
    return "\n\n".join(part for part in parts if part) + "\n"


def rules_sections(data: GameData, language: str) -> tuple[RuleSection, ...]:
    """The rules heading by heading, for a page with anchors and pictures."""
    spoken = words(data, language)
    text = (files(__package__) / f"rules.{language}.md").read_text("utf-8")
    text = _ROWS.sub(lambda match: _ROWS_OF[match[1]](data, spoken), text)
    values = _values(data, spoken)
    text = _PLACEHOLDER.sub(lambda match: _filled(match, values, spoken), text)
    before, *sections = re.split(r"^(?=#+ )", text, flags=re.MULTILINE)
    if before.strip():
        raise MissingTextError(f"rules.{language}.md must begin with a heading")
    return tuple(_section(section, language) for section in sections)


def _section(text: str, language: str) -> RuleSection:
    line, _, body = text.partition("\n")
    heading = _HEADING.fullmatch(line)
    if not heading:
        raise MissingTextError(f"rules.{language}.md: the heading {line!r} needs an id, as in '## Set-up {{#setup}}'")
    return RuleSection(heading[3], len(heading[1]), heading[2], body.strip())


# ---- placeholders


def _filled(match: re.Match[str], values: Mapping[str, Value], words: Words) -> str:
    name, form = match[1], (match[2] or "").strip()
    if name not in values:
        raise MissingTextError(f"rules.{words.language}.md: there is no value {name!r}")
    value = values[name]
    if isinstance(value, Ref):
        return words.name(value.kind, value.id, form)
    if isinstance(value, str):
        return value
    number = words.number(value)
    return f"{number} {_plural(value, form.split(','), words.language)}" if form else number


def _plural(n: int, forms: list[str], language: str) -> str:
    category = Locale.parse(language).plural_form(abs(n))
    return forms[_PLURALS.get(category, -1)].strip()


def _values(data: GameData, words: Words) -> dict[str, Value]:
    """Everything the text may name."""
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
    """The position after set-up, as the cells of a table with a column for each side."""
    start = data.start
    values: dict[str, Value] = {}
    for side, cubes, markers, lead in (
        ("us", start.cubes_us, start.defcon_us, start.prestige),
        ("ussr", start.cubes_ussr, start.defcon_ussr, -start.prestige),
    ):
        placed = [f"{words.name('battleground', place)}: {n}" for place, n in cubes.items() if n]
        values[f"start.cubes_{side}"] = "; ".join(placed) or _NOTHING
        values[f"start.supply_{side}"] = data.limits.cubes_per_side - sum(cubes.values())
        values |= {f"start.{track}_{side}": step for track, step in markers.items()}
        values[f"start.prestige_{side}"] = words.signed(max(lead, 0))
        values[f"start.letter_{side}"] = "✓" if start.letter == side else _NOTHING
    return values


def _range(steps: list[int]) -> str:
    return f"{steps[0]}–{steps[-1]}" if len(steps) > 1 else str(steps[0])


# ---- tables


def _battlegrounds(data: GameData, words: Words) -> str:
    connected = {agenda.battleground: agenda.connected for agenda in data.agenda}
    return _table(
        [
            words.name("battleground", place.id),
            words.name("track", place.track),
            ", ".join(words.name("battleground", id) for id in connected.get(place.id, [])) or _NOTHING,
        ]
        for place in data.battleground
    )


def _agendas(data: GameData, words: Words) -> str:
    return _table(
        [words.name("agenda", agenda.id), str(agenda.copies), agenda_text(data, agenda, words)]
        for agenda in data.agenda
    )


def _table(rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows)


_ROWS_OF: dict[str, Callable[[GameData, Words], str]] = {"battlegrounds": _battlegrounds, "agendas": _agendas}
