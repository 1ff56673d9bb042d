"""What the graphs of the games' courses share: a line of steps, and where the names at the ends of two lines go."""

from __future__ import annotations

from collections.abc import Iterable

from brinkmanship.drawing.svg import num


def steps(points: Iterable[tuple[float, float]]) -> str:
    """A line that holds its height until the point that changes it."""
    d = ""
    for x, y in points:
        d += f"H{num(x)}V{num(y)}" if d else f"M{num(x)} {num(y)}"
    return d


def apart(one: float, other: float, least: float = 15) -> tuple[float, float]:
    """Two heights moved apart where texts of so many pixels would cover each other; of equal ones the first goes up."""
    shift = max(least - abs(one - other), 0) / 2
    return (one - shift, other + shift) if one <= other else (one + shift, other - shift)
