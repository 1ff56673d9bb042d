"""A series of games that belong together, as a campaign: what the next game is, and who has won.

A game that has one offers a class like this by `Game.series`. The web and the terminal show any series without knowing
the game: a score for each *player* (players keep their number, sides may change), and the state of things after each
finished game. A series is a value: `after` returns a new one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from brinkmanship.engine.record import State


class Standing(NamedTuple):
    """How a series stands."""

    score: tuple[int, int]
    """Points of each player so far."""
    games: int
    """Finished games."""
    target: int
    """Points that win."""
    winners: tuple[int, ...]
    """Players that have won: none while it goes on, and none if it ended without a winner."""
    is_over: bool
    reason: str
    """Why it ended, "" while it goes on."""


class Series(ABC):
    """A series of games between two players."""

    @property
    @abstractmethod
    def standing(self) -> Standing:
        """How it stands now."""

    @property
    @abstractmethod
    def sides(self) -> tuple[int, int] | None:
        """The side of each player in the next game; None: the players agree on it (`choose_sides`)."""

    @abstractmethod
    def choose_sides(self, sides: tuple[int, int]) -> Series:
        """The series with these sides in the next game."""

    @abstractmethod
    def after(self, state: State) -> Series:
        """The series after a game that was played to its end: its final state."""

    @abstractmethod
    def without_result(self) -> Series:
        """The series after a game that both agreed to end without a result: it is played, and adds nothing."""

    @abstractmethod
    def after_concession(self, player: int, everything: bool) -> Series:
        """The series after a player gave up a game (or ran out of time), or `everything`."""
