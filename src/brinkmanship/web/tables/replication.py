"""Replication: brings tables in memory up to date with what other processes write.

It applies their notifications (see `pubsub`) and, where notifications may be lost, compares tables with the database.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Sequence

from sqlalchemy import Engine

from brinkmanship.store import repository
from brinkmanship.store.table_versions import Progress
from brinkmanship.web.cluster.pubsub import Notification, PubSub
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import RUNNING
from brinkmanship.web.tables.table_cache import TableCache
from brinkmanship.web.tables.table_loader import TableLoader

log = logging.getLogger("brinkmanship.web")

COMPARE_INTERVAL = 2.0
"""Comparison interval (s) of watched tables, and maximum age of the last comparison of others.

Used where notifications may be lost.
"""
MAX_COMPARED = 500
"""Maximum tables per database query."""


class Replication:
    """Brings the tables in memory up to date.

    Args:
        engine: Database engine.
        pubsub: Pub/sub channel to the other processes.
        tasks: Supervisor of the background tasks.
        live: Tables in memory.
        loader: Loader of tables.
        look_up: Returns an up-to-date table by its id.
    """

    def __init__(
        self,
        engine: Engine,
        pubsub: PubSub,
        tasks: Supervisor,
        live: TableCache,
        loader: TableLoader,
        look_up: Callable[[str], Awaitable[LiveTable]],
    ) -> None:
        self._engine = engine
        self._progress = Progress(engine)
        self._pubsub = pubsub
        self._tasks = tasks
        self._live = live
        self._loader = loader
        self._look_up = look_up
        self._missed_at = -math.inf
        """Monotonic time (s) when notifications may last have been lost."""

    async def catch_up(self, table: LiveTable) -> None:
        """Load what other processes have written; the caller holds the table's lock."""
        while table.freshness.is_behind:
            changes, read_at = table.freshness.changes_elsewhere, time.monotonic()
            table.read_anew(await asyncio.to_thread(self._loader.read, table.id))
            table.freshness.compared_at = read_at  # what is missed while it is read may not be in it
            table.freshness.changes_read = changes
            table.announce()

    async def was_behind(self, table: LiveTable) -> bool:
        """Return True after loading changes of other processes that were not known here; the caller holds the lock."""
        if self._is_sure_of(table):
            return False
        version = await self._progress.of([table.id])
        if not _differs(table, version[0]):
            return False
        table.freshness.note_change()
        await self.catch_up(table)
        return True

    async def ensure_version(self, table: LiveTable, viewer: int, at_least: int | None) -> None:
        """Bring a table up to date, so that a viewer never sees less than they have already seen elsewhere.

        Args:
            table: Table to update.
            viewer: The side that looks, or `OBSERVER`.
            at_least: Version that the viewer has seen; None if unknown: then everything that any viewer has been shown.
        """
        if self._is_sure_of(table) or (at_least is not None and table.version(viewer) >= at_least):
            return
        while True:
            async with table.lock:  # wait for the write in progress, if any: it is known here afterwards
                pass
            await self._compare([table])
            if not table.lock.locked():
                break
        await self._catch_up_if_behind(table)

    async def refresh(self, table: LiveTable) -> None:
        """Bring a table up to date unless it was compared lately."""
        if self.may_be_old(table):
            await self._compare([table])
        await self._catch_up_if_behind(table)

    async def _catch_up_if_behind(self, table: LiveTable) -> None:
        if table.freshness.is_behind:
            async with table.lock:
                await self.catch_up(table)

    def may_be_old(self, table: LiveTable) -> bool:
        """Return True if a table has to be compared with the database; watched ones are compared periodically."""
        if self._may_have_missed(table):
            return True
        if self._pubsub.is_sure or table.presence.listeners:
            return False
        return time.monotonic() - table.freshness.compared_at > COMPARE_INTERVAL

    async def compare(self) -> None:
        """Compare the watched tables with the database; call it every `COMPARE_INTERVAL`."""
        watched = [table for table in self._live.values() if table.presence.listeners]
        await self._compare([table for table in watched if not self._is_sure_of(table)])

    def _is_sure_of(self, table: LiveTable) -> bool:
        """Return True if notifications alone keep a table up to date."""
        return self._pubsub.is_sure and not self._may_have_missed(table)

    def _may_have_missed(self, table: LiveTable) -> bool:
        """Return True if notifications may have been lost since a table was last compared with the database."""
        return table.freshness.compared_at <= self._missed_at

    async def _compare(self, tables: Sequence[LiveTable]) -> None:
        for first in range(0, len(tables), MAX_COMPARED):
            some = {table.id: table for table in tables[first : first + MAX_COMPARED]}
            asked_at = time.monotonic()
            have_gone_on: list[LiveTable] = []
            for version in await self._progress.of(list(some)):
                table = some[version.table_id]
                table.freshness.compared_at = asked_at
                if version.said > table.said:
                    table.said = version.said
                    table.announce()
                if not _differs(table, version) or table.freshness.is_behind:
                    continue
                if self._pubsub.is_sure:  # no later comparison would find what a write in progress hides
                    self._doubt(table, is_shown=bool(table.presence.listeners))
                    continue
                if table.lock.locked():  # a write in progress here will be known here; it is not a difference
                    continue
                if version.changes == table.freshness.changes:
                    have_gone_on.append(table)
                    continue
                self._doubt(table, is_shown=bool(table.presence.listeners))
            for table in have_gone_on:
                await self._read_on(table)

    async def _read_on(self, table: LiveTable) -> None:
        """Apply records of other processes that follow the known ones, before their notifications arrive."""
        records = await asyncio.to_thread(repository.records_after, self._engine, table.id, len(table.records))
        for number, kind, actor, value, at in records:
            if table.lock.locked() or table.freshness.is_behind:  # the holder of the lock brings the table up to date
                return
            if number == len(table.records) + 1:
                self._carry_out(table, TableRecord(kind, actor, value, at))

    def apply(self, notice: Notification) -> None:
        """Apply a notification about one table, or about all of them."""
        if notice.paused:
            self.read_clocks_anew()
        elif notice.missed:
            self._doubt_everything()
        elif (live := self._live.get(notice.table)) is not None:
            self._apply_to(live, notice)
        else:
            self._loader.note_change(notice.table)

    def _apply_to(self, table: LiveTable, notice: Notification) -> None:
        is_next = notice.number == len(table.records) + 1 and not table.freshness.is_behind
        if notice.looks is not None:
            table.presence.note_look(notice.looks)
        elif notice.said:
            table.said = max(table.said, notice.said)
            table.announce()
        elif notice.orders:
            # Nothing is announced, but a table that is behind is not compared with the database.
            self._doubt(table, is_shown=bool(table.presence.listeners))
        elif notice.record is not None and is_next and not table.lock.locked():
            self._carry_out(table, notice.record)
        elif notice.anew or notice.number > len(table.records):
            self._doubt(table)

    def _carry_out(self, table: LiveTable, record: TableRecord) -> None:
        try:
            table.apply_record(record)
        except Exception as error:
            log.error("a record of another worker cannot be applied", exc_info=error, extra={"table": table.id})
            table.freshness.note_change()
        table.announce()

    def changed_outside(self, table_id: str) -> None:
        """Reload a table whose row was changed here, if it is in memory."""
        if table_id in self._live:
            self._doubt(self._live[table_id])

    def read_clocks_anew(self) -> None:
        """Reload the tables with a clock that runs."""
        self._loader.note_changes()
        for table in self._live.values():
            if table.timer and table.status == RUNNING:
                self._doubt(table, is_shown=bool(table.presence.listeners))

    def _doubt_everything(self) -> None:
        self._loader.note_changes()
        self._missed_at = time.monotonic()
        self._tasks.start("compare", "", self.compare)

    def _doubt(self, table: LiveTable, *, is_shown: bool = True) -> None:
        """Note that a table has to be read again; if `is_shown` is True, read it now."""
        table.freshness.note_change()
        if not is_shown:
            return

        async def show() -> None:
            (await self._look_up(table.id)).announce()

        self._tasks.start("show", table.id, show)


def _differs(table: LiveTable, version: repository.Version) -> bool:
    # More records here than in the response: they were written here since the database responded.
    return version.changes != table.freshness.changes or version.records > len(table.records)
