"""A position as lines and lists, for a screen too small for a board: each thing that can be chosen is a row.

Words are text of the page, so that they keep their size and break where they must; only shapes are pictures. A row
holds what a board's thing holds: where something may be chosen, what lies there, who leads, and the ghost of what is
being chosen. See `Drawing.overview`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from brinkmanship.drawing import icons
from brinkmanship.drawing.svg import NOTHING, Child, Markup, Value, el, group, line, num

Chosen = Literal["place", "track", "area", ""]
"""What a row is to the game's actions (`ActionParts`); "" for one that only tells something."""


class Row(NamedTuple):
    """A thing of the board on a line of its own."""

    chosen: Chosen
    id: str
    """As actions name it."""
    name: str
    lead: str
    """Who leads there, or how much it is."""
    told: tuple[str, ...]
    """All that is to be known of it, line by line: for a screen reader, and for who asks."""
    shapes: Markup = NOTHING
    """What lies there, as a picture; with ghosts of what would come and go."""
    signs: Markup = NOTHING
    """What stands beside the name, as a picture."""
    band: str = ""
    """The class of the edge, a role of `style.PALETTE`: the kind of a battleground, the colour of a zone."""
    side: int | None = None
    """Who leads."""
    can: bool = False
    """Whether it is among what can be chosen."""
    changed: bool = False
    """Whether what is being chosen would change it."""
    whose: str = ""
    """The side's, where actions name by the same id what each side has: its own Reserve, say."""


class Part(NamedTuple):
    """Rows under a heading, "" where none is needed."""

    heading: str
    rows: list[Row]


class Tab(NamedTuple):
    """Lists of one kind of thing."""

    id: str
    title: str
    parts: list[Part]
    warning: str = ""
    """What is dangerous there, in words."""


class Line(NamedTuple):
    """How far the game is, or who is ahead, on one line."""

    words: str
    picture: Markup
    told: str
    """All of it, for a screen reader."""


class Overview(NamedTuple):
    """What a small screen shows of a position."""

    lines: list[Line]
    tabs: list[Tab]


def picture(width: float, height: float, *children: Child, **attributes: Value) -> Markup:
    """A small picture of a line or row, which keeps its size; the words beside it say what it shows."""
    return el(
        "svg",
        *children,
        class_="brink",
        viewBox=f"0 0 {num(width)} {num(height)}",
        width=width,
        height=height,
        aria_hidden="true",
        **attributes,
    )


def facing(now: Sequence[int], then: Sequence[int], most: int) -> Markup:
    """The cubes of both sides across a line, with `most` places a side; ghosts of what changes toward `then`."""
    wide, high = 62.0, 22.0
    places = max(most, *now, *then)
    step = min(13.0, wide / places)
    drawn: list[Markup] = [line(wide, 1, wide, high - 1, "line")]
    for side in range(2):
        points = [(wide + (step * (n + 0.62)) * (1 if side else -1), high / 2) for n in range(places)]
        had, has = now[side], then[side]
        size = step * (0.8 if side == 0 else 0.72)
        drawn += [icons.cube(side, *point, size) for point in points[:had]]
        drawn += [icons.cube(side, *point, size, "g") for point in points[had:has]]
        drawn += [icons.crossed(*point, size) for point in points[has:had]]
        drawn.append(icons.slots(side, points[max(had, has) : most], size))
    return picture(2 * wide, high, drawn)


def warning(x: float, *, grave: bool) -> Markup:
    """A sign of danger, 18 wide, for a picture 20 high."""
    return group(icons.warning(0, 0, grave=grave), transform=f"translate({num(x)} 1) scale(1.25)")


def becomes(now: str, then: str) -> str:
    """What something is, and what it would be."""
    return now if now == then else f"{now} → {then}"


def lit(chosen: Chosen, id: str, highlights: frozenset[str]) -> bool:
    """Whether a thing is among the highlights of a board, which calls areas "area:us"."""
    return (f"area:{id}" if chosen == "area" else id) in highlights
