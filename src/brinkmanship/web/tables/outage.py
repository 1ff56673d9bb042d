"""Heartbeat of the server, and compensation for outages: the clocks are paused while no one can play.

Every few seconds a worker writes a heartbeat into the database. A gap between two heartbeats is an outage, for
whatever reason: no server ran, the database was unreachable, the machine slept. The worker that ends the gap writes, in
one transaction with its heartbeat, a pause record at every table whose clocks may run. It is a record like any other,
so every process that reads the table has the same clocks.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import Engine, Integer, String, bindparam, func, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.store.schema import heartbeat, records, tables
from brinkmanship.store.writer import NoRowUpdatedError, Statement, Writer
from brinkmanship.web.support import time_control
from brinkmanship.web.tables.record_kinds import NOBODY, PAUSE
from brinkmanship.web.tables.statuses import RUNNING

log = logging.getLogger("brinkmanship.web")

HEARTBEAT_INTERVAL = 5.0
"""Heartbeat interval (s) of a worker."""

GAP_SECONDS = 15.0
"""Minimum gap (s) between heartbeats of all workers that counts as an outage; a loaded server may be a little late."""

START_GAP_SECONDS = 1.0
"""The same for a server that has just been started, when it is known that none ran before."""

ROW = 1

_first_beat = insert(heartbeat).values(id=ROW, at=bindparam("now"))
_beat = update(heartbeat).where(heartbeat.c.id == ROW, heartbeat.c.at >= bindparam("since")).values(at=bindparam("now"))
_beat_after_gap = (
    update(heartbeat).where(heartbeat.c.id == ROW, heartbeat.c.at <= bindparam("last")).values(at=bindparam("now"))
)
# All tables with clocks, also those with none running: otherwise a pause would reveal that a secret choice was made.
_with_clock = (tables.c.status == RUNNING) & tables.c.clock.is_not(None)
_last_number = (
    select(func.coalesce(func.max(records.c.number), 0)).where(records.c.table_id == tables.c.id).scalar_subquery()
)
_pause_tables = insert(records).from_select(
    ["table_id", "number", "kind", "actor", "value", "at"],
    select(
        tables.c.id,
        _last_number + 1,
        literal(PAUSE, String),
        literal(NOBODY, Integer),
        bindparam("seconds", type_=Integer),
        bindparam("now", type_=records.c.at.type),
    ).where(_with_clock),
)
_postpone = (
    update(tables)
    .where(_with_clock, tables.c.clock_ends_at.is_not(None))
    .values(clock_ends_at=tables.c.clock_ends_at + bindparam("seconds", type_=Integer))
)


class OutageMonitor:
    """Heartbeat of one worker.

    Args:
        engine: Database engine.
        writer: Writer for the database.
        has_come_up: True if the whole server has just been started, not only this worker.
        when_paused: Called after a pause: all clocks in memory have to be reloaded.
    """

    def __init__(self, engine: Engine, writer: Writer, has_come_up: bool, when_paused: Callable[[], object]) -> None:
        self._engine = engine
        self._writer = writer
        self._gap = START_GAP_SECONDS if has_come_up else GAP_SECONDS
        self._lock = asyncio.Lock()
        self._beaten_at = 0.0
        self._when_paused = when_paused

    @property
    def age(self) -> float:
        """Seconds since this worker's last heartbeat."""
        return time_control.own() - self._beaten_at

    @property
    def is_late(self) -> bool:
        """True if there may be a gap that is not recorded yet."""
        return self.age > GAP_SECONDS

    async def beat(self) -> None:
        """Write a heartbeat if one is due.

        Raises:
            SQLAlchemyError: The database failed.
        """
        async with self._lock:
            if 0 <= self.age < HEARTBEAT_INTERVAL:
                return
            now, own, was_away = time_control.now(), time_control.own(), self.is_late
            try:
                await self._writer.write(Statement(_beat, {"now": now, "since": now - self._gap}, must_change=True))
            except NoRowUpdatedError:
                was_away = True
                await self._end_gap(now)
            self._beaten_at, self._gap = own, GAP_SECONDS
        if was_away:
            self._when_paused()

    async def last_beat(self) -> None:
        """Write a last heartbeat at shutdown, so that the next start knows when the outage began."""
        row = {"now": time_control.now(), "since": 0.0}
        await self._writer.write(Statement(_beat, row))

    async def _end_gap(self, now: float) -> None:
        last = await asyncio.to_thread(self._last)
        if last is None:
            with suppress(IntegrityError):  # another worker wrote the very first heartbeat
                await self._writer.write(Statement(_first_beat, {"now": now}))
            return
        if now - last <= self._gap:
            return  # another worker has ended the gap
        seconds = math.ceil(now - last)
        with suppress(NoRowUpdatedError):  # another worker ended the gap at this moment
            await self._writer.write(
                Statement(_beat_after_gap, {"last": last, "now": now}, must_change=True),
                Statement(_pause_tables, {"seconds": seconds, "now": now}),
                Statement(_postpone, {"seconds": seconds}),
            )
            log.warning("outage: the clocks were paused", extra={"seconds": seconds})

    def _last(self) -> float | None:
        with self._engine.connect() as connection:
            return connection.execute(select(heartbeat.c.at).where(heartbeat.c.id == ROW)).scalar()
