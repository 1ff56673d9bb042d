"""The time by which games are played: the database's, so that machines whose clocks differ agree on who is out of time.

A process asks the database for its time now and then, and adds the difference to its own. With a file of SQLite there
is but one machine, and nothing to ask.
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
"""How often the database is asked."""
GOOD_SECONDS = 0.05
"""An answer that took longer says the time less exactly than the last good one did."""
STRANGE_SECONDS = 1.0
"""A difference from which on the operator is told: the machine's clock should be set."""


class DatabaseClock:
    """Sets `time_control` by a database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._quickest = float("inf")
        self._last: float | None = None
        """By how much the database was last ahead."""
        self._is_told = False

    async def set(self) -> None:
        """Ask once; to be called every `INTERVAL`, and before anything is played."""
        await asyncio.to_thread(self._set)

    def _set(self) -> None:
        with self._engine.connect() as connection:
            if self._engine.dialect.name != "sqlite":
                self._ask(connection)
            # Where a clock was set back while no server ran, games were played later than now.
            beaten_at = connection.execute(select(func.max(heartbeat.c.at))).scalar() or 0.0
        if beaten_at > time_control.now() + STRANGE_SECONDS:
            time_control.go_ahead(beaten_at - time_control.own())
            log.warning("the clock has been set back; games go on from where they were")

    def _ask(self, connection: Connection) -> None:
        connection.execute(select(1))  # a line may have to be made first
        asked_at, began = time_control.own(), time.perf_counter()
        says = connection.execute(select(time_of(self._engine))).scalar_one()
        took = time.perf_counter() - began
        if took > max(GOOD_SECONDS, self._quickest):
            return
        self._quickest = took
        difference = says - (asked_at + took / 2)
        if self._last is not None and difference < self._last - STRANGE_SECONDS:
            return  # the database's clock has been set back: all who play go on as before
        self._last = difference
        time_control.go_ahead(difference)
        if abs(difference) > STRANGE_SECONDS and not self._is_told:
            self._is_told = True
            log.warning("this machine's clock is not the database's", extra={"seconds": round(difference, 3)})
