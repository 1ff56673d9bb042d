"""Match of two games, derived from its tables: nothing else is stored for it.

Player 0 has side 0 in the first game and side 1 in the second. A game is worth a point, a draw half a point to each. An
analysis tells how much luck a game brought each player; without it the score is what their choices are worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brinkmanship.analysis.report import Analysis, Bars
from brinkmanship.engine.game import Game
from brinkmanship.engine.journal import ending_of
from brinkmanship.store.matches import GAMES, KeptMatch
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seats import Seat
from brinkmanship.web.tables.statuses import FINISHED, WAITING

PLAYERS = (0, 1)
BOTH_READY = 0b11


class Luck(NamedTuple):
    """Luck of a player in analysed games, in games: 1.0 is a game."""

    luck: float
    error: float
    """Standard error of the playouts."""


class MatchGame(NamedTuple):
    """A game of a match."""

    number: int
    """Number of the game, 0 or 1."""
    table: LiveTable

    @property
    def sides(self) -> tuple[int, int]:
        """Side of each player."""
        return (1, 0) if self.number else (0, 1)

    @property
    def points(self) -> tuple[float, float] | None:
        """Points of each player; None while it is being played."""
        if self.table.status != FINISHED:
            return None
        by_side = points_of(self.table.game, self.table.result)
        return by_side[self.sides[0]], by_side[self.sides[1]]


class MatchHistory(NamedTuple):
    """A match and its games so far."""

    kept: KeptMatch
    games: tuple[MatchGame, ...]

    @property
    def id(self) -> str:
        """Id of the match."""
        return self.kept.id

    @property
    def first(self) -> LiveTable:
        """Table of the first game; both have its rules and terms."""
        return self.games[0].table

    @property
    def players(self) -> list[Seat]:
        """Seat of each player at the first table."""
        return self.first.seats

    @property
    def score(self) -> tuple[float, float]:
        """Points of each player so far."""
        found = [points for game in self.games if (points := game.points) is not None]
        return sum(points[0] for points in found), sum(points[1] for points in found)

    @property
    def is_over(self) -> bool:
        """True if both games are over."""
        return len(self.games) == GAMES and all(game.table.status == FINISHED for game in self.games)

    @property
    def is_waiting(self) -> bool:
        """True if a player is missing."""
        return self.first.status == WAITING

    @property
    def in_break(self) -> bool:
        """True between the two games."""
        return len(self.games) < GAMES and self.first.status == FINISHED

    def player_of(self, person_id: str | None) -> int | None:
        """Return the number of the player that a user is; None for other users."""
        mine = self.first.seat_of(person_id)
        return mine[0] if mine else None

    def is_ready(self, player: int) -> bool:
        """Return True if a player has asked for the second game."""
        return bool(self.kept.ready >> player & 1)


def points_of(game: Game, result: str) -> tuple[float, float]:
    """Return the points of each side for a result: 1 for a win, 0.5 for a draw or a game that both lose."""
    winner = ending_of(game, result).winner
    if winner is None:
        return 0.5, 0.5
    return (1.0, 0.0) if winner == 0 else (0.0, 1.0)


def bars_of(game: MatchGame, analysis: Analysis, player: int) -> Bars:
    """Return the parts of the result of a game for a player."""
    return analysis.bars(game.sides[player])


def luck_of(games: Sequence[tuple[MatchGame, Analysis]], player: int) -> Luck:
    """Return the sum of a player's luck in some games."""
    bars = [bars_of(game, analysis, player) for game, analysis in games]
    return Luck(sum(one.luck for one in bars), sum(one.luck_error**2 for one in bars) ** 0.5)


def score_without_luck(match: MatchHistory, analyses: Sequence[Analysis | None]) -> tuple[float, float] | None:
    """Return the score that is left when the luck of each game is taken out; None before all games are analysed."""
    known = [(game, found) for game, found in zip(match.games, analyses, strict=True) if found is not None]
    if not match.is_over or len(known) < len(match.games):
        return None
    first, second = (match.score[player] - luck_of(known, player).luck for player in PLAYERS)
    return first, second
