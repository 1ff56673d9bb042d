"""Hints as data: what playouts make of the answers to a question.

`players.hints` works them out, `text.hints` puts them into words.
"""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.engine.message import Message


class Reply(NamedTuple):
    """What the other side would likely do next."""

    action: int
    text: Message
    """As `Narrator.describe` puts it."""
    share: float
    """Of the worlds looked at, those in which it does so."""


class Hint(NamedTuple):
    """One answer, as playouts judge it."""

    action: int
    win: float
    """How likely the side wins, 0..1; a draw counts half. Against a mixture, where both are asked in secret."""
    error: float
    """The standard error of `win`."""
    is_best: bool
    """Whether it is the best, or no more than two standard errors of the difference behind the best."""
    war: float | None
    """The part of the playouts that end in a war that the side does not win, as far as they are played on; None where
    the game has no such end."""
    share: float | None
    """How often to give this answer to a question put to both sides in secret; None for any other question."""
    reason: Message | None
    """Why the player `rules` would take it; of other answers what speaks for and against them beside the rest. In the
    catalogue ``players``; None where nothing does so clearly."""
    reply: Reply | None
    """What follows likely; None where the side itself goes on, nobody does, or no answer is likely."""
    score: float | None = None
    """The mean lead of the side in the points of the game where the playouts stop, those aside that a war ends; None
    where the game is not counted in points, or a war ends all."""


class Hints(NamedTuple):
    """What a side is advised."""

    side: int
    hints: tuple[Hint, ...]
    """The best first; of a secret question the answer to be given most often."""
    worlds: int
    """In which all of them were played on."""
    playouts: int

    @property
    def is_secret(self) -> bool:
        """Whether the answers have to be mixed: both sides are asked in secret."""
        return bool(self.hints) and self.hints[0].share is not None
