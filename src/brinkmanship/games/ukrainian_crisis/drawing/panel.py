"""A panel beside the map: a frame with a heading."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.drawing.box import Box
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.svg import Markup, group, rect
from brinkmanship.games.ukrainian_crisis.drawing.layout import LEAST, Layout


def panel(words: str, box: Box, layout: Layout, rows: Sequence[Markup], *, css: str) -> Markup:
    """Return a frame with its heading in capitals and, below it, the given rows."""
    size = LEAST if layout.wide else 11.5
    heading = text(box.x + 10, box.y + 16.5, words.upper(), size, "b sp mu", room=box.w - 20, smallest=size)
    return group(rect(box.x, box.y, box.w, box.h, "panel"), heading, rows, css=css)
