"""What the terminal's drawings share: marks and colours of the sides, and texts cut to a width.

A side is told by its mark first and by colour second, so that nothing is lost without colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

MARKS = ("■", "◆")
"""The mark of each side: its cubes, its markers, its name."""
HOLLOW = ("□", "◇")
SIDE_STYLES = ("bold bright_blue", "bold bright_red")
NEUTRAL_MARK = "○"
NEUTRAL_STYLE = "bold"
QUIET = "dim"
FLAG = "⚑"


def fit(content: Text | str, width: int, justify: Literal["left", "right", "center"] = "left") -> Text:
    """A text of exactly this width: cut with an ellipsis, or filled with blanks."""
    text = content.copy() if isinstance(content, Text) else Text(content)
    text.truncate(width, overflow="ellipsis")
    room = width - text.cell_len
    left = {"left": 0, "right": room, "center": room // 2}[justify]
    return Text(" " * left).append_text(text).append(" " * (room - left))


def widest(texts: list[str]) -> int:
    """Cells of the longest of these texts."""
    return max(map(cell_len, texts), default=0)


def one_line(text: Text) -> Text:
    """A text that is cut at the edge of the screen instead of being wrapped."""
    text.no_wrap = True
    text.overflow = "ellipsis"
    return text


def show(console: Console, parts: Iterable[RenderableType]) -> None:
    """Print parts of a picture, each from a new line."""
    for part in parts:
        if isinstance(part, Text) and part.no_wrap:
            console.print(part, no_wrap=True, overflow="ellipsis")
        else:
            console.print(part)


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of at most this many cells; its own lines begin anew."""
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
    """A label and items in a row, as many lines as they need; no item is broken."""
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
