"""Seats: create tables, join and leave them, invitations, and contributions to the deal."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sqlalchemy import Engine, bindparam, insert, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine import commit_reveal
from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import Game
from brinkmanship.engine.options import OptionValue
from brinkmanship.players import opponents_for
from brinkmanship.store import moderation, repository, schema
from brinkmanship.store.writer import NoRowUpdatedError, Statement, Writer
from brinkmanship.web.support import rate_limit, time_control
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, StaleError, TooManyError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.table_terms import USUAL, Terms
from brinkmanship.web.tables import deal_pledges
from brinkmanship.web.tables.actions import TableActions, check_seat
from brinkmanship.web.tables.event_log import ATTEMPTS, change_of, computer_asked_at, row_of
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.origins import Origin, SeriesPlace
from brinkmanship.web.tables.quotas import TableQuotas, check_tables_in_turn, mark_of
from brinkmanship.web.tables.rating_conditions import check_accounts, check_rated
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seats import Seat
from brinkmanship.web.tables.statuses import CLOSED, DEALING, RUNNING, WAITING, status_before

log = logging.getLogger("brinkmanship.web")

INVITATION_BYTES = 24

_insert_table = insert(schema.tables)
_insert_seat = insert(schema.seats)
_insert_series_game = insert(schema.series_games)
_insert_duplicate_player = insert(schema.duplicate_players)
_lock_table = (
    # Compare-and-swap: the new state follows from the known one, so of two processes that each add what is missing the
    # second must first read the first one's change. Otherwise neither would deal the cards.
    # No IN list: the writer would pass it through SQLAlchemy at each execution (`as_the_driver_takes_it`).
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("table"), schema.tables.c.changes == bindparam("known_changes"))
    .where((schema.tables.c.status == WAITING) | (schema.tables.c.status == DEALING))
    .values(status=schema.tables.c.status, **schema.CHANGED)
)
_change_share = (
    update(schema.seats)
    .where(schema.seats.c.table_id == bindparam("table"), schema.seats.c.side == bindparam("seat"))
    .where(schema.seats.c.contributes, schema.seats.c.contribution.is_not_distinct_from(bindparam("old_contribution")))
    .where(schema.seats.c.pledge.is_not_distinct_from(bindparam("old_pledge")))
    .values(
        contributes=bindparam("new_contributes"),
        pledge=bindparam("new_pledge"),
        contribution=bindparam("new_contribution"),
    )
)
_take_seat = (
    update(schema.seats)
    .where(schema.seats.c.table_id == bindparam("table"))
    .where(schema.seats.c.side == bindparam("seat"))
    .where(schema.seats.c.person_id.is_(None), schema.seats.c.computer.is_(None))
    .values(
        person_id=bindparam("person"),
        name=bindparam("new_name"),
        contributes=bindparam("new_contributes"),
        invitation=None,
    )
)
_is_waiting = schema.tables.c.status == WAITING
_close_table = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("table"), _is_waiting)
    .values(status=CLOSED, asked="", finished_at=bindparam("at"), **schema.CHANGED)
)
_invite = (
    update(schema.seats)
    .where(schema.seats.c.table_id == bindparam("table"), schema.seats.c.side == bindparam("seat"))
    .where(schema.seats.c.invitation.is_not(None))
    .values(invitation=bindparam("token"))
)


@dataclass
class TableSettings:
    """Settings of a new table: for each side "me", "computer:NAME", "friend" (by link), or "open" (anyone)."""

    game: str
    seats: Sequence[str]
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    terms: Terms = USUAL
    series: bool = False
    """True for the first game of a series, such as a campaign."""
    contributes: bool = False
    """True if the creator contributes random bytes to the deal."""
    data: DataFile | None = None
    """Custom cards or scenario; None for the game's own."""


class NewTable(NamedTuple):
    """A table that is not written yet."""

    table: LiveTable
    rows: tuple[Statement, ...]
    """Statements that write it."""


class SeatTakenError(ForbiddenError):
    """The seat is no longer free, or the table has been withdrawn."""


class Seating:
    """Service for the seats of all tables.

    Args:
        engine: Database engine.
        writer: Writer for the database.
        tables: Registry of the tables in memory.
        actions: Player commands.
        most_open: Maximum waiting open tables of one user.
        quotas: Maximum tables of one user and of one address.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        tables: TableRegistry,
        actions: TableActions,
        most_open: int,
        quotas: TableQuotas,
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._tables = tables
        self._actions = actions
        self._most_open = most_open
        self._quotas = quotas
        self._opening = asyncio.Lock()

    async def create(
        self,
        plan: TableSettings,
        person_id: str,
        name: str,
        *more: Statement,
        table_id: str | None = None,
        secret: bytes | None = None,
        sealed: bool = False,
    ) -> tuple[LiveTable, dict[int, str]]:
        """Create a table; return it and the invitation tokens by side.

        Args:
            plan: Settings of the table.
            person_id: User who creates it.
            name: Display name of the user.
            *more: Statements for the same transaction.
            table_id: Id of the new table, for statements that need it beforehand; None for a new one.
            secret: Secret from which chance follows, for tables that play the same deal; None for a new one.
            sealed: As in `pair`.

        Raises:
            IllegalError: There is no such game, option, computer player or kind of seat, the data file is invalid, or
                too many open tables are already waiting; or the game cannot be rated, but should be.
            ForbiddenError: The table is rated, and the user has no account.
            TooManyError: The user, or the address of the request, has too many tables.
        """
        # Outside the lock below: a refusal is delayed and would hold it.
        await self.check_quotas(person_id, "open" in plan.seats)
        game = await self.ruleset(plan.game, plan.options, plan.data)
        if plan.series and game.series() is None:
            raise IllegalError(f"{game.title} has no campaigns", key="refused.no_campaign")
        if plan.terms.rated and plan.terms.clock is None:
            # Otherwise a losing player could leave the game unfinished for ever.
            raise IllegalError("a rated game needs a clock", key="rated.refused.clock")
        if len(plan.seats) != len(game.sides):
            raise IllegalError(f"{game.title} has {len(game.sides)} seats", key="refused.form_fields")
        seats = [
            seat_of_kind(game, side, kind, person_id, name, plan.contributes) for side, kind in enumerate(plan.seats)
        ]
        if not any(seat.person_id for seat in seats):
            raise IllegalError("one of the seats must be yours", key="refused.form_fields")
        tokens = {seat.side: seat.invitation for seat in seats if seat.invitation}
        await self.keep_data(game, plan.data)
        table_id = table_id or new_id()
        part = SeriesPlace(table_id, 0, False) if plan.series else None
        if "open" not in plan.seats:
            table = await self.set_table(
                table_id, game, seats, plan.terms, False, part, *more, secret=secret, sealed=sealed
            )
            return table, tokens
        async with self._opening:
            await self._check_open(person_id)
            return await self.set_table(table_id, game, seats, plan.terms, True, part, *more), tokens

    async def play_on(
        self, game: Game, origin: Origin, key: bytes | None, kinds: Sequence[str], person_id: str, name: str
    ) -> tuple[LiveTable, dict[int, str]]:
        """Create a table that continues from a position of another game; return it and the invitation tokens by side.

        Args:
            game: Ruleset of the other game.
            origin: Position to continue from.
            key: Chance key of the other game (`commit_reveal.chance_key`) if chance should be the same; None for new
                chance.
            kinds: Kind of seat for each side, as in a `TableSettings`, but not "open".
            person_id: User who creates the table.
            name: Display name of the user.

        Raises:
            IllegalError: There is no such computer player or kind of seat.
            TooManyError: As in `create`.
        """
        if "open" in kinds or len(kinds) != len(game.sides) or "me" not in kinds:
            raise IllegalError("the opponent is a computer, a friend or yourself", key="refused.form_fields")
        await self.check_quotas(person_id, False)
        seats = [seat_of_kind(game, side, kind, person_id, name, False) for side, kind in enumerate(kinds)]
        tokens = {seat.side: seat.invitation for seat in seats if seat.invitation}
        if game.data_file:
            await self.keep_data(game, await asyncio.to_thread(self._data, game))
        # The key takes the place of the secret: without contributions chance follows from it as in the other game.
        table = await self.set_table(new_id(), game, seats, USUAL, False, None, origin=origin, secret=key)
        return table, tokens

    async def pair(
        self,
        game_id: str,
        people: Sequence[tuple[str, str]],
        terms: Terms,
        *more: Statement,
        options: Mapping[str, OptionValue] | None = None,
        data: DataFile | None = None,
        secret: bytes | None = None,
        table_id: str | None = None,
        sealed: bool = False,
        may_be_unrated: bool = False,
    ) -> LiveTable:
        """Create a table at which two users sit already; the game starts at once, and so do its clocks.

        The caller has the consent of both users, and counts their tables where that is needed.

        Args:
            game_id: Id of the game.
            people: Id and display name of the user of each side.
            terms: Terms of the table.
            *more: Statements for the same transaction, for example the caller's own row about this table. If one of
                them fails, there is no table. Those with `must_change` run first, so they cannot refer to the table.
            options: Options of the rules.
            data: Custom cards or scenario; None for the game's own.
            secret: Secret from which chance follows, for tables that play the same deal; None for a new one.
            table_id: Id of the new table (`new_id`), for statements that need it beforehand; None for a new one.
            sealed: True if other tables play the same deal: nothing of the game is revealed before they have finished.
            may_be_unrated: True to play an unrated game instead if a player may not play rated ones any more.

        Raises:
            IllegalError: There is no such game or option, the data file is invalid, or these are not two users.
            NoRowUpdatedError: A statement in `more` with `must_change` changed nothing.
            IntegrityError: A statement in `more` broke a unique key, or the table already exists.
        """
        game = await self.ruleset(game_id, options or {}, data)
        if len(people) != len(game.sides) or len({person_id for person_id, _ in people}) != len(people):
            raise IllegalError(f"{game.title} needs {len(game.sides)} different players", key="refused.form_fields")
        await self.keep_data(game, data)
        seats = [Seat(side, person_id=person_id, name=name) for side, (person_id, name) in enumerate(people)]
        if terms.rated and may_be_unrated:
            try:
                await asyncio.to_thread(check_rated, self._engine, game, seats, terms, None, None)
            except ForbiddenError:
                terms = terms._replace(rated=False)
        return await self.set_table(
            table_id or new_id(), game, seats, terms, False, None, *more, secret=secret, sealed=sealed
        )

    async def ruleset(self, game_id: str, options: Mapping[str, OptionValue], data: DataFile | None) -> Game:
        """Return the ruleset of a new table.

        Raises:
            IllegalError: There is no such game or option, or the data file is invalid.
        """
        try:
            return await self._tables.loader.ruleset(game_id, options, data)
        except BrinkError as error:
            raise IllegalError(str(error), key="refused.options") from error

    async def keep_data(self, game: Game, data: DataFile | None) -> None:
        """Store the custom cards or scenario of a new table; None for the game's own."""
        if data is not None:
            keep = repository.keep_data_file
            await asyncio.to_thread(keep, self._engine, game.data_sha256, data.content, time.time())

    async def data_of(self, table: LiveTable) -> DataFile | None:
        """Return the custom cards or scenario of a table; None for the game's own."""
        return await asyncio.to_thread(self._data, table.game) if table.game.data_file else None

    def _data(self, game: Game) -> DataFile | None:
        with self._engine.connect() as connection:
            return repository.data_file(connection, game.data_sha256, game.data_file)

    async def _check_open(self, person_id: str) -> None:
        count = await asyncio.to_thread(repository.open_count, self._engine, person_id)
        if count >= self._most_open:
            raise IllegalError(
                f"you already have {count} waiting open tables of at most {self._most_open}; withdraw one",
                key="open.refused.many",
            )

    async def check_quotas(self, person_id: str, is_open: bool, new: int = 1) -> None:
        """Check the limits on the tables of a user and of an address, who create `new` tables.

        Raises:
            TooManyError: The user, or the address of the request, has too many tables.
        """
        try:
            await check_tables_in_turn(self._writer, self._quotas, person_id, is_open, new)
        except TooManyError:
            await rate_limit.delay_refusal()
            raise

    async def set_table(
        self,
        table_id: str,
        game: Game,
        seats: Sequence[Seat],
        terms: Terms,
        is_open: bool,
        part: SeriesPlace | None,
        *more: Statement,
        origin: Origin | None = None,
        secret: bytes | None = None,
        sealed: bool = False,
    ) -> LiveTable:
        """Create a table with these seats.

        Args:
            table_id: Id of the new table.
            game: Ruleset.
            seats: Seats by side.
            terms: Terms of the table.
            is_open: True if anyone may join.
            part: Place in a series; None if it belongs to none.
            *more: Statements for the same transaction.
            origin: Position to continue from; None for a new game.
            secret: Secret from which chance follows; None for a new one.
            sealed: As in `pair`.

        Raises:
            IntegrityError: The series already has a game with this number.
            IllegalError: The terms are those of a rated table, and the game cannot be rated
                (`rating_conditions.check_rated`).
            ForbiddenError: It is rated, and a seated user has no account.
        """
        if terms.rated:
            await asyncio.to_thread(check_rated, self._engine, game, seats, terms, part, origin)
        new = self.new_table(table_id, game, seats, terms, is_open, part, origin=origin, secret=secret, sealed=sealed)
        await self.write([new], *more)
        return new.table

    def new_table(
        self,
        table_id: str,
        game: Game,
        seats: Sequence[Seat],
        terms: Terms,
        is_open: bool = False,
        part: SeriesPlace | None = None,
        *,
        origin: Origin | None = None,
        secret: bytes | None = None,
        sealed: bool = False,
    ) -> NewTable:
        """Return a table that is not written yet; the arguments are those of `set_table`."""
        secret = secret or commit_reveal.new_secret()
        status = status_before(seats)
        row = {
            "id": table_id,
            "game": game.id,
            "rules_version": game.version,
            "options": {key: value for key, value in game.options.items() if game.default_options[key] != value},
            "data_file": game.data_file or None,
            "data_sha256": game.data_sha256 if game.data_file else None,
            "secret": secret,
            "commitment": commit_reveal.commitment(secret),
            "is_open": is_open,
            **terms.as_row(),
            "awaits_rating": terms.rated,
            "created_at": time.time(),
            "dealt_at": time_control.now() if status == RUNNING else None,
            "status": status,
            "result": "",
            "finished_at": None,
            "asked": "",
            "rematch": None,
            "origin": origin.as_json() if origin else None,
            "address_mark": mark_of(rate_limit.client_address.get()),
            "sealed": sealed,
        }
        table = LiveTable(row, seats, game, part)
        row["asked"] = table.state.asked_names
        row["clock_ends_at"] = table.state.clock_ends_at
        row["computer_asked_at"] = computer_asked_at(table.state)
        rows = (
            Statement(_insert_table, row),
            *(Statement(_insert_seat, {"table_id": table.id, **vars(seat)}) for seat in seats),
            *([Statement(_insert_series_game, {"table_id": table.id, **part._asdict()})] if part else []),
        )
        return NewTable(table, rows)

    async def write(self, new: Sequence[NewTable], *more: Statement) -> None:
        """Write new tables in one transaction, together with the statements in `more`."""
        await self._writer.write(*(row for each in new for row in each.rows), *more)
        for each in new:
            self._tables.added(each.table)

    async def join(
        self,
        table_id: str,
        person_id: str,
        name: str,
        token: str | None = None,
        side: int | None = None,
        contributes: bool = False,
    ) -> LiveTable:
        """Take a seat with an invitation token, or at an open table; may contribute random bytes to the deal.

        Raises:
            ForbiddenError: The invitation has been used, or no seat is free for this user.
        """
        table = await self._tables.fresh(table_id)
        # Asked in any case: a refusal because of a block must take as long as one because the seat is taken.
        is_apart = await self.is_apart(table, person_id)
        async with table.lock:
            if table.seat_of(person_id):
                raise ForbiddenError(
                    "you already have a seat at this table; send the link to your opponent", key="refused.own_table"
                )
            seat = _free_seat(table, token, side)
            if seat is None or is_apart:
                raise ForbiddenError("this seat is taken or the invitation has already been used", key="join.taken")
            mine = Seat(seat.side, person_id=person_id, name=name, contributes=contributes)
            if table.round is None:
                await self.seat(table, mine)
            else:
                await self._seat_in_round(table, table.round, mine)
        return table

    async def _seat_in_round(self, table: LiveTable, round_id: str, seat: Seat) -> None:
        """Assign a seat in a duplicate round, where a user plays at one table only and adds nothing to the deal."""
        row = {"round_id": round_id, "person_id": seat.person_id}
        try:
            await self.seat(table, replace(seat, contributes=False), Statement(_insert_duplicate_player, row))
        except IntegrityError as error:
            raise ForbiddenError(
                "you already play at another table of this round", key="duplicate.refused.twice"
            ) from error

    async def is_apart(self, table: LiveTable, person_id: str) -> bool:
        """Return True if this user may not sit down at a table because of a block, whoever has blocked whom."""
        others = [seat.person_id for seat in table.seats if seat.person_id not in (None, person_id)]
        for other in others:
            if await self._writer.first(moderation.block_between, {"one": person_id, "other": other}) is not None:
                return True
        return False

    async def seat(self, table: LiveTable, seat: Seat, *more: Statement) -> None:
        """Assign a free seat; the statements in `more` go into the same transaction. The caller holds the table's lock.

        Raises:
            SeatTakenError: The seat is no longer free.
            ForbiddenError: The table is rated, and the user has no account or may not play rated games.
        """
        if table.terms.rated and seat.person_id:
            await asyncio.to_thread(check_accounts, self._engine, [seat.person_id])
        row = {
            "table": table.id,
            "seat": seat.side,
            "person": seat.person_id,
            "new_name": seat.name,
            "new_contributes": seat.contributes,
        }
        for _ in range(ATTEMPTS):
            await self._tables.replication.catch_up(table)
            if table.status != WAITING or not table.seats[seat.side].is_free:
                break
            try:
                await self._change_seats(table, [seat], [Statement(_take_seat, row, must_change=True)], more)
                return
            except NoRowUpdatedError:  # another worker process was first
                table.freshness.note_change()
        raise SeatTakenError("this seat has just been taken, or the table withdrawn", key="join.taken")

    async def _change_seats(
        self, table: LiveTable, seats: Sequence[Seat], changes: Sequence[Statement], more: Sequence[Statement] = ()
    ) -> None:
        """Persist changed seats, then apply them; the game begins once nothing is missing.

        Raises:
            NoRowUpdatedError: The table has changed since it was read.
        """
        after = table.after_seats(seats, time_control.now())
        known = {"table": table.id, "known_changes": table.freshness.changes}
        await self._writer.write(
            Statement(_lock_table, known, must_change=True), *changes, row_of(table.id, after), *more
        )
        table.apply_state(after)
        self._tables.changed(table)

    async def contribute(
        self, table_id: str, person_id: str, side: int, pledge: str | None = None, contribution: bytes | None = None
    ) -> LiveTable:
        """Pledge random bytes for the deal, or send them; with neither, contribute nothing (see `web.tables.deal`).

        Raises:
            ForbiddenError: The seat is not the user's.
            IllegalError: This is not due now, or the bytes do not match the pledge.
        """
        table = await self._tables.fresh(table_id)
        async with table.lock:
            for _ in range(ATTEMPTS):
                await self._tables.replication.catch_up(table)
                check_seat(table, person_id, side)
                if deal_pledges.has_come(table, side, pledge, contribution):
                    return table
                if table.status not in (WAITING, DEALING):
                    raise IllegalError("the cards have already been dealt", key="refused.dealt")
                if contribution is not None:
                    seats = deal_pledges.with_contribution(table, side, contribution)
                elif pledge is not None:
                    seats = deal_pledges.with_pledge(table, side, pledge)
                else:
                    seats = deal_pledges.without(table, side)
                try:
                    await self._change_seats(table, seats, [_share_change(table, seat) for seat in seats])
                    return table
                except NoRowUpdatedError:  # another worker process was first
                    table.freshness.note_change()
            raise StaleError("the table has changed in the meantime")

    async def withdraw(self, table_id: str, person_id: str) -> LiveTable:
        """Withdraw a table that is waiting for players.

        Raises:
            ForbiddenError: The user has no seat at this table.
            IllegalError: All seats are taken.
        """
        table = await self._waiting(table_id, person_id)
        if not await self._close(table):
            raise IllegalError("a player has just joined; the game has begun", key="open.refused.begun")
        return table

    async def invite_anew(self, table_id: str, person_id: str) -> LiveTable:
        """Replace the invitation links of the free seats; the old links become invalid.

        Raises:
            ForbiddenError: The user has no seat at this table.
            IllegalError: All seats are taken.
        """
        table = await self._waiting(table_id, person_id)
        async with table.lock:
            for seat in [seat for seat in table.seats if seat.is_free and seat.invitation]:
                token = new_token()
                row = {"table": table.id, "seat": seat.side, "token": token}
                try:
                    await self._writer.write(Statement(_invite, row, must_change=True), change_of(table.id))
                except NoRowUpdatedError as error:
                    table.freshness.note_change()
                    raise IllegalError("a player has just joined", key="open.refused.begun") from error
                seat.invitation = token
        self._tables.changed(table)
        return table

    async def _waiting(self, table_id: str, person_id: str) -> LiveTable:
        table = await self._tables.fresh(table_id)
        if not table.seat_of(person_id):
            raise ForbiddenError("only players at a table decide about its free seats", key="refused.not_yours")
        if table.status != WAITING:
            raise IllegalError("this table is not waiting for a player", key="open.refused.begun")
        return table

    async def _close(self, table: LiveTable) -> bool:
        """Close a waiting table; return False if it is no longer waiting."""
        async with table.lock:
            try:
                await self._writer.write(
                    Statement(_close_table, {"table": table.id, "at": time.time()}, must_change=True)
                )
            except NoRowUpdatedError:
                table.freshness.note_change()
                return False
            table.state.status = CLOSED
        self._tables.changed(table)
        return True

    async def close_expired(self, before: float) -> int:
        """Close the open tables that have waited since before a time; return their number."""
        closed = 0
        for table_id in await asyncio.to_thread(repository.open_since, self._engine, before):
            try:
                closed += await self._close(await self._tables.table(table_id))
            except Exception:  # one unreadable table must not keep the others open
                log.exception("an open table could not be closed", extra={"table": table_id})
        return closed

    async def end_deserted(self) -> None:
        """End the games of deleted accounts by resignation, and close their waiting tables."""
        for table_id, side, person_id in await asyncio.to_thread(repository.deserted, self._engine):
            try:
                table = await self._tables.fresh(table_id)
                if table.status == WAITING:
                    await self._close(table)
                elif table.status in (RUNNING, DEALING):
                    await self._actions.resign(table_id, person_id, side, everything=table.part is not None)
            except Exception:  # one unreadable table must not keep the others going
                log.exception("a deserted table could not be ended", extra={"table": table_id})


def seat_of_kind(game: Game, side: int, kind: str, person_id: str, name: str, contributes: bool) -> Seat:
    """Return the seat of a new table for a kind of seat in a `TableSettings`.

    Raises:
        IllegalError: There is no such kind of seat or computer player.
    """
    if kind == "me":
        return Seat(side, person_id=person_id, name=name, contributes=contributes)
    if kind == "friend":
        return Seat(side, invitation=new_token())
    if kind == "open":
        return Seat(side)
    player = kind.removeprefix("computer:")
    if kind.startswith("computer:") and player in opponents_for(game):
        return Seat(side, computer=player, name=player)
    raise IllegalError(
        f"a seat is me, friend, open, or computer:PLAYER with {', '.join(opponents_for(game))}; not {kind!r}",
        key="refused.form_fields",
    )


def new_token() -> str:
    """Return a token for an invitation link."""
    return secrets.token_urlsafe(INVITATION_BYTES)


def _free_seat(table: LiveTable, token: str | None, side: int | None) -> Seat | None:
    for seat in table.seats:
        by_link = token is not None and seat.is_invited(token)
        by_openness = token is None and table.is_open and seat.is_free and seat.invitation is None
        if table.status == WAITING and (by_link or by_openness) and side in (None, seat.side):
            return seat
    return None


def _share_change(table: LiveTable, seat: Seat) -> Statement:
    """Return the statement that updates a seat's contribution, unless it has changed since `table` was read."""
    old = table.seats[seat.side]
    row = {
        "table": table.id,
        "seat": seat.side,
        "old_pledge": old.pledge,
        "old_contribution": old.contribution,
        "new_contributes": seat.contributes,
        "new_pledge": seat.pledge,
        "new_contribution": seat.contribution,
    }
    return Statement(_change_share, row, must_change=True)
