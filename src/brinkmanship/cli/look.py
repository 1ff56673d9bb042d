"""What the terminal's drawings share: marks and colours of the sides, and texts cut to a width.

A side is told by its mark first and by colour second, so that nothing is lost without colours.
"""

from __future__ import annotations

from typing import Literal

from rich.cells import cell_len
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
