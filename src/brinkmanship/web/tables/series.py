"""A series of games, as a campaign, told from its tables: nothing else is kept of it.

Player 0 is who had side 0 in the first game. How a game counts that was not played to its end follows the rules of
the game (`Series`); a game that both agreed to end without a result adds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.engine.series import Series
from brinkmanship.web.tables.live_table import ACCEPT, FINISHED, RESIGN, TIMEOUT, LiveTable, Seat


class SeriesGame(NamedTuple):
    """A game of a series."""

    table: LiveTable
    sides: tuple[int, int]
    """Of each player."""
    points: tuple[int, int] | None
    """What it added to each player's score; None while it is played."""


class SeriesHistory(NamedTuple):
    """A series and its games so far."""

    id: str
    game: Game
    series: Series
    games: list[SeriesGame]

    @property
    def tables(self) -> list[LiveTable]:
        """The table of each game."""
        return [each.table for each in self.games]

    @property
    def last(self) -> LiveTable:
        """The table of the latest game."""
        return self.games[-1].table

    @property
    def players(self) -> list[Seat]:
        """Who plays: where each player sits at the latest table."""
        return [self.last.seats[side] for side in self.games[-1].sides]

    @property
    def can_go_on(self) -> bool:
        """Whether the next game can begin."""
        return self.last.status == FINISHED and not self.series.standing.is_over

    @property
    def next_sides(self) -> tuple[int, int] | None:
        """The side of each player in the next game; None: the players agree on it."""
        return self.series.sides

    def side_at(self, table: LiveTable, player: int) -> int:
        """The side a player has at a table of the series."""
        return next(each.sides[player] for each in self.games if each.table is table)


def told(tables: Sequence[LiveTable]) -> SeriesHistory:
    """The series whose tables these are, in the order of its games.

    Raises:
        ValueError: the tables belong to no series.
    """
    first = tables[0]
    series = first.game.series()
    if series is None or first.part is None:
        raise ValueError(f"table {first.id} belongs to no series")
    games = []
    for table in tables:
        sides = table.part.sides if table.part else (0, 1)
        points = None
        if table.status == FINISHED:
            before = series.standing.score
            series = _after(series.choose_sides(sides), table, sides)
            score = series.standing.score
            points = (score[0] - before[0], score[1] - before[1])
        games.append(SeriesGame(table, sides, points))
    return SeriesHistory(first.part.series, first.game, series, games)


def _after(series: Series, table: LiveTable, sides: tuple[int, int]) -> Series:
    deed = table.last_deed
    if deed is not None and deed.kind in (RESIGN, TIMEOUT):
        return series.after_concession(sides.index(deed.actor), everything=deed.kind == RESIGN and bool(deed.value))
    if deed is not None and deed.kind == ACCEPT:
        return series.without_result()
    return series.after(table.seen_by(FULL_INFORMATION).view())
