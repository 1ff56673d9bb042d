"""Results of a duplicate round, compared among the players of the same side, who had the same cards.

As in bridge with matchpoints, a result is compared with that of every other table: a better one counts 1, an equal one
half; the sum is given as a share of the most possible. The difference to the average of the side is shown beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class SideResult(NamedTuple):
    """Result of one side at one table."""

    points: float
    """1 for a win, 0.5 for a draw."""
    difference: float
    """Points minus the average of this side at all tables."""
    matchpoints: float | None
    """Share of the other tables whose result on this side it beats, a tie counting half; None for a single table."""


class TableResult(NamedTuple):
    """Result of a table, by side."""

    first: SideResult
    second: SideResult


def averages(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the average points of each side at some tables; there must be one."""
    return sum(each[0] for each in points) / len(points), sum(each[1] for each in points) / len(points)


def compared(points: Sequence[tuple[float, float]]) -> list[TableResult]:
    """Return the results of tables, given their points by side."""
    if not points:
        return []
    return [TableResult(_result(points, number, 0), _result(points, number, 1)) for number in range(len(points))]


def _result(points: Sequence[tuple[float, float]], number: int, side: int) -> SideResult:
    own = points[number][side]
    others = [each[side] for index, each in enumerate(points) if index != number]
    beaten = sum(1.0 if own > other else 0.5 for other in others if own >= other)
    return SideResult(own, own - averages(points)[side], beaten / len(others) if others else None)
