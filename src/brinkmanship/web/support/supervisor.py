"""Supervisor for background tasks: restarts failed tasks with exponential back-off.

Failures of any kind are logged, and the task is retried: soon at first, then at longer and longer intervals. Work for
each table is a separate task, so a failing table does not delay others.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from brinkmanship.web.support.errors import NotFoundError, RequestError
from brinkmanship.web.support.rate_limit import client_address, client_person

log = logging.getLogger("brinkmanship.web")

Work = Callable[[], Awaitable[object]]

FIRST_WAIT_SECONDS = 0.5
MAX_WAIT = 60.0
ASKED_AGAIN_SECONDS = 1.0
"""Seconds after which a cancelled task that is still running is cancelled again."""
MAX_DOUBLINGS = 16

TIMEOUT = 15.0
"""Maximum delay (s) of a periodic task before it counts as failing."""


@dataclass
class _Job:
    """A supervised task."""

    name: str
    table_id: str
    work: Work
    patience: float = TIMEOUT
    failures: int = 0
    """Consecutive failures."""
    done_at: float = field(default_factory=time.monotonic)
    """Monotonic time (s) of the last success, or of the first start."""
    hurry: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Supervisor:
    """Supervisor of tasks in the current event loop; waits after failures are in seconds."""

    def __init__(self, first_wait: float = FIRST_WAIT_SECONDS, longest_wait: float = MAX_WAIT) -> None:
        self._first_wait = first_wait
        self._longest_wait = longest_wait
        self._for_tables: dict[tuple[str, str], _Job] = {}
        self._standing: dict[str, _Job] = {}
        self._is_closing = False

    def start(self, name: str, table_id: str, work: Work) -> None:
        """Run a task for a table, retrying until it succeeds or the table no longer exists.

        If the task is already running, its next retry is brought forward.
        """
        if self._is_closing:  # the next server process finds the remaining work
            return
        key = (name, table_id)
        if job := self._for_tables.get(key):
            job.hurry.set()
            return
        job = self._for_tables[key] = _Job(name, table_id, work)
        job.task = asyncio.create_task(self._until_done(key, job), name=f"{name} {table_id}")

    def every(self, seconds: float, name: str, work: Work, patience: float = TIMEOUT) -> None:
        """Run a task every `seconds` seconds while the server runs.

        Args:
            seconds: Interval between two runs.
            name: Name of the task in logs and `faults`.
            work: Coroutine function to run.
            patience: Maximum delay (s) before `faults` reports the task.
        """
        job = self._standing[name] = _Job(name, "", work, patience + seconds)
        job.task = asyncio.create_task(self._again_and_again(seconds, job), name=name)

    def faults(self) -> list[str]:
        """Return descriptions of failing periodic tasks for the operator; empty if there are none."""
        now = time.monotonic()
        found = []
        for job in self._standing.values():
            late = now - job.done_at
            if job.task is None or job.task.done():
                found.append(f"the task {job.name!r} has ended")
            elif late > job.patience:
                found.append(f"the task {job.name!r} last succeeded {late:.0f} seconds ago")
        return found

    @property
    def tables_with_faults(self) -> int:
        """Number of tables with a failed task waiting for its retry."""
        return len({job.table_id for job in self._for_tables.values() if job.failures})

    async def close(self) -> None:
        """Cancel all tasks and wait until they have ended; no new ones are started."""
        self._is_closing = True
        left = {job.task for job in (*self._for_tables.values(), *self._standing.values()) if job.task}
        while left:  # an awaitable that completes at the moment of a cancellation may swallow it
            for task in left:
                task.cancel()
            _, left = await asyncio.wait(left, timeout=ASKED_AGAIN_SECONDS)
        self._standing.clear()

    async def _until_done(self, key: tuple[str, str], job: _Job) -> None:
        # The task is the server's own work, not the work of the client whose request started it.
        client_address.set("")
        client_person.set("")
        try:
            with suppress(NotFoundError):
                while not await self._attempt(job):
                    await self._wait(job)
        finally:
            del self._for_tables[key]

    async def _again_and_again(self, seconds: float, job: _Job) -> None:
        while True:
            if await self._attempt(job):
                await asyncio.sleep(seconds)
            else:
                await self._wait(job)

    async def _attempt(self, job: _Job) -> bool:
        job.hurry.clear()
        try:
            await job.work()
        except BaseException as error:  # a player may raise anything, even SystemExit
            present = asyncio.current_task()
            if isinstance(error, KeyboardInterrupt) or (present and present.cancelling()):
                raise
            if job.table_id and isinstance(error, NotFoundError):
                raise
            job.failures += 1
            about = {"task": job.name, "failures": job.failures} | ({"table": job.table_id} if job.table_id else {})
            if isinstance(error, RequestError):  # a refusal with a reason; the traceback would add nothing
                log.warning("a task was refused", extra={**about, "reason": error.detail})
            else:
                log.error("a task failed", exc_info=error, extra=about)
            return False
        job.failures = 0
        job.done_at = time.monotonic()
        return True

    async def _wait(self, job: _Job) -> None:
        """Wait before the next attempt; `job.hurry` cuts the wait short, down to the first wait."""
        wait = min(self._longest_wait, self._first_wait * 2 ** min(job.failures - 1, MAX_DOUBLINGS))
        await asyncio.sleep(self._first_wait)
        # Jitter: one fault may have struck many tables at once.
        wait *= random.uniform(0.8, 1.0)
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, wait - self._first_wait)):
                await job.hurry.wait()
