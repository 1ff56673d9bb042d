"""Common parts of the terminal's drawings: marks and colours of the sides, and texts cut to a width.

A side is identified by its mark first and its colour second, so that nothing is lost without colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

MARKS = ("■", "◆")
"""Mark of each side, used for its cubes, markers and name."""
HOLLOW = ("□", "◇")
SIDE_STYLES = ("bold bright_blue", "bold bright_red")
NEUTRAL_MARK = "○"
NEUTRAL_STYLE = "bold"
QUIET = "dim"
FLAG = "⚑"


def fit(content: Text | str, width: int, justify: Literal["left", "right", "center"] = "left") -> Text:
    """Return a text of exactly this width: cut with an ellipsis, or padded with blanks."""
    text = content.copy() if isinstance(content, Text) else Text(content)
    text.truncate(width, overflow="ellipsis")
    room = width - text.cell_len
    left = {"left": 0, "right": room, "center": room // 2}[justify]
    return Text(" " * left).append_text(text).append(" " * (room - left))


def widest(texts: list[str]) -> int:
    """Return the width in cells of the widest text."""
    return max(map(cell_len, texts), default=0)


def one_line(text: Text) -> Text:
    """Set a text to be cut at the edge of the screen instead of wrapped, and return it."""
    text.no_wrap = True
    text.overflow = "ellipsis"
    return text


def show(console: Console, parts: Iterable[RenderableType]) -> None:
    """Print renderables, each on a new line."""
    for part in parts:
        if isinstance(part, Text) and part.no_wrap:
            console.print(part, no_wrap=True, overflow="ellipsis")
        else:
            console.print(part)


def wrapped(text: str, width: int) -> list[str]:
    """Return a text wrapped to lines of at most `width` cells; its own line breaks are kept."""
    lines = []
    for paragraph in text.splitlines():
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if line and cell_len(longer) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


def flowing(label: Text | str, items: Sequence[Text], width: int) -> Text:
    """Return a label and items in a row, on as many lines as needed, without breaking an item."""
    text = Text(" ").append_text(label if isinstance(label, Text) else Text(label, QUIET)).append(" ")
    used = text.cell_len
    for number, item in enumerate(items):
        gap = " · " if number else ""
        if number and used + len(gap) + item.cell_len > width:
            text.append("\n   ")
            used, gap = 3, ""
        text.append(gap, QUIET).append_text(item)
        used += len(gap) + item.cell_len
    return text
