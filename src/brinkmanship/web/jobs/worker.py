"""Remote bot worker: a process that does the jobs of the servers on its database, several at once.

It serves no requests and stores nothing: it receives the view of one seat and returns a choice. Each job runs in a
separate process (`process_pool`). Long jobs have one slot of their own, so that other jobs do not wait for them. If a
worker dies, others take over its jobs (`queue`).
"""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress
from functools import partial

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from brinkmanship.store.writer import TRANSIENT_ERRORS
from brinkmanship.web.cluster.leases import process_name
from brinkmanship.web.cluster.postgres_pubsub import JOBS, NAME, PostgresPubSub, send
from brinkmanship.web.cluster.pubsub import Notification
from brinkmanship.web.jobs.process_pool import NICENESS_OF_LONG, JobFailedError, ProcessPool
from brinkmanship.web.jobs.queue import Job, JobOutcome, Jobs
from brinkmanship.web.support.supervisor import Supervisor

log = logging.getLogger("brinkmanship.web")

RENEW_SECONDS = 1.0
"""Renewal interval (s) of the lease."""
POLL_INTERVAL = 1.0
"""Poll interval (s) for unannounced jobs."""
LONG_PLACES = 1
"""Slots for long jobs, in addition to those for jobs that users wait for."""
AGAIN_SECONDS = 0.5
"""Wait (s) before the next attempt to store a result."""


def work(engine: Engine, places: int) -> None:
    """Do the jobs of a database until SIGINT or SIGTERM.

    Args:
        engine: Engine of a PostgreSQL database.
        places: Number of jobs at the same time.
    """

    async def until_stopped() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        async with Worker(engine, places):
            await stop.wait()

    asyncio.run(until_stopped())


class Worker:
    """Worker that runs while its context (``async with``) is entered.

    Args:
        engine: Engine of a PostgreSQL database.
        places: Number of jobs at the same time.
    """

    def __init__(self, engine: Engine, places: int) -> None:
        self.name = process_name()
        self._engine = engine
        self._jobs = Jobs(engine)
        self._places = places
        self._busy: dict[bool, set[str]] = {False: set(), True: set()}
        """Ids of the running jobs; long jobs under True."""
        self._pools = {False: ProcessPool(places), True: ProcessPool(LONG_PLACES, niceness=NICENESS_OF_LONG)}
        self._pubsub = PostgresPubSub(engine, self.name, JOBS)
        self._tasks = Supervisor()
        self._taking = asyncio.Lock()

    async def __aenter__(self) -> Worker:
        await asyncio.to_thread(self._jobs.renew, self.name, self._places)
        self._pubsub.listen(self._hear)
        self._tasks.every(RENEW_SECONDS, "lease", self._renew)
        self._tasks.every(POLL_INTERVAL, "jobs", self._take)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._tasks.close()
        with suppress(SQLAlchemyError):  # on failure the other workers wait until the lease expires
            await asyncio.to_thread(self._jobs.leave, self.name)
        self._pubsub.close()
        for pool in self._pools.values():
            pool.close()

    async def _renew(self) -> None:
        await asyncio.to_thread(self._jobs.renew, self.name, self._places)

    def _hear(self) -> None:
        for _ in self._pubsub.drain():  # any notification means that there may be a job
            pass
        self._tasks.start("take", "", self._take)

    async def _take(self) -> None:
        async with self._taking:
            for long, places in ((False, self._places), (True, LONG_PLACES)):
                free = places - len(self._busy[long])
                if free <= 0:
                    continue
                for job in await asyncio.to_thread(self._jobs.take, self.name, free, long):
                    self._busy[long].add(job.id)
                    self._tasks.start("job", job.id, partial(self._do, job, long))

    async def _do(self, job: Job, long: bool) -> None:
        try:
            outcome = await self._outcome(job, long)
            while True:
                try:
                    is_wanted = await asyncio.to_thread(self._jobs.finish, self.name, job.id, outcome)
                    break
                except TRANSIENT_ERRORS:
                    await asyncio.sleep(AGAIN_SECONDS)
        finally:
            self._busy[long].discard(job.id)
        self._tasks.start("take", "", self._take)
        if is_wanted:
            with suppress(*TRANSIENT_ERRORS):  # without the notification the waiter finds the result by polling
                await asyncio.to_thread(send, self._engine, NAME, self.name, Notification(answered=job.id))

    async def _outcome(self, job: Job, long: bool) -> JobOutcome:
        def report_progress(progress: bytes) -> None:
            with suppress(*TRANSIENT_ERRORS):  # a later report will replace a lost one
                self._jobs.report_progress(self.name, job.id, progress)

        try:
            answer = await asyncio.wrap_future(self._pools[long].submit(job.kind, job.payload, report_progress))
        except JobFailedError as error:
            log.warning("a job failed", extra={"job": job.id, "reason": str(error)})
            return JobOutcome(None, str(error))
        return JobOutcome(answer, None)
