"""Follow-up tables of a game: the next game of a campaign, or a rematch.

The old table links to the new one, in one transaction, so both players come to the same one. No one is seated at a
rematch without having requested or accepted it, and no clock starts before.
"""

from __future__ import annotations

import asyncio
import time

from sqlalchemy import Engine, bindparam, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.store import matches, moderation, repository, schema
from brinkmanship.store.writer import NoRowUpdatedError, Statement
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError, StaleError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.tables.actions import check_seat
from brinkmanship.web.tables.event_log import ATTEMPTS, EventLog
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.origins import MatchPlace, SeriesPlace
from brinkmanship.web.tables.record_kinds import WISH
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Seating, SeatTakenError, seat_of_kind
from brinkmanship.web.tables.seats import Seat
from brinkmanship.web.tables.series import SeriesHistory, history_of
from brinkmanship.web.tables.statuses import CLOSED, FINISHED, WAITING

SWAPPED = (1, 0)
"""Side of each player if the sides are swapped relative to the first game."""

_set_rematch = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("table"))
    .where(schema.tables.c.rematch.is_not_distinct_from(bindparam("old_rematch")))
    .values(rematch=bindparam("new_rematch"), **schema.CHANGED)
)


class Followups:
    """Next games of campaigns, and rematches."""

    def __init__(self, engine: Engine, tables: TableRegistry, event_log: EventLog, seating: Seating) -> None:
        self._engine = engine
        self._tables = tables
        self._event_log = event_log
        self._seating = seating

    async def series(self, series_id: str) -> SeriesHistory:
        """Return the state of a series and its tables.

        Raises:
            NotFoundError: There is no such series.
        """
        ids = await asyncio.to_thread(repository.tables_of_series, self._engine, series_id)
        if not ids:
            raise NotFoundError(f"there is no campaign {series_id}")
        return history_of([await self._tables.table(table_id) for table_id in ids])

    async def next_game(
        self, table_id: str, person_id: str, swapped: bool | None = None, contributes: bool = False
    ) -> LiveTable:
        """Start the next game of a series, or record a wish for its sides; return the table to go to.

        Args:
            table_id: Id of the last table.
            person_id: User who asks for the next game.
            contributes: Add the user's random bytes to the deal; players who did so in the last game do it again.
            swapped: If the players agree on the sides: True for sides swapped relative to the first game. The game
                starts once both have asked for the same; a computer player agrees. With a clock it starts once both
                have asked for it, whatever the sides: otherwise the clock of a player who does not know of it would
                run.

        Raises:
            ForbiddenError: The user does not play at this table.
            IllegalError: The game is not a finished one of a running series, or no sides were given.
        """
        table = await self._tables.fresh(table_id)
        mine = table.seat_of(person_id)
        if not mine:
            raise ForbiddenError("only players of the campaign can start its next game", key="refused.not_yours")
        history = await self._series_of(table)
        if table.id != history.last.id:
            return history.tables[table.part.number + 1] if table.part else history.last
        if history.next_sides is not None:
            swapped = history.next_sides == SWAPPED
        elif swapped is None:
            raise IllegalError("the players agree on the sides: choose them", key="refused.sides")
        if history.next_sides is None or table.terms.clock:
            for side in mine:
                await self._wish(table, person_id, side, swapped)
            people = [seat.side for seat in table.seats if not seat.computer]
            if any(table.state.wishes.get(side) != swapped for side in people):
                return table
        sides = SWAPPED if swapped else (0, 1)
        return await self._begin_next(table, history, sides, person_id if contributes else "")

    async def rematch(
        self, table_id: str, person_id: str, name: str, contributes: bool = False, player: str = ""
    ) -> LiveTable:
        """Request a rematch with the same ruleset and swapped sides, or accept the one already requested.

        The seat of the other player stays free until they accept, so no one occupies a seat without sitting down, and
        no clock runs. Repeating the request returns the same table, unless it has been withdrawn. After a match of two
        the rematch is a new match, which follows its last game.

        Args:
            table_id: Id of the finished table.
            person_id: User who asks for or accepts the rematch.
            name: Display name of the user.
            contributes: Add the user's random bytes to the deal; players who did so in the last game do it again.
            player: For a game against the computer: another computer player (such as another level); "" for the same.

        Raises:
            ForbiddenError: The user did not play at this table, or may not play rated games any more.
            IllegalError: The game, its match or its campaign is not over, no computer player has this name, the user
                has blocked the other player, or the other player has deleted their account.
        """
        for _ in range(ATTEMPTS):
            table = await self._last_of_match(await self._tables.fresh(table_id))
            if not table.seat_of(person_id):
                raise ForbiddenError("only players of this game can ask for a rematch", key="refused.not_yours")
            await asyncio.to_thread(self._check_not_blocked, table, person_id)
            if table.status != FINISHED:
                raise IllegalError("the game is not over yet", key="refused.not_over")
            if table.part and not (await self.series(table.part.series)).series.standing.is_over:
                raise IllegalError("the campaign is not over: start its next game", key="refused.campaign_goes_on")
            await self._check_match_is_over(table)
            try:
                asked_for = await self.asked_for(table)
                if asked_for is None or await self._is_hidden(asked_for, person_id):
                    return await self._ask(table, person_id, name, contributes, player)
                return await self._accept(table, asked_for, person_id, name, contributes)
            except (NoRowUpdatedError, SeatTakenError):  # another request has just asked, accepted or withdrawn
                table.freshness.note_change()
        raise StaleError("the table has changed in the meantime")

    async def _last_of_match(self, table: LiveTable) -> LiveTable:
        """Return the table of the last game if a table belongs to a match that is over, otherwise the table itself."""
        if table.match_place is None:
            return table
        kept = await asyncio.to_thread(matches.match, self._engine, table.match_place.match)
        if kept is None or kept.finished_at is None or kept.games[-1].table_id == table.id:
            return table
        return await self._tables.fresh(kept.games[-1].table_id)

    async def _check_match_is_over(self, table: LiveTable) -> None:
        # Game 1 links to game 2 once that has begun; then asking for a rematch leads there.
        if table.match_place is None or table.rematch is not None:
            return
        if not await asyncio.to_thread(matches.is_over, self._engine, table.match_place.match):
            raise IllegalError("the match is not over: its other game comes first", key="match.refused.goes_on")

    async def _is_hidden(self, asked_for: LiveTable, person_id: str) -> bool:
        """Return True if a block hides a rematch from the user, as if it had been withdrawn."""
        return not asked_for.seat_of(person_id) and await self._seating.is_apart(asked_for, person_id)

    async def asked_for(self, table: LiveTable) -> LiveTable | None:
        """Return the rematch of a game, or of its match; None if none was requested or it was withdrawn."""
        table = await self._last_of_match(table)
        if table.rematch is None:
            return None
        try:
            following = await self._tables.fresh(table.rematch)
        except NotFoundError:  # withdrawn tables are removed after a while
            return None
        return None if following.status == CLOSED else following

    async def _ask(self, table: LiveTable, person_id: str, name: str, contributes: bool, player: str) -> LiveTable:
        """Create the table of a rematch.

        Raises:
            NoRowUpdatedError: Another rematch has just been requested.
        """
        _check_nobody_has_gone(table)
        contributes = contributes or any(table.seats[side].contributes for side in table.seat_of(person_id))
        seats = []
        for side in range(len(table.seats)):
            old = _before(table, side)
            if old.person_id == person_id:
                seats.append(Seat(side, person_id=person_id, name=name, contributes=contributes))
            elif old.computer:
                kind = f"computer:{player or old.computer}"
                seats.append(seat_of_kind(table.game, side, kind, person_id, name, contributes))
            else:
                seats.append(Seat(side))
        table_id = new_id()
        part = SeriesPlace(table_id, 0, False) if table.part else None
        link = link_to_next(table, table_id)._replace(must_change=True)
        match_id, rows = await self._new_match(table, table_id)
        new = await self._seating.set_table(table_id, table.game, seats, table.terms, False, part, link, *rows)
        if match_id:
            new.match_place = MatchPlace(match_id, 0)
        table.rematch = new.id
        self._tables.changed(table)
        return new

    async def _new_match(self, table: LiveTable, table_id: str) -> tuple[str, list[Statement]]:
        """Return the id of a match like that of a table, and the statements that store it with its first table.

        The id is "" if the table belongs to no match.
        """
        kept = (
            await asyncio.to_thread(matches.match, self._engine, table.match_place.match) if table.match_place else None
        )
        if kept is None:
            return "", []
        match_id = new_id()
        return match_id, [
            matches.new_match(match_id, kept.simultaneous, time_control.now()),
            matches.new_game(match_id, 0, table_id),
        ]

    async def _accept(
        self, table: LiveTable, following: LiveTable, person_id: str, name: str, contributes: bool
    ) -> LiveTable:
        """Seat the user at the table of a rematch, if a seat is reserved for them."""
        async with following.lock:
            for seat in following.seats:
                old = _before(table, seat.side)
                if seat.is_free and old.person_id == person_id and following.status == WAITING:
                    contributes = contributes or old.contributes
                    mine = Seat(seat.side, person_id=person_id, name=name, contributes=contributes)
                    await self._seating.seat(following, mine)
        return following

    def _check_not_blocked(self, table: LiveTable, person_id: str) -> None:
        """Raise if the user has blocked the other player; the opposite must not show, so that request just waits."""
        with self._engine.connect() as connection:
            for seat in table.seats:
                if seat.person_id and moderation.has_blocked(connection, person_id, seat.person_id):
                    raise IllegalError("you have blocked this player", key="block.refused.rematch")

    async def _series_of(self, table: LiveTable) -> SeriesHistory:
        if table.part is None:
            raise IllegalError("this game does not belong to a campaign", key="refused.no_campaign")
        history = await self.series(table.part.series)
        if table.status != FINISHED:
            raise IllegalError("the game is not over yet", key="refused.not_over")
        if history.series.standing.is_over and table.id == history.last.id:
            raise IllegalError("the campaign is over", key="refused.campaign_over")
        return history

    async def _wish(self, table: LiveTable, person_id: str, side: int, swapped: bool) -> None:
        def checked() -> TableRecord:
            check_seat(table, person_id, side)
            return TableRecord(WISH, side, int(swapped), time.time())

        if table.state.wishes.get(side) != swapped:
            await self._event_log.do(table, checked)

    async def _begin_next(
        self, table: LiveTable, history: SeriesHistory, sides: tuple[int, int], contributor: str
    ) -> LiveTable:
        _check_nobody_has_gone(table)
        part = SeriesPlace(history.id, len(history.tables), sides == SWAPPED)
        seats = []
        for side in range(len(table.seats)):
            old = table.seats[history.side_at(table, sides.index(side))]
            contributes = old.contributes or (old.person_id is not None and old.person_id == contributor)
            seats.append(Seat(side, old.person_id, old.computer, old.name, contributes=contributes))
        table_id = new_id()
        try:
            new = await self._seating.set_table(
                table_id, table.game, seats, table.terms, table.is_open, part, link_to_next(table, table_id)
            )
        except IntegrityError:  # the other player has just begun it
            return (await self.series(history.id)).last
        table.rematch = new.id
        self._tables.changed(table)
        return new


def link_to_next(table: LiveTable, following: str) -> Statement:
    """Return the statement that links a table to its follow-up, or to game 2 of its match."""
    return Statement(_set_rematch, {"table": table.id, "old_rematch": table.rematch, "new_rematch": following})


def _before(table: LiveTable, side: int) -> Seat:
    """Return the seat of the player who gets this side in the rematch."""
    return table.seats[len(table.seats) - 1 - side]


def _check_nobody_has_gone(table: LiveTable) -> None:
    if any(seat.is_deserted for seat in table.seats):
        raise IllegalError("the other player has deleted their account", key="open.refused.gone")
