"""The rules of a game for players: Markdown with placeholders, filled with the numbers and names of its data file.

The text of a game is ``rules.<language>.md`` in its package. Placeholders:

* ``{limits.rounds}`` a value, ``{limits.rounds: round, rounds}`` a number with its noun (as many forms as the plural of
  the language has), ``{battleground.television:at}`` a name in a grammatical form of the catalogues, see
  `brinkmanship.text.words`. The game defines which values there are
* ``{rows:agendas}``, alone on a line: the rows of a table whose header is above it
* ``{picture:board}``, alone on a line: a place for a picture

A heading ends with its id, ``## Set-up {#setup}``; ids are the same in every language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files

from babel import Locale

from brinkmanship.engine.message import Ref
from brinkmanship.text.words import MissingTextError, RuleSection, Words

Value = int | str | Ref
Rows = Callable[[], str]

NOTHING = "–"
"""Text of an empty cell of a table."""

_HEADING = re.compile(r"(#+) (.+) \{#([a-z-]+)\}")
_PICTURE = re.compile(r"^\{picture:(\w+)\}\n*", re.MULTILINE)
_ROWS = re.compile(r"^\{rows:(\w+)\}$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{(\w+(?:\.\w+)+)(?::([^{}]*))?\}")
_PLURALS = {"one": 0, "few": 1}  # every other category is the last form


def read_rules(
    package: str, words: Words, values: Mapping[str, Value], rows: Mapping[str, Rows]
) -> tuple[RuleSection, ...]:
    """Return the rules as sections, for a page with anchors and pictures.

    Args:
        package: the package that contains the file.
        words: the words of the game; their language chooses the file.
        values: the values for placeholders.
        rows: the rows of each table, made by `table_rows`.

    Raises:
        MissingTextError: a heading without an id, or a placeholder without a value.
    """
    file = f"rules.{words.language}.md"
    text = (files(package) / file).read_text("utf-8")
    text = _ROWS.sub(lambda match: rows[match[1]](), text)
    text = _PLACEHOLDER.sub(lambda match: _filled(match, values, words, file), text)
    before, *sections = re.split(r"^(?=#+ )", text, flags=re.MULTILINE)
    if before.strip():
        raise MissingTextError(f"{file} must begin with a heading")
    return tuple(_section(section, file) for section in sections)


def plain_rules(sections: Iterable[RuleSection]) -> str:
    """Return the rules as plain Markdown, without ids and pictures."""
    parts = []
    for section in sections:
        parts.append(f"{'#' * section.level} {section.title}")
        parts.append(plain_text(section))
    return "\n\n".join(part for part in parts if part) + "\n"


def plain_text(section: RuleSection) -> str:
    """Return the text of a section as plain Markdown, without pictures."""
    return _PICTURE.sub("", section.text)


def table_rows(rows: Iterable[Sequence[str]]) -> str:
    """Return the rows of a Markdown table."""
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows)


def _section(text: str, file: str) -> RuleSection:
    line, _, body = text.partition("\n")
    heading = _HEADING.fullmatch(line)
    if not heading:
        raise MissingTextError(f"{file}: the heading {line!r} needs an id, as in '## Set-up {{#setup}}'")
    return RuleSection(heading[3], len(heading[1]), heading[2], body.strip())


def _filled(match: re.Match[str], values: Mapping[str, Value], words: Words, file: str) -> str:
    name, form = match[1], (match[2] or "").strip()
    if name not in values:
        raise MissingTextError(f"{file}: there is no value {name!r}")
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
