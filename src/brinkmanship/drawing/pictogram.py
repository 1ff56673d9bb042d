"""Pictograms: the effects of a card as lines of marks without words, drawn from its data.

A `Token` is a mark or a number with the keys of its legend, a `PictogramLine` the contents of one row; `lay` breaks
lines that are too long and draws them. `pictogram_icons` has the shapes, `games.cuban.pictogram_events` reads the
events of both Cuban games. A strip is hidden from screen readers, because the text of the card says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from brinkmanship.drawing.document import drawing
from brinkmanship.drawing.svg import Markup, group, join, moved

ROOM = 196.0
"""Width of a strip: a card without its margins."""
ROW = 27.0
"""Distance between lines."""
_GAP = 3.5
_MAX_WIDTH = 46.0
"""Maximum width of a sample in a legend."""


class Token(NamedTuple):
    """A mark; its body is drawn from the top left corner of a line."""

    width: float
    body: Markup
    keys: tuple[str, ...] = ()
    """Keys of the legend entries that explain it."""
    glued: bool = False
    """True if it must stay on one line with the next mark."""


class PictogramLine(NamedTuple):
    """Marks that are read together."""

    tokens: tuple[Token, ...]
    lead: tuple[Token, ...] = ()
    """First marks of the line."""
    rest: tuple[Token, ...] = ()
    """First marks of its second half, if it has to be broken."""


class LegendEntry(NamedTuple):
    """An entry of a legend: a mark and its meaning."""

    key: str
    picture: Markup
    text: str


def strip(lines: Sequence[PictogramLine]) -> Markup:
    """Draw the lines as a separate picture, hidden from screen readers; nothing for no lines."""
    if not lines:
        return Markup("")
    body, height = lay(lines)
    return drawing(ROOM, height, body, standalone=None, css="pictogram", aria_hidden="true", focusable="false")


def lay(lines: Sequence[PictogramLine]) -> tuple[Markup, float]:
    """Draw the lines as a group from the origin; return also its height."""
    found = rows(lines)
    body = group((moved(0, number * ROW, _side_by_side(row)) for number, row in enumerate(found)), css="strip")
    return body, len(found) * ROW


def rows(lines: Iterable[PictogramLine]) -> list[list[Token]]:
    """Return the marks of each row; lines that are wider than `ROOM` are broken."""
    return [row for line in lines for row in _broken(line)]


def keys_of(lines: Iterable[PictogramLine]) -> Iterator[str]:
    """Yield the legend keys that explain these lines, each once, in order of first use."""
    return iter(dict.fromkeys(key for line in lines for token in (*line.lead, *line.tokens) for key in token.keys))


def sample(token: Token) -> Markup:
    """Draw one mark, for a legend."""
    body = group(token.body, css="strip")
    wide = max(token.width, _MAX_WIDTH if token.width > ROW else ROW)
    shifted = moved((wide - token.width) / 2, 0, body)
    return drawing(wide, ROW, shifted, standalone=None, css="pictogram", aria_hidden="true", focusable="false")


def boxed(tokens: Sequence[Token], frame: Markup, margin: float) -> Token:
    """Combine marks side by side into one, with `margin` at either end and the frame drawn under them."""
    inside = _side_by_side(tokens, 2.0)
    wide = sum(token.width for token in tokens) + 2.0 * (len(tokens) - 1) + 2 * margin
    keys = tuple(key for token in tokens for key in token.keys)
    return Token(wide, join(frame, moved(margin, 0, inside)), keys)


def length(tokens: Sequence[Token]) -> float:
    """Return the width of marks side by side."""
    return sum(token.width + _GAP for token in tokens) - _GAP if tokens else 0.0


def _broken(line: PictogramLine) -> Iterator[list[Token]]:
    row, begun = list(line.lead), False
    chunk: list[Token] = []
    for token in line.tokens:
        chunk.append(token)
        if token.glued:
            continue
        if begun and length([*row, *chunk]) > ROOM:
            yield row
            row = list(line.rest)
        row += chunk
        chunk, begun = [], True
    yield [*row, *chunk]


def _side_by_side(tokens: Sequence[Token], gap: float = _GAP) -> Markup:
    x, found = 0.0, []
    for token in tokens:
        found.append(moved(x, 0, token.body) if x else token.body)
        x += token.width + gap
    return join(found)
