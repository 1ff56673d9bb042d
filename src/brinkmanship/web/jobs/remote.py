"""Client for remote bot workers: when a worker is alive, bot moves are computed there.

Requests go through the job queue (`queue`), with the table's number of records in the id: a process that takes over
the table's lease waits for the same result. Results are announced over pub/sub; a lost notification delays one until
the next poll. If no worker is alive, bot moves are computed beside this process (`process_pool`).

The first waiter that reads a result removes the job, because results left in the queue would slow down every search
for a free job. A waiter for the same job that comes too late adds it again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from sqlalchemy import Engine

from brinkmanship.engine.observation import Observation
from brinkmanship.players import Choice
from brinkmanship.web.cluster.postgres_pubsub import JOBS, send
from brinkmanship.web.jobs.player_job import decode_choice, encode_request
from brinkmanship.web.jobs.process_pool import CHOICE, JobFailedError, ReportProgress
from brinkmanship.web.jobs.queue import Job, Jobs

POLL_INTERVAL = 1.0
"""Poll interval (s) for unannounced results and for live workers."""


class RemoteWorkers:
    """Client for the remote workers of one database.

    Args:
        engine: Engine of a PostgreSQL database.
        name: Pub/sub name of this process.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._name = name
        self._jobs = Jobs(engine)
        self._waiting: dict[str, asyncio.Event] = {}
        self._somebody_works = False
        self._looked_at = -POLL_INTERVAL

    def answered(self, job_id: str) -> None:
        """Wake the waiter for a job that another process reports as done."""
        if waiting := self._waiting.get(job_id):
            waiting.set()

    async def choice(
        self, about: str, player: str, seen: Callable[[], Observation], seed: int | None = None
    ) -> Choice | None:
        """Return a player's choice computed by a remote worker; None if no worker is alive.

        Args:
            about: Id of the request; the same position of the same table has the same id.
            player: Name of the player.
            seen: Function that returns the observation; called in a thread.
            seed: Seed of the player's random numbers for this choice; None: its own.

        Raises:
            JobFailedError: The player failed.
        """
        answer = await self.run(CHOICE, about, lambda: encode_request(player, seen(), seed))
        return None if answer is None else decode_choice(answer)

    async def run(
        self, kind: str, about: str, payload: Callable[[], bytes], report_progress: ReportProgress = lambda _: None
    ) -> bytes | None:
        """Return the result of a job done by a remote worker; None if no worker is alive.

        Args:
            kind: Job type of `process_pool`.
            about: Id of the request among jobs of its type; the same request has the same id.
            payload: Function that encodes the request; called in a thread, possibly several times.
            report_progress: Callback for progress reports, for job types that send them.

        Raises:
            JobFailedError: The job failed.
        """
        if not await self._are_there():
            return None
        job_id = f"{kind}.{about}"
        answered = self._waiting.setdefault(job_id, asyncio.Event())
        try:
            await asyncio.to_thread(self._put, job_id, kind, payload)
            while True:
                answered.clear()
                outcome = await asyncio.to_thread(self._jobs.outcome, job_id)
                if outcome is None:  # another waiter for the same job was first
                    answered = self._waiting.setdefault(job_id, answered)
                    await asyncio.to_thread(self._put, job_id, kind, payload)
                    continue
                if outcome.answer is not None or outcome.fault is not None:
                    break
                if outcome.progress is not None:
                    report_progress(outcome.progress)
                if not await self._are_there() and await asyncio.to_thread(self._jobs.remove, job_id, True):
                    return None
                try:
                    async with asyncio.timeout(POLL_INTERVAL):
                        await answered.wait()
                except TimeoutError:
                    pass
        finally:
            self._waiting.pop(job_id, None)
        await asyncio.to_thread(self._jobs.remove, job_id)
        if outcome.answer is None:
            raise JobFailedError(outcome.fault)
        return outcome.answer

    async def _are_there(self) -> bool:
        if time.monotonic() - self._looked_at >= POLL_INTERVAL:
            self._looked_at = time.monotonic()
            self._somebody_works = await asyncio.to_thread(self._jobs.somebody_works)
        return self._somebody_works

    def _put(self, job_id: str, kind: str, payload: Callable[[], bytes]) -> None:
        self._jobs.put(Job(job_id, kind, payload()))
        send(self._engine, JOBS, self._name)
