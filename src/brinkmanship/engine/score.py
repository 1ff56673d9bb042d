"""The score of a game with all that it is made of, as data: pages and terminals draw it without knowing the game.

A game says what its score comes from (`Narrator.score`) as tables of parts. Each part is a number for either side with
a message for what gave it; the sums of the parts are the score.
"""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.engine.message import Message


class Part(NamedTuple):
    """One thing that gave or took points."""

    what: Message
    points: tuple[int, int]
    """Of either side."""


class ScoreTable(NamedTuple):
    """A score of both sides as the sum of its parts."""

    title: Message
    parts: tuple[Part, ...]
    """In the order they are read; parts that moved nothing may be among them where that is worth knowing."""
    notes: tuple[Message, ...] = ()
    """What is to be said of the sums: who leads, why the game ended."""

    @property
    def totals(self) -> tuple[int, int]:
        """The sums of both sides."""
        return sum(part.points[0] for part in self.parts), sum(part.points[1] for part in self.parts)
