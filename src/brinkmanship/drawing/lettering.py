"""Text in drawings: measuring width, breaking lines, fitting into a given space.

SVG neither breaks lines nor shrinks text, so this module does both, from the advance widths of the fonts the pages
serve (`widths.json`, made by ``tools/fonts.py``). A text that would still be too wide is squeezed by ``textLength``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from brinkmanship.drawing.svg import Markup, el, join

Anchor = Literal["start", "middle", "end"]

SMALLEST = 13.0
"""Minimum font size when shrinking text, in drawing units; text that starts smaller keeps its size."""

_UNKNOWN = 620


@lru_cache(4096)
def width(text: str, size: float, css: str = "") -> float:
    """Return the width of a text. `css` as for `text`: "b" is bold, "m" the typewriter face, "sp" is letter-spaced."""
    letters = _letters(face(css))
    only = letters.get("")
    total = len(text) * only if only else sum(letters.get(letter, _UNKNOWN) for letter in text)
    return total * size / 1000 + (len(text) * SPACING * size if "sp" in css.split() else 0)


SPACING = 0.08
"""Letter-spacing of the class "sp", as a fraction of the font size; must equal the value in `style`."""


def face(css: str) -> str:
    """Return the font face of text with these classes."""
    classes = css.split()
    weight = 600 if "b" in classes else 400
    return f"mono-{weight}" if "m" in classes else f"condensed-{weight}"


@lru_cache(4096)
def text(
    x: float,
    y: float,
    content: str,
    size: float,
    css: str = "",
    anchor: Anchor = "start",
    room: float | None = None,
    smallest: float = SMALLEST,
) -> Markup:
    """Draw a line of text, its baseline at `y`; to fit `room`, it is made smaller first, then narrower."""
    squeezed = None
    if room is not None and (wide := width(content, size, css)) > room:
        size = max(min(smallest, size), int(size * room / wide * 2) / 2)
        if width(content, size, css) > room:
            squeezed = room
    return el(
        "text",
        content,
        x=x,
        y=y,
        font_size=size,
        class_=css or None,
        text_anchor=anchor if anchor != "start" else None,
        textLength=squeezed,
        lengthAdjust="spacingAndGlyphs" if squeezed else None,
    )


def wrap(content: str, room: float, size: float, css: str = "") -> list[str]:
    """Return the lines of a text that may be `room` wide; line breaks in the text are kept."""
    lines: list[str] = []
    for paragraph in content.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if line and width(longer, size, css) > room:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


def block(
    x: float,
    y: float,
    content: str,
    size: float,
    css: str = "",
    anchor: Anchor = "start",
    *,
    room: float,
    lines: int,
    leading: float = 1.25,
    smallest: float = SMALLEST,
) -> tuple[Markup, int]:
    """Draw a text broken into at most `lines` lines, as large as fits; return also the number of lines used."""
    smallest = min(smallest, size)
    while size > smallest and not _fits(wrap(content, room, size, css), lines, room, size, css):
        size = max(size - 0.5, smallest)
    broken = wrap(content, room, size, css)
    if len(broken) > lines:
        broken = [*broken[: lines - 1], " ".join(broken[lines - 1 :])]
    return column(x, y, broken, size, css, anchor, room=room, leading=leading, smallest=smallest), len(broken)


def column(
    x: float,
    y: float,
    lines: Sequence[str],
    size: float,
    css: str = "",
    anchor: Anchor = "start",
    *,
    room: float | None = None,
    leading: float = 1.25,
    smallest: float = SMALLEST,
) -> Markup:
    """Draw lines one below the other, the first baseline at `y`."""
    return join(
        text(x, y + number * size * leading, line, size, css, anchor, room, smallest)
        for number, line in enumerate(lines)
        if line
    )


def _fits(broken: Sequence[str], lines: int, room: float, size: float, css: str) -> bool:
    return len(broken) <= lines and all(width(line, size, css) <= room for line in broken)


@cache
def _letters(name: str) -> dict[str, int]:
    table: dict[str, dict[str, str]] = json.loads((files(__package__) / "widths.json").read_text("utf-8"))
    groups = table[name]
    return {letter: int(w) for w, letters in groups.items() for letter in (letters or [""])}
