"""Work beside the requests: every task is watched, and no fault ends one.

A fault of any kind is logged, and the work is begun again after a while: soon at first, then at longer and longer
intervals. Work for one table is a task of its own, so what is wrong with a table keeps no other one waiting.
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
from brinkmanship.web.support.rate_limit import asking

log = logging.getLogger("brinkmanship.web")

Work = Callable[[], Awaitable[object]]

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 60.0
ASKED_AGAIN_SECONDS = 1.0
"""So long after it was cancelled a task that still runs is cancelled again."""
MAX_DOUBLINGS = 16

TIMEOUT = 15.0
"""How long standing work may be late before it counts as failing."""


@dataclass
class _Job:
    """Work under way."""

    name: str
    table_id: str
    work: Work
    patience: float = TIMEOUT
    failures: int = 0
    """In a row."""
    done_at: float = field(default_factory=time.monotonic)
    """When the work was last done without a fault, or was first begun."""
    hurry: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Supervisor:
    """Runs tasks in the present event loop; the waits after faults are in seconds."""

    def __init__(self, first_wait: float = FIRST_WAIT_SECONDS, longest_wait: float = LONGEST_WAIT_SECONDS) -> None:
        self._first_wait = first_wait
        self._longest_wait = longest_wait
        self._for_tables: dict[tuple[str, str], _Job] = {}
        self._standing: dict[str, _Job] = {}
        self._is_closing = False

    def start(self, name: str, table_id: str, work: Work) -> None:
        """Do something for a table, again and again until it succeeds or there is no such table any more.

        Where that is under way already, it is hurried up.
        """
        if self._is_closing:  # whoever serves next finds what is left to do
            return
        key = (name, table_id)
        if job := self._for_tables.get(key):
            job.hurry.set()
            return
        job = self._for_tables[key] = _Job(name, table_id, work)
        job.task = asyncio.create_task(self._until_done(key, job), name=f"{name} {table_id}")

    def every(self, seconds: float, name: str, work: Work, patience: float = TIMEOUT) -> None:
        """Do something so often, for as long as the server runs.

        Args:
            patience: seconds it may be late before `faults` names it.
        """
        job = self._standing[name] = _Job(name, "", work, patience + seconds)
        job.task = asyncio.create_task(self._again_and_again(seconds, job), name=name)

    def faults(self) -> list[str]:
        """What is wrong with standing tasks, for the operator; empty while all is well."""
        now = time.monotonic()
        found = []
        for job in self._standing.values():
            late = now - job.done_at
            if job.task is None or job.task.done():
                found.append(f"the task {job.name!r} has ended")
            elif late > job.patience:
                found.append(f"the task {job.name!r} was last done {late:.0f} seconds ago")
        return found

    @property
    def tables_with_faults(self) -> int:
        """For how many tables something has failed and will be tried again."""
        return len({job.table_id for job in self._for_tables.values() if job.failures})

    async def close(self) -> None:
        """Cancel all tasks and wait until they have ended; nothing is begun any more."""
        self._is_closing = True
        left = {job.task for job in (*self._for_tables.values(), *self._standing.values()) if job.task}
        while left:  # what a task waits for may swallow a cancellation that comes in the moment it is done
            for task in left:
                task.cancel()
            _, left = await asyncio.wait(left, timeout=ASKED_AGAIN_SECONDS)
        self._standing.clear()

    async def _until_done(self, key: tuple[str, str], job: _Job) -> None:
        asking.set("")  # the server does it by itself, whoever's request it began in
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
            if isinstance(error, RequestError):  # a refusal with a reason; where it came from says nothing more
                log.warning("a task was refused", extra={**about, "reason": error.detail})
            else:
                log.error("a task failed", exc_info=error, extra=about)
            return False
        job.failures = 0
        job.done_at = time.monotonic()
        return True

    async def _wait(self, job: _Job) -> None:
        """Wait before the next attempt; who hurries it up shortens the wait to the first one."""
        wait = min(self._longest_wait, self._first_wait * 2 ** min(job.failures - 1, MAX_DOUBLINGS))
        await asyncio.sleep(self._first_wait)
        # Not all at the same moment, where one fault has struck many tables.
        wait *= random.uniform(0.8, 1.0)
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, wait - self._first_wait)):
                await job.hurry.wait()
