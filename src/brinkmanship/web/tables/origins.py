"""What a table belongs to or goes back to: a series, a match, a deal of the day, another game."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from brinkmanship.engine.continuation import Prefix


class SeriesPlace(NamedTuple):
    """Place of a table in a series of games."""

    series: str
    """Id of the series: the id of its first table."""
    number: int
    """Number of the game, from 0."""
    swapped: bool
    """True if the sides are swapped relative to the first game, in which player 0 had side 0."""

    @property
    def sides(self) -> tuple[int, int]:
        """Side of each player."""
        return (1, 0) if self.swapped else (0, 1)


class MatchPlace(NamedTuple):
    """Place of a table in a match of two games."""

    match: str
    """Id of the match."""
    number: int
    """Number of the game, 0 or 1; in game 1 the sides are swapped."""


class Occasion(NamedTuple):
    """Purpose of a table against the computer, besides a single game."""

    kind: str
    """"daily" for a deal of the day, "solo" for a stage of a crisis diary."""
    address: str
    """Path of the page that it belongs to."""

    @classmethod
    def of_daily(cls, game_id: str, day: int) -> Occasion:
        """Return the occasion of a game of a deal of the day."""
        return cls("daily", f"/daily/{game_id}/{date.fromordinal(day).isoformat()}")

    @classmethod
    def of_solo(cls, game_id: str, side: int) -> Occasion:
        """Return the occasion of a stage of a crisis diary."""
        return cls("solo", f"/solo/{game_id}/{side}")


class Origin(NamedTuple):
    """Origin of a game that continues from a position of another game, which is open to everyone."""

    address: str
    """Path of the other game: "/t/ID" or "/u/ID"."""
    same_chance: bool
    """True if chance is the same as in the other game; otherwise it is drawn again."""
    given: Prefix
    """Actions that led to the position."""

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Origin | None:
        """Return the origin stored in a table's row; None for a game that started from the beginning."""
        kept = row.get("origin")
        if kept is None:
            return None
        return cls(kept["from"], kept["same"], tuple((actor, action) for actor, action in kept["given"]))

    def as_json(self) -> dict[str, Any]:
        """Return the value stored in the table's row."""
        return {"from": self.address, "same": self.same_chance, "given": self.given}

    @property
    def step(self) -> int:
        """Step of the other game's replay that shows the position."""
        return len(self.given)
