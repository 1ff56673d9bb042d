"""Plots of a report: intervals, lines and bars, as SVG that takes its colours from the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10

from markupsafe import Markup

WIDTH, HEIGHT = 220, 8
"""Width of an interval plot, and height of one row."""
MARKS = ("M{x} {y}m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0", "M{x} {y}m-3-3h6v6h-6z", "M{x} {y}m0-4l4 7h-8z",
         "M{x} {y}m0-4l4 4-4 4-4-4z")  # fmt: skip
"""Signs distinguishable without colours: a circle, a square, a triangle, a lozenge. Drawn around a point."""
BOARD = (640, 260)
"""Width and height of a plot of lines or bars."""
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 12, 34

Interval = tuple[float, float]
"""A value, and half of its interval."""


def mark(number: int) -> Markup:
    """Return the sign of a player, as in the plots, for a legend."""
    path = MARKS[number % len(MARKS)].format(x=7, y=7)
    return Markup(
        f'<svg class="mark" viewBox="0 0 14 14" aria-hidden="true"><path class="p{number}" d="{path}"/></svg>'
    )


def intervals(found: Mapping[int, Interval], most: float, said: str) -> Markup:
    """Draw the intervals of one measure, a line for each player by its number, with 0 in the middle."""
    height = HEIGHT * len(found) + 4
    middle, scale = WIDTH / 2, (WIDTH / 2 - 4) / most
    parts = [f'<path class="zero" d="M{middle:g} 0V{height}"/>']
    for row, (number, each) in enumerate(found.items()):
        y = 2 + HEIGHT * (row + 0.5)
        x = middle + _held(each[0], most) * scale
        low, high = (middle + _held(each[0] + sign * each[1], most) * scale for sign in (-1, 1))
        shape = MARKS[number % len(MARKS)].format(x=f"{x:.1f}", y=f"{y:g}")
        parts.append(
            f'<path class="p{number} line" d="M{low:.1f} {y:g}H{high:.1f}"/><path class="p{number}" d="{shape}"/>'
        )
    return Markup(
        f'<svg class="at" viewBox="0 0 {WIDTH} {height}" role="img"><title>{escape(said)}</title>{"".join(parts)}</svg>'
    )


def reach(found: Sequence[Interval]) -> float:
    """Return the reach of a family of intervals from 0, rounded up to a round number."""
    furthest = max((abs(value) + margin for value, margin in found), default=1.0)
    return next(float(step) for step in (1, 2, 5, 10, 15, 20, 30, 40, 50, 75, 100, ceil(furthest)) if step >= furthest)


def _held(value: float, most: float) -> float:
    return max(-most, min(most, value))


class Axes:
    """A plot with both axes.

    Args:
        xs: the smallest and the largest value along the bottom.
        ys: those along the side.
        title: description of the plot for screen readers.
    """

    def __init__(self, xs: Interval, ys: Interval, title: str) -> None:
        self._xs, self._ys = xs, ys
        self._parts = [f"<title>{escape(title)}</title>"]

    def x(self, value: float) -> float:
        """Return the horizontal position of a value."""
        low, high = self._xs
        return LEFT + (value - low) / (high - low or 1) * (BOARD[0] - LEFT - RIGHT)

    def y(self, value: float) -> float:
        """Return the vertical position of a value."""
        low, high = self._ys
        return BOARD[1] - BOTTOM - (value - low) / (high - low or 1) * (BOARD[1] - TOP - BOTTOM)

    def level(self, value: float, said: str, kind: str = "grid") -> None:
        """Draw a horizontal line with a label."""
        y = self.y(value)
        self._parts.append(f'<path class="{kind}" d="M{LEFT} {y:.1f}H{BOARD[0] - RIGHT}"/>')
        self._parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(said)}</text>')

    def below(self, value: float, said: str) -> None:
        """Draw a label below the bottom."""
        self._parts.append(
            f'<text x="{self.x(value):.1f}" y="{BOARD[1] - BOTTOM + 18}" text-anchor="middle">{escape(said)}</text>'
        )

    def straight(self, start: Interval, end: Interval, kind: str = "grid") -> None:
        """Draw a straight line between two points, each (along the bottom, along the side)."""
        (x, y), (to_x, to_y) = start, end
        drawn = f"M{self.x(x):.1f} {self.y(y):.1f}L{self.x(to_x):.1f} {self.y(to_y):.1f}"
        self._parts.append(f'<path class="{kind}" d="{drawn}"/>')

    def line(self, number: int, points: Mapping[float, Interval]) -> None:
        """Draw the line of one player, with the intervals."""
        if not points:
            return
        drawn = " ".join(f"{self.x(at):.1f},{self.y(value):.1f}" for at, (value, _) in points.items())
        self._parts.append(f'<polyline class="p{number} line" points="{drawn}"/>')
        for at, (value, margin) in points.items():
            x, y = self.x(at), self.y(value)
            low, high = (self.y(max(self._ys[0], min(self._ys[1], value + sign * margin))) for sign in (-1, 1))
            shape = MARKS[number % len(MARKS)].format(x=f"{x:.1f}", y=f"{y:.1f}")
            self._parts.append(f'<path class="p{number} line" d="M{x:.1f} {low:.1f}V{high:.1f}"/>')
            self._parts.append(f'<path class="p{number}" d="{shape}"/>')

    def bar(self, number: int, at: float, breadth: float, value: float) -> None:
        """Draw a bar from the bottom, `breadth` units wide."""
        x, y = self.x(at), self.y(value)
        wide = self.x(at + breadth) - x
        height = max(0.0, BOARD[1] - BOTTOM - y)
        self._parts.append(
            f'<rect class="b{number}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{height:.1f}"/>'
        )

    def svg(self) -> Markup:
        """Return the whole drawing."""
        base = BOARD[1] - BOTTOM
        axis = f'<path class="zero" d="M{LEFT} {base}H{BOARD[0] - RIGHT}"/>'
        drawn = "".join([*self._parts, axis])
        return Markup(f'<svg class="plot" viewBox="0 0 {BOARD[0]} {BOARD[1]}" role="img">{drawn}</svg>')


def steps(low: float, high: float, count: int = 5) -> list[float]:
    """Return round numbers from `low` to `high`, at most about `count`."""
    span = max(high - low, 1e-9)
    power = 10.0 ** floor(log10(span / count))
    size = next(each * power for each in (1, 2, 2.5, 5, 10, 20) if span / (each * power) <= count)
    return [size * number for number in range(ceil(low / size), floor(high / size) + 1)]
