"""Enforce the clocks: end games on time, each by the process that holds the table's lease.

The table's row stores when its next clock runs out, in the transaction of the record that started the clock. So a clock
counts without its table being in memory, and startup loads no tables.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial

from sqlalchemy import Engine, bindparam, select, update

from brinkmanship.store.schema import tables
from brinkmanship.store.writer import Statement, Writer
from brinkmanship.web.cluster.leases import TableLeases
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support import time_control
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import TIMEOUT
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.statuses import RUNNING

POLL_INTERVAL = 0.5
"""Poll interval (s) for expired clocks."""

AT_ONCE = 8
"""Maximum tables whose clocks are settled at the same time."""

_run_out = select(tables.c.id, tables.c.clock_ends_at).where(
    tables.c.status == RUNNING, tables.c.clock_ends_at < bindparam("now")
)
_mend = (
    update(tables)
    .where(tables.c.id == bindparam("table"), tables.c.clock_ends_at == bindparam("wrong"))
    .values(clock_ends_at=bindparam("right"))
)


class Clocks:
    """Ends games on time; call `look` every `POLL_INTERVAL`."""

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        leases: TableLeases,
        tables: TableRegistry,
        event_log: EventLog,
        tasks: Supervisor,
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._leases = leases
        self._tables = tables
        self._event_log = event_log
        self._tasks = tasks
        self._at_once = asyncio.Semaphore(AT_ONCE)

    async def look(self) -> None:
        """End the games whose time has run out, after compensating the clocks for an outage, if any."""
        await self._event_log.beat()
        for table_id, ends_at in await asyncio.to_thread(self._due, time_control.now()):
            self._tasks.start("clock", table_id, partial(self._settle, table_id, ends_at))

    def _due(self, now: float) -> list[tuple[str, float]]:
        with self._engine.connect() as connection:
            return [(row.id, row.clock_ends_at) for row in connection.execute(_run_out, {"now": now})]

    async def _settle(self, table_id: str, ends_at: float) -> None:
        async with self._at_once:
            if not await self._leases.claim(table_id):
                return
            table = await self._tables.table(table_id)
            await self._event_log.do(table, partial(_by_time, table))
            if table.state.clock_ends_at is not None:  # the row was wrong: written before this column existed
                row = {"table": table_id, "wrong": ends_at, "right": table.state.clock_ends_at}
                await self._writer.write(Statement(_mend, row))


def _by_time(table: LiveTable) -> TableRecord | None:
    side = table.timer.out_of_time(time_control.now()) if table.timer and table.status == RUNNING else None
    return None if side is None else TableRecord(TIMEOUT, side, 0, time.time())
