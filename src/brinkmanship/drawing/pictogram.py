"""Pictograms: what a card does as lines of marks without words, drawn from its data.

A `Token` is a mark or a number with the keys of its legend, a `Line` what stands in one row; `lay` breaks lines that
are too long and draws them. `pictogram_icons` has the shapes, `pictogram_events` reads the events of both Cuban
games. A strip is hidden from screen readers: the text of the card says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from brinkmanship.drawing.document import drawing
from brinkmanship.drawing.svg import Markup, group, join, moved

ROOM = 196.0
"""How wide a strip is: a card without its margins."""
ROW = 27.0
"""From one line to the next."""
_GAP = 3.5
_MOST_WIDE = 46.0
"""Of a sample in a legend."""


class Token(NamedTuple):
    """A mark; its body begins at the top left corner of a line."""

    width: float
    body: Markup
    keys: tuple[str, ...] = ()
    """What a legend has to explain."""
    glued: bool = False
    """Stays on one line with what follows."""


class Line(NamedTuple):
    """Marks that are read together."""

    tokens: tuple[Token, ...]
    lead: tuple[Token, ...] = ()
    """What the line begins with."""
    rest: tuple[Token, ...] = ()
    """What its second half begins with, if it has to be broken."""


class Explained(NamedTuple):
    """A mark of a legend."""

    key: str
    picture: Markup
    text: str


def strip(lines: Sequence[Line]) -> Markup:
    """The lines as a picture of its own, hidden from screen readers; nothing for no lines."""
    if not lines:
        return Markup("")
    body, height = lay(lines)
    return drawing(ROOM, height, body, standalone=None, css="pictogram", aria_hidden="true", focusable="false")


def lay(lines: Sequence[Line]) -> tuple[Markup, float]:
    """The lines as a group from the origin, and how high it is."""
    found = rows(lines)
    body = group((moved(0, number * ROW, _side_by_side(row)) for number, row in enumerate(found)), css="strip")
    return body, len(found) * ROW


def rows(lines: Iterable[Line]) -> list[list[Token]]:
    """What stands in each row: lines that are wider than `ROOM` are broken."""
    return [row for line in lines for row in _broken(line)]


def keys_of(lines: Iterable[Line]) -> Iterator[str]:
    """What a viewer has to know to read these lines, each once, in the order in which it comes."""
    return iter(dict.fromkeys(key for line in lines for token in (*line.lead, *line.tokens) for key in token.keys))


def sample(token: Token) -> Markup:
    """A mark alone, for a legend."""
    body = group(token.body, css="strip")
    wide = max(token.width, _MOST_WIDE if token.width > ROW else ROW)
    shifted = moved((wide - token.width) / 2, 0, body)
    return drawing(wide, ROW, shifted, standalone=None, css="pictogram", aria_hidden="true", focusable="false")


def boxed(tokens: Sequence[Token], frame: Markup, margin: float) -> Token:
    """Marks as one, side by side, `margin` away from either end; the frame is drawn under them."""
    inside = _side_by_side(tokens, 2.0)
    wide = sum(token.width for token in tokens) + 2.0 * (len(tokens) - 1) + 2 * margin
    keys = tuple(key for token in tokens for key in token.keys)
    return Token(wide, join(frame, moved(margin, 0, inside)), keys)


def length(tokens: Sequence[Token]) -> float:
    """How much room marks take side by side."""
    return sum(token.width + _GAP for token in tokens) - _GAP if tokens else 0.0


def _broken(line: Line) -> Iterator[list[Token]]:
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
