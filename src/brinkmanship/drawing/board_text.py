"""A position in words: sections of facts and tables, the text beside a board and in its place.

It tells what the board shows, from the same view. Pages and the terminal present it; see `Drawing.board_text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.record import State
from brinkmanship.text import Words
from brinkmanship.text.default import rows

DOMAIN = "board_text"
"""The catalogue of headings and of the texts around them."""
EMPTY = "–"
"""An empty cell."""


class TextTable(NamedTuple):
    """A table whose first column names its rows."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class TextSection(NamedTuple):
    """A part of the board under a heading."""

    title: str
    facts: tuple[str, ...] = ()
    tables: tuple[TextTable, ...] = ()


def known_facts(game: Game, view: State, side: int, words: Words) -> list[TextSection]:
    """Return the position of a game without a text of its own: all that a side knows beside its cards, as facts."""
    title = words.with_domain(DOMAIN).sentence(Message("draw.text.state"))
    found = rows(game, view, side, words, cards=False)
    return [TextSection(title, tuple(f"{row.label}: {row.value}" for row in found))]


def cell(facts: Iterable[str]) -> str:
    """Return the facts of a cell in one text."""
    return "; ".join(fact for fact in facts if fact) or EMPTY


def lines_of(sections: Sequence[TextSection]) -> list[str]:
    """Return a position line by line, for output without tables; each cell stands with the name of its column."""
    lines: list[str] = []
    for section in sections:
        lines += [*([""] if lines else []), section.title, *(f"- {fact}" for fact in section.facts)]
        for table in section.tables:
            lines += [f"{table.caption}:"] if table.caption else []
            lines += [f"- {_row(table, row)}" for row in table.rows]
    return lines


def _row(table: TextTable, row: tuple[str, ...]) -> str:
    name, *cells = row
    said = [f"{column}: {value}" for column, value in zip(table.columns[1:], cells, strict=True) if value != EMPTY]
    return ". ".join([name, *said])
