"""A machine for computer players: a process that does the jobs of the servers on its database, several at once.

It serves nobody and keeps nothing: of a game it is given what one seat knows, and answers with a choice. Each job is
worked out in a process of its own (`process_pool`). What takes long has one place of its own, so that nobody waits for
it. Where this one dies, others take over what it had begun (`queue`).
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
from brinkmanship.web.jobs.queue import Job, Jobs, Outcome
from brinkmanship.web.support.supervisor import Supervisor

log = logging.getLogger("brinkmanship.web")

RENEW_SECONDS = 1.0
"""How often it says that it lives."""
POLL_INTERVAL = 1.0
"""How often it looks for jobs of which it has not heard."""
LONG_PLACES = 1
"""For what takes long, beside the places for what people wait for."""
AGAIN_SECONDS = 0.5
"""How long it waits before it tries again to hand an answer in."""


def work(engine: Engine, places: int) -> None:
    """Do the jobs of a database until told to stop.

    Args:
        engine: of a PostgreSQL database.
        places: jobs at the same time.
    """

    async def until_stopped() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        async with Worker(engine, places):
            await stop.wait()

    asyncio.run(until_stopped())


class Worker:
    """Works while it is entered (``async with``).

    Args:
        engine: of a PostgreSQL database.
        places: jobs at the same time.
    """

    def __init__(self, engine: Engine, places: int) -> None:
        self.name = process_name()
        self._engine = engine
        self._jobs = Jobs(engine)
        self._places = places
        self._busy: dict[bool, set[str]] = {False: set(), True: set()}
        """The jobs under way, those that take long by themselves."""
        self._pools = {False: ProcessPool(places), True: ProcessPool(LONG_PLACES, niceness=NICENESS_OF_LONG)}
        self._bus = PostgresPubSub(engine, self.name, JOBS)
        self._tasks = Supervisor()
        self._taking = asyncio.Lock()

    async def __aenter__(self) -> Worker:
        await asyncio.to_thread(self._jobs.renew, self.name, self._places)
        self._bus.listen(self._hear)
        self._tasks.every(RENEW_SECONDS, "lease", self._renew)
        self._tasks.every(POLL_INTERVAL, "jobs", self._take)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._tasks.close()
        with suppress(SQLAlchemyError):  # then others wait until the lease is over
            await asyncio.to_thread(self._jobs.leave, self.name)
        self._bus.close()
        for pool in self._pools.values():
            pool.close()

    async def _renew(self) -> None:
        await asyncio.to_thread(self._jobs.renew, self.name, self._places)

    def _hear(self) -> None:
        for _ in self._bus.heard():  # whatever it is, it says that there may be a job
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
            with suppress(*TRANSIENT_ERRORS):  # then who waits finds it a little later
                await asyncio.to_thread(send, self._engine, NAME, self.name, Notification(answered=job.id))

    async def _outcome(self, job: Job, long: bool) -> Outcome:
        def tell(told: bytes) -> None:
            with suppress(*TRANSIENT_ERRORS):  # more will follow
                self._jobs.tell(self.name, job.id, told)

        try:
            answer = await asyncio.wrap_future(self._pools[long].work_out(job.kind, job.payload, tell))
        except JobFailedError as error:
            log.warning("a job has no answer", extra={"job": job.id, "reason": str(error)})
            return Outcome(None, str(error))
        return Outcome(answer, None)
