"""A series of games that belong together, such as a campaign: the next game, the score and the winner.

A game that has one offers a class like this by `Game.series`. The web and the terminal show any series without knowing
the game: a score for each *player* (players keep their number, sides may change), and the standing after each
finished game. A series is a value: `after` returns a new one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from brinkmanship.engine.record import State


class Standing(NamedTuple):
    """The standing of a series."""

    score: tuple[int, int]
    """Points of each player so far."""
    games: int
    """Finished games."""
    target: int
    """Points needed to win."""
    winners: tuple[int, ...]
    """Players that have won: empty while the series is in progress, and if it ended without a winner."""
    is_over: bool
    reason: str
    """Why it ended, "" while it is in progress."""


class Series(ABC):
    """A series of games between two players."""

    @property
    @abstractmethod
    def standing(self) -> Standing:
        """The current standing."""

    @property
    @abstractmethod
    def sides(self) -> tuple[int, int] | None:
        """The side of each player in the next game; None: the players agree on it (`choose_sides`)."""

    @abstractmethod
    def choose_sides(self, sides: tuple[int, int]) -> Series:
        """Return the series with these sides in the next game."""

    @abstractmethod
    def after(self, state: State) -> Series:
        """Return the series after a finished game, given its final state."""

    @abstractmethod
    def without_result(self) -> Series:
        """Return the series after a game ended without a result by agreement: it counts as played, without points."""

    @abstractmethod
    def after_concession(self, player: int, everything: bool) -> Series:
        """Return the series after a player conceded a game (or ran out of time), or the whole series (`everything`)."""
