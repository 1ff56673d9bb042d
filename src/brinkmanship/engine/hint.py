"""Hints as data: evaluations of the legal choices by playouts.

`players.hints` computes them, `text.hints` puts them into words.
"""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.engine.message import Message


class Reply(NamedTuple):
    """The likely next action of the other side."""

    action: int
    text: Message
    """Its description (`Narrator.describe`)."""
    share: float
    """Fraction of the sampled deals in which the other side takes it."""


class Hint(NamedTuple):
    """One choice, as playouts evaluate it."""

    action: int
    win: float
    """Win probability of the side, 0..1; a draw counts half. In a simultaneous choice: against a mixed strategy."""
    error: float
    """Error of `win`: the standard error of the playouts and their bias together; 0 if it is exact."""
    is_best: bool
    """True if it is the best, or at most two standard errors of the difference behind the best."""
    war: float | None
    """Fraction of the playouts that end in a war that the side does not win, within the simulated horizon; None if the
    game has no such ending.
    """
    share: float | None
    """Recommended probability of this choice in a simultaneous choice; None for any other question."""
    reason: Message | None
    """Why the player `rules` would take it; for other choices their advantages and drawbacks compared with the rest. In
    the catalogue ``players``; None without a clear reason.
    """
    reply: Reply | None
    """The likely reply; None if the side itself acts next, no side does, or no reply is likely."""
    score: float | None = None
    """The side's mean lead in points of the game where the playouts stop, without those that end in war; None if the
    game has no points, or all playouts end in war.
    """


class Hints(NamedTuple):
    """Advice for a side."""

    side: int
    hints: tuple[Hint, ...]
    """The choices, best first; in a simultaneous choice by recommended probability."""
    worlds: int
    """Number of sampled deals; all choices were simulated in each."""
    playouts: int

    @property
    def is_secret(self) -> bool:
        """True if the choices have to be mixed: both sides choose in secret."""
        return bool(self.hints) and self.hints[0].share is not None
