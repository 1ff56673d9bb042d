"""The machines for computer players, as the processes that serve see them: while one lives, computers think there.

A choice is asked for by the queue (`queue`), under the number of records at its table: whoever becomes the table's home
waits for the same answer. That there is one is told by the bus; a notice that is lost delays it until it is next looked
for. Where no such machine lives, or none any more, computers think beside this process (`process_pool`).
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
from brinkmanship.web.jobs.process_pool import CHOICE, JobFailedError, Tell
from brinkmanship.web.jobs.queue import Job, Jobs

POLL_INTERVAL = 1.0
"""How often it is looked for an answer of which nothing is heard, and whether there are machines for computers."""


class RemoteWorkers:
    """The machines for computers of one database.

    Args:
        engine: of a PostgreSQL database.
        name: of this process on the bus.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._name = name
        self._jobs = Jobs(engine)
        self._waiting: dict[str, asyncio.Event] = {}
        self._somebody_works = False
        self._looked_at = -POLL_INTERVAL

    def answered(self, job_id: str) -> None:
        """Another process says that there is an answer."""
        if waiting := self._waiting.get(job_id):
            waiting.set()

    async def choice(self, about: str, player: str, seen: Callable[[], Observation]) -> Choice | None:
        """What a player chooses, thinking on another machine; None where there is none for that.

        Args:
            about: what is asked: the same position of the same table has the same one.
            seen: is called in a thread.

        Raises:
            JobFailedError: the player did not answer.
        """
        answer = await self.work_out(CHOICE, about, lambda: encode_request(player, seen()))
        return None if answer is None else decode_choice(answer)

    async def work_out(
        self, kind: str, about: str, payload: Callable[[], bytes], tell: Tell = lambda _: None
    ) -> bytes | None:
        """What comes of a work on another machine; None where there is none for that.

        Args:
            kind: one of those of `process_pool`.
            about: who asks the same names the same.
            payload: is called in a thread.
            tell: is told how far it is, where that kind of work says so.

        Raises:
            JobFailedError: there is no answer.
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
                if outcome is None:
                    raise JobFailedError("the question has been taken back elsewhere")
                if outcome.answer is not None or outcome.fault is not None:
                    break
                if outcome.told is not None:
                    tell(outcome.told)
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
