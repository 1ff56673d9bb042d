"""Health of the server, for the operator and load balancers: accurate, and cheap to query.

The heartbeat, written every few seconds in the same way as actions, shows whether writing works. The database is
queried in a thread, at most once a second regardless of the number of requests, and never twice at the same time.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from brinkmanship import __version__
from brinkmanship.store import repository
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.outage import GAP_SECONDS, OutageMonitor

FRESH_SECONDS = 1.0
ANSWER_SECONDS = 3.0
"""Timeout (s) for the database's response."""
MIN_FREE_BYTES = 100_000_000
"""Minimum free space (bytes) on the disk of an SQLite file."""


class Health:
    """Health check of one worker.

    Args:
        engine: Database engine.
        outage_monitor: Heartbeat of this worker.
        tasks: Supervisor of the background tasks.
        file: Database file; None if it is not a file on this machine.
    """

    def __init__(self, engine: Engine, outage_monitor: OutageMonitor, tasks: Supervisor, file: Path | None) -> None:
        self._engine = engine
        self._outage_monitor = outage_monitor
        self._tasks = tasks
        self._file = file
        self._running: int | None = None
        """Number of running games; None if the database did not respond."""
        self._asked_at = 0.0
        self._asking: asyncio.Task[None] | None = None

    async def report(self) -> dict[str, Any]:
        """Return the response body of `/health`; with empty `reasons` all is well."""
        await self._ask()
        reasons = []
        if self._running is None:
            reasons.append("the database does not answer")
        if self._outage_monitor.age > GAP_SECONDS:
            reasons.append("nothing could be written for some time")
        if self._file and (free := shutil.disk_usage(self._file.parent).free) < MIN_FREE_BYTES:
            reasons.append(f"only {free // 1_000_000} MB are free on the disk of the database")
        reasons += self._tasks.faults()
        return {
            "status": "failing" if reasons else "ok",
            "version": __version__,
            "running": self._running,
            "tables_with_faults": self._tasks.tables_with_faults,
            "reasons": reasons,
        }

    async def _ask(self) -> None:
        if self._asking is None and time.monotonic() - self._asked_at < FRESH_SECONDS:
            return
        if self._asking is None:
            self._asking = asyncio.create_task(self._count())
        _, late = await asyncio.wait([self._asking], timeout=ANSWER_SECONDS)
        if late:
            self._running = None

    async def _count(self) -> None:
        try:
            self._running = await asyncio.to_thread(repository.running_count, self._engine)
        except Exception:  # of any kind: there was no response; tasks that need the database log the reason
            self._running = None
        finally:
            self._asked_at = time.monotonic()
            self._asking = None
