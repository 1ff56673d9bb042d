"""Series of games, such as a campaign, derived from its tables: nothing else is stored for it.

Player 0 is the player with side 0 in the first game. The game's rules (`Series`) define how an unfinished game counts;
a game that ended in a draw by agreement adds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.engine.series import Series
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import ACCEPT, RESIGN, TIMEOUT
from brinkmanship.web.tables.seats import Seat
from brinkmanship.web.tables.statuses import FINISHED


class SeriesGame(NamedTuple):
    """A game of a series."""

    table: LiveTable
    sides: tuple[int, int]
    """Side of each player."""
    points: tuple[int, int] | None
    """Points it added to each player's score; None while it is being played."""


class SeriesHistory(NamedTuple):
    """A series and its games so far."""

    id: str
    game: Game
    series: Series
    games: list[SeriesGame]

    @property
    def tables(self) -> list[LiveTable]:
        """Table of each game."""
        return [each.table for each in self.games]

    @property
    def last(self) -> LiveTable:
        """Table of the latest game."""
        return self.games[-1].table

    @property
    def players(self) -> list[Seat]:
        """Seat of each player at the latest table."""
        return [self.last.seats[side] for side in self.games[-1].sides]

    @property
    def can_go_on(self) -> bool:
        """True if the next game can begin."""
        return self.last.status == FINISHED and not self.series.standing.is_over

    @property
    def next_sides(self) -> tuple[int, int] | None:
        """Side of each player in the next game; None if the players agree on it."""
        return self.series.sides

    def side_at(self, table: LiveTable, player: int) -> int:
        """Return a player's side at a table of the series."""
        return next(each.sides[player] for each in self.games if each.table is table)


def history_of(tables: Sequence[LiveTable]) -> SeriesHistory:
    """Return the series of these tables, given in the order of its games.

    Raises:
        ValueError: The tables belong to no series.
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
    record = table.state.last_game_record
    if record is not None and record.kind in (RESIGN, TIMEOUT):
        return series.after_concession(
            sides.index(record.actor), everything=record.kind == RESIGN and bool(record.value)
        )
    if record is not None and record.kind == ACCEPT:
        return series.without_result()
    return series.after(table.seen_by(FULL_INFORMATION).view())
