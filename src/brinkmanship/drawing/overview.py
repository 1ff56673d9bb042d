"""A position as lines and lists, for a screen too small for a board: each thing that can be chosen is a row.

Words are text of the page, so that they keep their size and wrap; only shapes are pictures. A row contains what the
board shows of the thing: whether it can be chosen, what is there, who leads, and the ghosts of the selected action.
See `Drawing.overview`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from brinkmanship.drawing import icons
from brinkmanship.drawing.svg import NOTHING, Child, Markup, Value, el, group, line, num

Chosen = Literal["place", "track", "area", ""]
"""Kind of a row in the game's actions (`ActionParts`); "" for a row that cannot be chosen."""


class OverviewRow(NamedTuple):
    """A row for one thing of the board."""

    chosen: Chosen
    id: str
    """Its id in actions."""
    name: str
    lead: str
    """The leader there, or a value."""
    description: tuple[str, ...]
    """Full description, line by line: for screen readers and the details view."""
    shapes: Markup = NOTHING
    """Picture of what is there, with ghosts of what would come and go."""
    signs: Markup = NOTHING
    """Picture beside the name."""
    band: str = ""
    """CSS class of the edge, a role of `style.PALETTE`: the kind of a battleground, the colour of a zone."""
    side: int | None = None
    """The side that leads; None if neither does."""
    can: bool = False
    """True if it can be chosen."""
    changed: bool = False
    """True if the selected action would change it."""
    whose: str = ""
    """The side it belongs to, where each side has one with the same id in actions, such as its Reserve."""

    @property
    def mark(self) -> str:
        """Its name among the things that have changed: "berlin", "area:us", or "reserve:us" for one of each side."""
        return f"area:{self.id}" if self.chosen == "area" else f"{self.id}:{self.whose}" if self.whose else self.id


class OverviewPart(NamedTuple):
    """Rows under a heading; the heading is "" if none is needed."""

    heading: str
    rows: list[OverviewRow]


class Tab(NamedTuple):
    """Lists of one kind of thing."""

    id: str
    title: str
    parts: list[OverviewPart]
    warning: str = ""
    """Description of the danger there."""


class OverviewLine(NamedTuple):
    """The progress of the game, or the side that is ahead, on one line."""

    words: str
    picture: Markup
    description: str
    """Full description, for a screen reader."""


class Overview(NamedTuple):
    """The contents of a small screen for a position."""

    lines: list[OverviewLine]
    tabs: list[Tab]


def picture(width: float, height: float, *children: Child, **attributes: Value) -> Markup:
    """Draw a small picture for a line or row, with a fixed size; the words beside it describe it."""
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
    """Draw the cubes of both sides across a line, `most` places a side; ghosts show the change from `now` to `then`."""
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
        drawn.append(icons.slots(side, points[max(had, has) : most]))
    return picture(2 * wide, high, drawn)


def warning(x: float, *, grave: bool) -> Markup:
    """Draw a warning sign, 18 wide, for a picture 20 high."""
    return group(icons.warning(0, 0, grave=grave), transform=f"translate({num(x)} 1) scale(1.25)")


def becomes(now: str, then: str) -> str:
    """Return the current value of something and, if it differs, the value it would have."""
    return now if now == then else f"{now} → {then}"


def lit(chosen: Chosen, id: str, highlights: frozenset[str]) -> bool:
    """Return True if a thing is among the highlights of a board, where areas are named "area:us"."""
    return (f"area:{id}" if chosen == "area" else id) in highlights
