"""The score of a game as data, with all its parts, so that pages and terminals show it without knowing the game.

A game lists the sources of its score (`Narrator.score`) as tables of parts. Each part is a number for either side with
a message that names its source; the sums of the parts are the score.
"""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.engine.message import Message


class ScorePart(NamedTuple):
    """One source of points."""

    what: Message
    points: tuple[int, int]
    """Points of either side."""


class ScoreTable(NamedTuple):
    """A score of both sides as the sum of its parts."""

    title: Message
    parts: tuple[ScorePart, ...]
    """Parts in reading order; parts without points are included where that is worth knowing."""
    notes: tuple[Message, ...] = ()
    """Notes on the sums: the leader, why the game ended."""

    @property
    def totals(self) -> tuple[int, int]:
        """The sums of both sides."""
        return sum(part.points[0] for part in self.parts), sum(part.points[1] for part in self.parts)
