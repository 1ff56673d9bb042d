"""Registry of tables in memory: an LRU cache of `LiveTable` objects, rebuilt from their records on first use.

It applies notifications from other worker processes (see `pubsub`) and notifies them of changes made here.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Protocol

from sqlalchemy import Connection, Engine, select

from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.registry import game_class
from brinkmanship.store import repository, schema
from brinkmanship.store.database import snapshot
from brinkmanship.store.table_versions import Progress
from brinkmanship.web.cluster.pubsub import Notification, PubSub
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support.bounded_pool import BoundedPool
from brinkmanship.web.support.errors import NotFoundError, OtherRulesError
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables import ruleset_cache
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.origins import MatchPlace, Occasion, Part
from brinkmanship.web.tables.ruleset_cache import Rulesets
from brinkmanship.web.tables.seats import Seat
from brinkmanship.web.tables.statuses import DEALING, FINISHED, RUNNING, WAITING

log = logging.getLogger("brinkmanship.web")

MAX_LIVE_TABLES = 5_000
"""Maximum tables in memory; the least recently used are dropped. Nothing is lost: the records are in the database."""

TABLE_BYTES = 20_000
ENTRY_BYTES = 1_000
"""Memory of a table, and of an entry of its game (bytes, rounded up)."""

MAX_LIVE_BYTES = 400_000_000
"""Maximum memory (bytes) of all tables, including rulesets that only they use."""

MAX_FINISHED_BYTES = 40_000_000
"""Maximum memory (bytes) of finished games; few are viewed again soon, and derived data is kept elsewhere."""

KEPT_BETWEEN_LOOKS = 32
"""Number of tables loaded between two checks of the memory limits; a check walks through all tables."""

LOADING_THREADS = 1
MAX_LOADING = 256
MAX_LOADING_OF_ADDRESS = 16
"""Maximum tables, or rulesets with custom options, being loaded at once: in total, and per address."""

COMPARE_SECONDS = 2.0
"""Comparison interval (s) of watched tables, and maximum age of the last comparison of others.

Used where notifications may be lost.
"""
MAX_COMPARED = 500
"""Maximum tables per database query."""

SEAT_FIELDS = tuple(each.name for each in fields(Seat))


@dataclass
class _Loading:
    """A table being loaded from its records."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    """Number of requests waiting for the table."""
    has_changed: bool = False
    """True if the table was changed during loading."""


class TableEvents(Protocol):
    """Subscriber for tables where a bot may be to move."""

    def table_used(self, table: LiveTable) -> None:
        """Handle the use of a table in this process."""
        ...

    def computer_due(self, table_id: str) -> None:
        """Handle another process's report that a bot is to move at a table."""
        ...


class TableRegistry:
    """Registry of one database's tables for one event loop; see the module.

    Args:
        engine: Database engine.
        channel: Pub/sub channel to the other processes.
        tasks: Supervisor of the background tasks.
        forget_person: Called with the id of a user whom another process has changed.
        job_answered: Called with the id of a job that a remote worker has done; None if there are no remote workers.
    """

    def __init__(
        self,
        engine: Engine,
        channel: PubSub,
        tasks: Supervisor,
        forget_person: Callable[[str], object],
        job_answered: Callable[[str], object] | None = None,
    ) -> None:
        self._engine = engine
        self._progress = Progress(engine)
        self._channel = channel
        self._tasks = tasks
        self._forget_person = forget_person
        self._job_answered = job_answered
        self._subscribers: list[TableEvents] = []
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._kept = 0
        """Number of tables added since the last check of the memory limits."""
        self._loading: dict[str, _Loading] = {}
        self._rulesets = Rulesets()
        self._loader = BoundedPool("loading", LOADING_THREADS, MAX_LOADING, MAX_LOADING_OF_ADDRESS)

    def subscribe(self, events: TableEvents) -> None:
        """Add a subscriber for table events."""
        self._subscribers.append(events)

    def used(self, table: LiveTable) -> None:
        """Notify the subscribers that a table is used."""
        for events in self._subscribers:
            events.table_used(table)

    @property
    def number(self) -> int:
        """Number of tables in memory."""
        return len(self._live)

    def ruleset(self, game_id: str, options: Mapping[str, OptionValue], data: DataFile | None = None) -> Game:
        """Return a ruleset, with a custom data file or the game's own; it is cached and shared by tables.

        Raises:
            BrinkError: There is no such game or option, or the data file is invalid.
        """
        return self._rulesets.ruleset(game_id, options, data)

    def tried(self, game_id: str, data: DataFile) -> Game:
        """Return an uncached ruleset for trying a data file; see `Rulesets.tried`."""
        return self._rulesets.tried(game_id, data)

    async def chosen_ruleset(
        self, game_id: str, options: Mapping[str, OptionValue], data: DataFile | None = None
    ) -> Game:
        """Return a ruleset; one that is not cached is loaded outside the event loop.

        Raises:
            BrinkError: There is no such game or option, or the data file is invalid.
            TooManyError: Too many are being loaded at once.
        """
        known = self._rulesets.at_hand(game_id, options, data)
        return await self._loader.do(partial(self.ruleset, game_id, options, data)) if known is None else known

    async def table(self, table_id: str) -> LiveTable:
        """Return a table by its id, from memory or rebuilt from its records.

        Raises:
            NotFoundError: There is no such table.
        """
        self.hear()
        live = self._live.get(table_id)
        if live is None:
            live = await self._first_asked_for(table_id)
        else:
            if self._may_be_old(live):
                await self._compare([live])
            if live.is_behind:
                async with live.lock:
                    await self.catch_up(live)
        self._live.move_to_end(table_id)
        self.used(live)
        return live

    def _may_be_old(self, table: LiveTable) -> bool:
        # A watched table is compared periodically by `compare`.
        is_watched = bool(table.presence.listeners)
        return not (self._channel.is_sure or is_watched) and time.monotonic() - table.compared_at > COMPARE_SECONDS

    async def reach(self, table: LiveTable, viewer: int, at_least: int | None) -> None:
        """Bring a table up to date, so that a viewer never sees less than they have already seen elsewhere.

        Args:
            table: Table to update.
            viewer: The side that looks, or `OBSERVER`.
            at_least: Version that the viewer has seen; None if unknown: then everything that any viewer has been shown.
        """
        if self._channel.is_sure or (at_least is not None and table.version(viewer) >= at_least):
            return
        while True:
            async with table.lock:  # wait for the write in progress, if any: it is known here afterwards
                pass
            await self._compare([table])
            if not table.lock.locked():
                break
        if table.is_behind:
            async with table.lock:
                await self.catch_up(table)

    async def fresh(self, table_id: str) -> LiveTable:
        """Return a table with everything that any process has written.

        Raises:
            NotFoundError: There is no such table.
        """
        table = await self.table(table_id)
        await self.reach(table, OBSERVER, None)
        return table

    async def was_behind(self, table: LiveTable) -> bool:
        """Return True after loading changes of other processes that were not known here; the caller holds the lock."""
        if self._channel.is_sure:
            return False
        version = await self._progress.of([table.id])
        if not _differs(table, version[0]):
            return False
        table.changes_elsewhere += 1
        await self.catch_up(table)
        return True

    async def compare(self) -> None:
        """Compare the watched tables with the database; call it every `COMPARE_SECONDS`."""
        if not self._channel.is_sure:
            await self._compare([table for table in self._live.values() if table.presence.listeners])

    async def _compare(self, tables: Sequence[LiveTable]) -> None:
        for first in range(0, len(tables), MAX_COMPARED):
            some = {table.id: table for table in tables[first : first + MAX_COMPARED]}
            asked_at = time.monotonic()
            have_gone_on: list[LiveTable] = []
            for version in await self._progress.of(list(some)):
                table = some[version.table_id]
                table.compared_at = asked_at
                if version.said > table.said:
                    table.said = version.said
                    self._announce(table)
                # A write in progress here will be known here; it is not a difference.
                if not _differs(table, version) or table.lock.locked() or table.is_behind:
                    continue
                if version.changes == table.changes:
                    have_gone_on.append(table)
                    continue
                table.changes_elsewhere += 1
                if table.presence.listeners:
                    self._show_anew(table.id)
            for table in have_gone_on:
                await self._read_on(table)

    async def _read_on(self, table: LiveTable) -> None:
        """Apply records of other processes that follow the known ones, before their notifications arrive."""
        records = await asyncio.to_thread(repository.records_after, self._engine, table.id, len(table.records))
        for number, kind, actor, value, at in records:
            if table.lock.locked() or table.is_behind:  # the holder of the lock brings the table up to date
                return
            if number == len(table.records) + 1:
                self._carry_out(table, TableRecord(kind, actor, value, at))

    def at_hand(self, table_id: str) -> LiveTable | None:
        """Return a table if it is in memory and up to date, without waiting; otherwise None."""
        self.hear()
        live = self._live.get(table_id)
        if live is None or live.is_behind or self._may_be_old(live):
            return None
        self.used(live)
        return live

    def read(self, table_id: str) -> LiveTable:
        """Rebuild a table from its records, separate from the cached instance; call it in a thread.

        Raises:
            NotFoundError: There is no such table.
            OtherRulesError: The table was started with an unsupported version of the rules.
        """
        with snapshot(self._engine) as connection:
            row = connection.execute(select(schema.tables).where(schema.tables.c.id == table_id)).mappings().first()
            if row is None:
                raise NotFoundError(f"there is no table {table_id}", said="refused.no_table")
            rules = game_class(row["game"])
            if not rules.can_play(row["rules_version"]):
                raise OtherRulesError(row["rules_version"], rules.version)
            data = None
            if row["data_sha256"] is not None:
                data = repository.data_file(connection, row["data_sha256"], row["data_file"])
            seats = connection.execute(
                select(schema.seats).where(schema.seats.c.table_id == table_id).order_by(schema.seats.c.side)
            ).mappings()
            records = connection.execute(
                select(schema.records).where(schema.records.c.table_id == table_id).order_by(schema.records.c.number)
            ).mappings()
            orders: dict[int, set[str]] = {}
            for side, text in connection.execute(
                select(schema.orders.c.side, schema.orders.c.text).where(schema.orders.c.table_id == table_id)
            ):
                orders.setdefault(side, set()).add(text)
            part = connection.execute(
                select(schema.series_games).where(schema.series_games.c.table_id == table_id)
            ).first()
            place = connection.execute(
                select(schema.match_games.c.match_id, schema.match_games.c.number).where(
                    schema.match_games.c.table_id == table_id
                )
            ).first()
            table = LiveTable(
                dict(row),
                [Seat(**{name: seat[name] for name in SEAT_FIELDS}) for seat in seats],
                self.ruleset(row["game"], row["options"], data),
                Part(part.series, part.number, part.swapped) if part else None,
            )
            table.match_place = MatchPlace(*place) if place else None
            table.round = connection.execute(
                select(schema.duplicate_tables.c.round_id).where(schema.duplicate_tables.c.table_id == table_id)
            ).scalar()
            table.occasion = _occasion(connection, table_id)
            table.state.orders = {side: frozenset(texts) for side, texts in orders.items()}
            for record in records:
                table.apply_record(TableRecord(record["kind"], record["actor"], record["value"], record["at"]))
        if row["status"] not in (WAITING, DEALING):
            table.state.status, table.state.result = row["status"], row["result"]
        table.said = repository.last_said(self._engine, table_id)
        return table

    async def catch_up(self, table: LiveTable) -> None:
        """Load what other worker processes have written; the caller holds the table's lock."""
        while table.is_behind:
            changes = table.changes_elsewhere
            table.read_anew(await asyncio.to_thread(self.read, table.id))
            table.changes_read = changes
            self._announce(table)

    def keep(self, table: LiveTable) -> None:
        """Add a table to memory; may drop the least recently used, finished ones first."""
        self._live[table.id] = table
        self._kept += 1
        if self._kept < KEPT_BETWEEN_LOOKS:
            return
        self._kept = 0
        finished = [live for live in self._live.values() if live.status == FINISHED]
        self._let_go(finished, MAX_FINISHED_BYTES, table)
        self._let_go(list(self._live.values()), MAX_LIVE_BYTES, table)

    def _let_go(self, tables: list[LiveTable], most_bytes: int, but: LiveTable) -> None:
        played_by = Counter(id(live.game) for live in tables if not self._rulesets.is_shared(live.game))
        used = len(played_by) * ruleset_cache.BYTES + sum(map(_bytes_of, tables))
        for old in tables:
            if len(self._live) <= MAX_LIVE_TABLES and used <= most_bytes:
                return
            if old is not but and not old.presence.listeners and not old.lock.locked():
                used -= _bytes_of(old)
                played_by[id(old.game)] -= 1
                if played_by[id(old.game)] == 0:  # the last table with this ruleset; shared rulesets go below 0
                    used -= ruleset_cache.BYTES
                del self._live[old.id]

    # Publish persisted changes to the other worker processes and to the listeners.

    def recorded(self, table: LiveTable, record: TableRecord) -> None:
        """Publish the last record of a table."""
        due = table.state.goes_on_by_itself
        self._channel.tell(Notification(table.id, record, len(table.records), due=due))
        self._announce(table)
        self.used(table)

    def changed(self, table: LiveTable) -> None:
        """Publish a change outside the event log: seats, rematch, or closing of the table."""
        table.changes += 1
        self._channel.tell(Notification(table.id, anew=True, due=table.state.goes_on_by_itself))
        self._announce(table)
        self.used(table)

    def ordered(self, table: LiveTable) -> None:
        """Notify the other worker processes of changed standing orders; the other side never learns of them."""
        table.changes += 1
        self._channel.tell(Notification(table.id, orders=True, due=table.state.goes_on_by_itself))
        self.used(table)

    def said(self, table: LiveTable) -> None:
        """Publish a new chat line."""
        self._channel.tell(Notification(table.id, said=table.said))
        self._announce(table)

    def note_look(self, table: LiveTable, side: int) -> None:
        """Note that a side has the table open (spectators are ignored); call it again while it stays open."""
        if side < len(table.seats):
            table.presence.note_look(side)
            self._channel.tell(Notification(table.id, looks=side))

    def changed_outside(self, table_ids: Sequence[str]) -> None:
        """Reload these tables, here and in the other worker processes: their rows have changed (names, seals)."""
        for table_id in table_ids:
            if table_id in self._live:
                self._live[table_id].changes_elsewhere += 1
                self._show_anew(table_id)
            self._channel.tell(Notification(table_id, anew=True))

    def clocks_stood_still(self) -> None:
        """Reload the clocks of all tables, here and in the other worker processes."""
        self._read_clocks_anew()
        self._channel.tell(Notification(paused=True))

    def hear(self) -> None:
        """Apply notifications from other processes; afterwards everything that any viewer was shown is known here."""
        for notice in self._channel.heard():
            live = self._live.get(notice.table)
            if notice.answered:
                if self._job_answered is not None:
                    self._job_answered(notice.answered)
            elif notice.person:
                self._forget_person(notice.person)
            elif notice.paused:
                self._read_clocks_anew()
            elif notice.missed:
                self._doubt_everything()
            elif live is not None:
                self._hear_of(live, notice)
            elif (loading := self._loading.get(notice.table)) is not None:
                loading.has_changed = True
            if notice.due:
                for events in self._subscribers:
                    events.computer_due(notice.table)

    def _hear_of(self, table: LiveTable, notice: Notification) -> None:
        is_next = notice.number == len(table.records) + 1 and not table.is_behind
        if notice.looks is not None:
            table.presence.note_look(notice.looks)
        elif notice.said:
            table.said = max(table.said, notice.said)
            self._announce(table)
        elif notice.orders:
            table.changes_elsewhere += 1
            if table.presence.listeners:  # nothing is announced, but a table that is behind is never compared
                self._show_anew(table.id)
        elif notice.record is not None and is_next and not table.lock.locked():
            self._carry_out(table, notice.record)
        elif notice.anew or notice.number > len(table.records):
            table.changes_elsewhere += 1
            self._show_anew(table.id)

    def _carry_out(self, table: LiveTable, record: TableRecord) -> None:
        try:
            table.apply_record(record)
        except Exception as error:
            log.error("a record of another worker cannot be applied", exc_info=error, extra={"table": table.id})
            table.changes_elsewhere += 1
        self._announce(table)

    def _read_clocks_anew(self) -> None:
        for loading in self._loading.values():
            loading.has_changed = True
        for table in self._live.values():
            if table.timer and table.status == RUNNING:
                table.changes_elsewhere += 1
                if table.presence.listeners:
                    self._show_anew(table.id)

    def _doubt_everything(self) -> None:
        for loading in self._loading.values():
            loading.has_changed = True
        for table in self._live.values():
            table.compared_at = -math.inf
        self._tasks.start("compare", "", self.compare)

    def _show_anew(self, table_id: str) -> None:
        async def show() -> None:
            self._announce(await self.table(table_id))

        self._tasks.start("show", table_id, show)

    def _announce(self, table: LiveTable) -> None:
        table.presence.announce(table.news)

    async def _first_asked_for(self, table_id: str) -> LiveTable:
        loading = self._loading.setdefault(table_id, _Loading())
        loading.waiting += 1
        try:
            async with loading.lock:
                if table_id not in self._live:
                    table = await self._loader.do(partial(self.read, table_id))
                    while loading.has_changed:
                        loading.has_changed = False
                        table = await asyncio.to_thread(self.read, table_id)
                    self.keep(table)
        finally:
            loading.waiting -= 1
            if not loading.waiting:
                del self._loading[table_id]
        return self._live[table_id]


def _occasion(connection: Connection, table_id: str) -> Occasion | None:
    daily, solo = schema.daily_games.c, schema.solo_games.c
    if found := connection.execute(select(daily.game, daily.day).where(daily.table_id == table_id)).first():
        return Occasion.of_daily(found.game, found.day)
    if found := connection.execute(select(solo.game, solo.side).where(solo.table_id == table_id)).first():
        return Occasion.of_solo(found.game, found.side)
    return None


def _bytes_of(table: LiveTable) -> int:
    return TABLE_BYTES + ENTRY_BYTES * table.length


def _differs(table: LiveTable, version: repository.Version) -> bool:
    # More records here than in the response: they were written here since the database responded.
    return version.changes != table.changes or version.records > len(table.records)
