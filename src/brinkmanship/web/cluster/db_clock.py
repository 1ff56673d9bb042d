"""The time by which games are played: the database's, so that machines whose clocks differ agree on who is out of time.

A process asks the database for its time now and then, and adds the difference to its own. With a file of SQLite there
is but one machine, and nothing to ask.
"""

from __future__ import annotations

import asyncio
import logging
import time

from sqlalchemy import Engine, select

from brinkmanship.store.database import time_of
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
        self._is_told = False

    async def set(self) -> None:
        """Ask once; to be called every `INTERVAL`, and before anything is played."""
        if self._engine.dialect.name != "sqlite":
            await asyncio.to_thread(self._set)

    def _set(self) -> None:
        with self._engine.connect() as connection:
            connection.execute(select(1))  # a line may have to be made first
            asked_at, began = time.time(), time.perf_counter()
            says = connection.execute(select(time_of(self._engine))).scalar_one()
            took = time.perf_counter() - began
        if took > max(GOOD_SECONDS, self._quickest):
            return
        self._quickest = took
        difference = says - (asked_at + took / 2)
        time_control.go_ahead(difference)
        if abs(difference) > STRANGE_SECONDS and not self._is_told:
            self._is_told = True
            log.warning("this machine's clock is not the database's", extra={"seconds": round(difference, 3)})
