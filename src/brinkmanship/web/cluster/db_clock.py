"""Clock synchronization with the database, so that machines with different clocks agree on who is out of time.

A process reads the database's time periodically and adds the difference to its own time. With an SQLite file there is
only one machine, so nothing is read.
"""

from __future__ import annotations

import asyncio
import logging
import time

from sqlalchemy import Connection, Engine, func, select

from brinkmanship.store.database import time_of
from brinkmanship.store.schema import heartbeat
from brinkmanship.web.support import time_control

log = logging.getLogger("brinkmanship.web")

INTERVAL = 10.0
"""Poll interval (s) for the database's time."""
GOOD_SECONDS = 0.05
"""Maximum round trip (s) of a usable measurement, or that of the previous usable one if it was longer."""
STRANGE_SECONDS = 1.0
"""Clock difference (s) from which the operator is warned that the machine's clock should be set."""


class DatabaseClock:
    """Synchronizes `time_control` with the database's clock."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._quickest = float("inf")
        self._last: float | None = None
        """Offset (s) of the database's clock at the last measurement."""
        self._is_told = False

    async def set(self) -> None:
        """Measure once; call it every `INTERVAL`, and before any game starts."""
        await asyncio.to_thread(self._set)

    def _set(self) -> None:
        with self._engine.connect() as connection:
            if self._engine.dialect.name != "sqlite":
                self._ask(connection)
            # If the clock was set back while no server ran, stored heartbeats are later than now.
            beaten_at = connection.execute(select(func.max(heartbeat.c.at))).scalar() or 0.0
        if beaten_at > time_control.now() + STRANGE_SECONDS:
            time_control.go_ahead(beaten_at - time_control.own())
            log.warning("the machine's clock has been set back; game clocks continue without a jump")

    def _ask(self, connection: Connection) -> None:
        connection.execute(select(1))  # the pool may have to connect first, which must not be timed
        asked_at, began = time_control.own(), time.perf_counter()
        says = connection.execute(select(time_of(self._engine))).scalar_one()
        took = time.perf_counter() - began
        if took > max(GOOD_SECONDS, self._quickest):
            return
        self._quickest = took
        difference = says - (asked_at + took / 2)
        if self._last is not None and difference < self._last - STRANGE_SECONDS:
            return  # the database's clock has been set back: keep the previous offset
        self._last = difference
        time_control.go_ahead(difference)
        if abs(difference) > STRANGE_SECONDS and not self._is_told:
            self._is_told = True
            log.warning("this machine's clock differs from the database's", extra={"seconds": round(difference, 3)})
