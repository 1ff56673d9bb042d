"""Previews of links in chats and social networks: pictures under a title, in the size that all of them show."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.style import flat
from brinkmanship.drawing.svg import Markup, el, num, rect

WIDTH, HEIGHT = 1200, 630
EDGE = 20.0
TOP = 108.0
"""Upper edge of the pictures, below the title."""
BASELINE = 84.0
"""Baseline of the title."""


def link_preview(title: str, subtitle: str, pictures: Sequence[str]) -> str:
    """Draw the preview of a link as SVG for `png`.

    Args:
        title: what the link leads to.
        subtitle: more about it, beside the title.
        pictures: drawings without a style of their own, shown side by side.
    """
    left = EDGE + 20
    shown = text(left, BASELINE, title, 40, "b", room=WIDTH - 2 * left)
    room = WIDTH - 2 * left - width(title, 40, "b") - 40
    wide = (WIDTH - EDGE) / len(pictures) - EDGE
    boxes = [(EDGE + place * (wide + EDGE), TOP, wide, HEIGHT - TOP - EDGE) for place in range(len(pictures))]
    return el(
        "svg",
        el("style", Markup(flat())),
        rect(0, 0, WIDTH, HEIGHT, "page"),
        text(left, 38, "BRINKMANSHIP", 19, "b m sp mu"),
        shown,
        text(WIDTH - left, BASELINE, subtitle, 26, "mu", "end", room=room) if subtitle and room > 0 else None,
        [placed(drawn, *box) for drawn, box in zip(pictures, boxes, strict=True)],
        xmlns="http://www.w3.org/2000/svg",
        width=WIDTH,
        height=HEIGHT,
        class_="brink",
    )


def plain_picture(drawn: str) -> str:
    """Return a drawing without a style of its own as a picture for `png`, on the background of a page.

    Raises:
        ValueError: The drawing has no view box that begins at 0 0.
    """
    found = re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', drawn)
    if found is None:
        raise ValueError("the drawing has no view box that begins at 0 0")
    wide, high = map(float, found.groups())
    return el(
        "svg",
        el("style", Markup(flat())),
        rect(0, 0, wide, high, "page"),
        placed(drawn, 0, 0, wide, high),
        xmlns="http://www.w3.org/2000/svg",
        width=num(wide),
        height=num(high),
        class_="brink",
    )


def placed(drawn: str, x: float, y: float, wide: float, high: float) -> Markup:
    """Return a drawing in a box of another one, as large as fits; squeezed words keep no spaces between letters."""
    drawn = re.sub(r'(<text [^>]*class="[^"]*)\bsp\b(?=[^>]* textLength)', r"\1", drawn)
    box = f'<svg x="{num(x)}" y="{num(y)}" width="{num(wide)}" height="{num(high)}" '
    return Markup(drawn.replace("<svg ", box, 1))
