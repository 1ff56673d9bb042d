"""Graphs of profiles and statistics as SVG: a rating with its deviation over time, and a histogram."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor

from brinkmanship.drawing.document import drawing
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.svg import Markup, el, line, num, path, rect
from brinkmanship.web.profiles.ratings import RatingPoint
from brinkmanship.web.profiles.statistics import Histogram

WIDTH, HEIGHT = 420.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 12.0, 14.0, 28.0
"""Margins in the units of the drawings."""
LETTERS = 15
MAX_POINTS = 200
"""Maximum points of a line; more could not be told apart."""
RATING_STEPS = (10, 20, 50, 100, 200, 500)
"""Distances of grid lines."""
MAX_LINES = 4
"""Maximum distances of grid lines that a graph spans, before they are rounded outwards."""


def rating_graph(points: Sequence[RatingPoint], label: str, when: Callable[[float], str]) -> Markup:
    """Draw a rating over time with a band of one deviation to each side.

    Args:
        points: the ratings, oldest first; at least two.
        label: accessible name.
        when: returns the text of a time.
    """
    shown = [*points[:: ceil(len(points) / MAX_POINTS)][:-1], points[-1]]
    low = min(point.rating - point.deviation for point in shown)
    high = max(point.rating + point.deviation for point in shown)
    step = next((each for each in RATING_STEPS if (high - low) / each <= MAX_LINES), RATING_STEPS[-1])
    first, last = shown[0].at, max(shown[-1].at, shown[0].at + 1.0)
    bottom, top = floor(low / step) * step, ceil(high / step) * step

    def x(at: float) -> float:
        return LEFT + (at - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def y(rating: float) -> float:
        return TOP + (top - rating) / max(1.0, top - bottom) * (HEIGHT - TOP - BOTTOM)

    upper = [(x(point.at), y(point.rating + point.deviation)) for point in shown]
    lower = [(x(point.at), y(point.rating - point.deviation)) for point in reversed(shown)]
    return drawing(
        WIDTH,
        HEIGHT,
        [_grid_line(y(value), str(value)) for value in range(bottom, top + 1, step)],
        path(f"{_line(upper + lower)}Z", "band"),
        path(_line([(x(point.at), y(point.rating)) for point in shown]), "plot ink"),
        text(LEFT, HEIGHT - 8, when(first), LETTERS, "mu"),
        text(WIDTH - RIGHT, HEIGHT - 8, when(last), LETTERS, "mu", "end"),
        standalone=None,
        css="rating-graph",
        role="img",
        aria_label=label,
    )


def histogram(found: Histogram, label: str) -> Markup:
    """Draw a histogram; `label` is its accessible name."""
    most = max(found.bars)
    wide = (WIDTH - LEFT - RIGHT) / len(found.bars)

    def y(count: float) -> float:
        return TOP + (1 - count / most) * (HEIGHT - TOP - BOTTOM)

    every = ceil(len(found.bars) / 6)
    return drawing(
        WIDTH,
        HEIGHT,
        [_grid_line(y(count), str(count)) for count in sorted({0, most // 2, most})],
        [
            rect(LEFT + place * wide + 1, y(count), wide - 2, y(0) - y(count), "bar")
            for place, count in enumerate(found.bars)
            if count
        ],
        [
            text(LEFT + place * wide, HEIGHT - 8, str(found.first + place * found.width), LETTERS, "mu", "middle")
            for place in range(0, len(found.bars), every)
        ],
        standalone=None,
        css="histogram",
        role="img",
        aria_label=label,
    )


def _grid_line(y: float, label: str) -> Markup:
    return el("g", line(LEFT, y, WIDTH - RIGHT, y, "rule"), text(LEFT - 7, y + 5, label, LETTERS, "mu", "end"))


def _line(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)
