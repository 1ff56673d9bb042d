"""Shared parts of the graphs of games: step lines, and positions for the labels at the ends of two lines."""

from __future__ import annotations

from collections.abc import Iterable

from brinkmanship.drawing.svg import num


def steps(points: Iterable[tuple[float, float]]) -> str:
    """Return the path data of a step line: each value holds until the next point."""
    d = ""
    for x, y in points:
        d += f"H{num(x)}V{num(y)}" if d else f"M{num(x)} {num(y)}"
    return d


def apart(one: float, other: float, least: float = 15) -> tuple[float, float]:
    """Return two heights moved at least `least` pixels apart to keep labels separate; of equal ones the first rises."""
    shift = max(least - abs(one - other), 0) / 2
    return (one - shift, other + shift) if one <= other else (one + shift, other - shift)
