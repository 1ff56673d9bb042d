"""Points of a finished game, from its result as journals write it."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.tournament.event import Points

DRAWS = ("agreement", "draw")
"""Endings without a winner that are no catastrophe for both sides; from others nobody has a point."""
ON_TIME = "time"


def points_of(sides: Sequence[str], result: str) -> Points:
    """Return the points of both sides for a result such as "us by resignation"."""
    winner, _, reason = result.partition(" by ")
    if winner in sides:
        return (1.0, 0.0) if winner == sides[0] else (0.0, 1.0)
    return (0.5, 0.5) if reason in DRAWS else (0.0, 0.0)


def loser_on_time(sides: Sequence[str], result: str) -> int | None:
    """Return the side that lost on time; None if the game ended otherwise."""
    winner, _, reason = result.partition(" by ")
    return 1 - sides.index(winner) if winner in sides and reason == ON_TIME else None
