"""The server's sign of life, and what follows where there was none: the clocks stand still while nobody can play.

Every few seconds a worker writes into the database that it lives. A gap between two such beats is a time in which
nothing could be done, for whatever reason: no server ran, the database was away, the machine slept. The worker that
ends the gap writes, in one transaction with its beat, a record of the pause at every table whose clocks may run. It is
a record like any other, so whoever reads the table has the same clocks.
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
from brinkmanship.web.tables.live_table import NOBODY, PAUSE, RUNNING

log = logging.getLogger("brinkmanship.web")

HEARTBEAT_INTERVAL = 5.0
"""How often a worker says that it lives."""

GAP_SECONDS = 15.0
"""So long without a beat of any worker is a pause: a server under load may be a little late."""

START_GAP_SECONDS = 1.0
"""The same when a server has just been started: it is known that there was none."""

ROW = 1

_first_beat = insert(heartbeat).values(id=ROW, at=bindparam("now"))
_beat = update(heartbeat).where(heartbeat.c.id == ROW, heartbeat.c.at >= bindparam("since")).values(at=bindparam("now"))
_beat_after_gap = (
    update(heartbeat).where(heartbeat.c.id == ROW, heartbeat.c.at <= bindparam("last")).values(at=bindparam("now"))
)
# All tables with clocks, also those where none runs yet: else a pause would tell that somebody has chosen in secret.
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
    """Beats for one worker.

    Args:
        has_come_up: whether the whole server has just been started, and not only this worker of it.
        when_paused: called where the clocks stood still: everything known of them has to be read again.
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
        """Seconds since this worker has last written that it lives."""
        return time_control.own() - self._beaten_at

    @property
    def is_late(self) -> bool:
        """Whether there may be a gap that no record tells of yet."""
        return self.age > GAP_SECONDS

    async def beat(self) -> None:
        """Beat if it is time to.

        Raises:
            SQLAlchemyError: the database does not take it.
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
        """Say good-bye, so that the next start knows from when on there was no server."""
        row = {"now": time_control.now(), "since": 0.0}
        await self._writer.write(Statement(_beat, row))

    async def _end_gap(self, now: float) -> None:
        last = await asyncio.to_thread(self._last)
        if last is None:
            with suppress(IntegrityError):  # another worker was the first of all
                await self._writer.write(Statement(_first_beat, {"now": now}))
            return
        if now - last <= self._gap:
            return  # another worker has ended the gap
        seconds = math.ceil(now - last)
        with suppress(NoRowUpdatedError):  # the same, in this very moment
            await self._writer.write(
                Statement(_beat_after_gap, {"last": last, "now": now}, must_change=True),
                Statement(_pause_tables, {"seconds": seconds, "now": now}),
                Statement(_postpone, {"seconds": seconds}),
            )
            log.warning("nobody could play for a while; the clocks stood still", extra={"seconds": seconds})

    def _last(self) -> float | None:
        with self._engine.connect() as connection:
            return connection.execute(select(heartbeat.c.at).where(heartbeat.c.id == ROW)).scalar()
