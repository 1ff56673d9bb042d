"""What follows a game at another table: the next game of a campaign, or a rematch.

A new table is linked from the old one, in one transaction; so both players come to the same one.
"""

from __future__ import annotations

import asyncio
import time

from sqlalchemy import Engine, bindparam, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.store import repository, schema
from brinkmanship.store.writer import Statement
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.tables.actions import check_seat
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.live_table import FINISHED, WISH, LiveTable, Part, Seat
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Plan, Seating
from brinkmanship.web.tables.series import SeriesHistory, told

_set_rematch = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("table"))
    .values(rematch=bindparam("new_rematch"), **schema.CHANGED)
)


class Campaigns:
    """Campaigns and rematches."""

    def __init__(self, engine: Engine, tables: TableRegistry, records: EventLog, seating: Seating) -> None:
        self._engine = engine
        self._tables = tables
        self._records = records
        self._seating = seating

    async def series(self, series_id: str) -> SeriesHistory:
        """How a series of games stands, and its tables.

        Raises:
            NotFoundError: there is no such series.
        """
        ids = await asyncio.to_thread(repository.tables_of_series, self._engine, series_id)
        if not ids:
            raise NotFoundError(f"there is no campaign {series_id}")
        return told([await self._tables.table(table_id) for table_id in ids])

    async def next_game(
        self, table_id: str, person_id: str, swapped: bool | None = None, contributes: bool = False
    ) -> LiveTable:
        """Begin the next game of a series, or say which sides it shall have; returns the table to go to.

        Args:
            contributes: whether this person adds random bytes to the deal; who did so in the last game does it again.
            swapped: where the players agree on the sides: whether they shall be other than in the first game. The game
                begins once both have said the same; a computer player agrees.

        Raises:
            ForbiddenError: the person does not play here.
            IllegalError: the game is no finished one of a series that goes on, or nothing was said about the sides.
        """
        table = await self._tables.fresh(table_id)
        mine = table.seat_of(person_id)
        if not mine:
            raise ForbiddenError(
                "only those who play in the campaign can begin its next game", said="refused.not_yours"
            )
        story = await self._series_of(table)
        if table.id != story.last.id:
            return story.tables[table.part.number + 1] if table.part else story.last
        sides = story.next_sides
        if sides is None:
            if swapped is None:
                raise IllegalError("the players agree on the sides: say which they shall be", said="refused.sides")
            for side in mine:
                await self._wish(table, person_id, side, swapped)
            people = [seat.side for seat in table.seats if not seat.computer]
            if any(table.wishes.get(side) != swapped for side in people):
                return table
            sides = (1, 0) if swapped else (0, 1)
        return await self._begin_next(table, story, sides, person_id if contributes else "")

    async def rematch(
        self, table_id: str, person_id: str, name: str, contributes: bool = False, player: str = ""
    ) -> tuple[LiveTable, dict[int, str]]:
        """A new table with the same ruleset and the sides swapped; the opponent finds it at the old table.

        Args:
            contributes: whether this person adds random bytes to the deal; who did so in the last game does it again.
            player: of a game against the computer: who shall play instead, as another level; "" for the same.

        Raises:
            ForbiddenError: the person did not play here.
            IllegalError: no computer player has that name; or the campaign goes on, or the other player is gone.
        """
        table = await self._tables.fresh(table_id)
        sides = table.seat_of(person_id)
        if not sides:
            raise ForbiddenError("only those who played here can ask for a rematch", said="refused.not_yours")
        _check_nobody_has_gone(table)
        if table.part and not (await self.series(table.part.series)).series.standing.is_over:
            raise IllegalError("the campaign goes on: begin its next game", said="refused.campaign_goes_on")
        seats = []
        for side in range(len(table.seats)):
            old = table.seats[len(table.seats) - 1 - side]
            if old.person_id == person_id:
                seats.append("me")
            else:
                seats.append(f"computer:{player or old.computer}" if old.computer else "friend")
        contributes = contributes or any(table.seats[side].contributes for side in sides)
        data = await self._seating.data_of(table)
        is_series = table.part is not None
        plan = Plan(table.game.id, seats, dict(table.game.options), table.terms, is_series, contributes, data)
        new, tokens = await self._seating.create(plan, person_id, name)
        if not tokens:
            return new, tokens
        # The old opponent needs no link: the seat is kept for that person.
        for side in tokens:
            old = table.seats[len(table.seats) - 1 - side]
            if old.person_id:
                seat = Seat(side, person_id=old.person_id, name=old.name, contributes=old.contributes)
                await self._seating.seat(new, seat, _link(table, new.id))
        table.rematch = new.id
        self._tables.changed(table)
        return new, {}

    async def _series_of(self, table: LiveTable) -> SeriesHistory:
        if table.part is None:
            raise IllegalError("this game belongs to no campaign", said="refused.no_campaign")
        story = await self.series(table.part.series)
        if table.status != FINISHED:
            raise IllegalError("the game is not over yet", said="refused.not_over")
        if story.series.standing.is_over and table.id == story.last.id:
            raise IllegalError("the campaign is over", said="refused.campaign_over")
        return story

    async def _wish(self, table: LiveTable, person_id: str, side: int, swapped: bool) -> None:
        def checked() -> TableRecord:
            check_seat(table, person_id, side)
            return TableRecord(WISH, side, int(swapped), time.time())

        if table.wishes.get(side) != swapped:
            await self._records.do(table, checked)

    async def _begin_next(
        self, table: LiveTable, story: SeriesHistory, sides: tuple[int, int], contributor: str
    ) -> LiveTable:
        _check_nobody_has_gone(table)
        part = Part(story.id, len(story.tables), sides == (1, 0))
        seats = []
        for side in range(len(table.seats)):
            old = table.seats[story.side_at(table, sides.index(side))]
            contributes = old.contributes or (old.person_id is not None and old.person_id == contributor)
            seats.append(Seat(side, old.person_id, old.computer, old.name, contributes=contributes))
        table_id = new_id()
        try:
            new = await self._seating.set_table(
                table_id, table.game, seats, table.terms, table.is_open, part, _link(table, table_id)
            )
        except IntegrityError:  # the other player has just begun it
            return (await self.series(story.id)).last
        table.rematch = new.id
        self._tables.changed(table)
        return new


def _link(table: LiveTable, following: str) -> Statement:
    """Says at a table which one follows it."""
    return Statement(_set_rematch, {"table": table.id, "new_rematch": following})


def _check_nobody_has_gone(table: LiveTable) -> None:
    if any(seat.is_deserted for seat in table.seats):
        raise IllegalError("the other player has deleted his account", said="open.refused.gone")
