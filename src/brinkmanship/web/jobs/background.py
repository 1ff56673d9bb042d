"""User-requested background jobs whose results are stored: analyses of games, simulations of cards.

They run on remote workers if there are any, otherwise beside this process, one after the other and at lower priority
than everything that users wait for. A job cut short by the end of a server is restarted by the next request for its
state.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

from brinkmanship.engine.jit.cache import is_interpreting
from brinkmanship.store.background_jobs import JobStore
from brinkmanship.store.writer import TRANSIENT_ERRORS, Statement, Writer
from brinkmanship.web.jobs.process_pool import JobFailedError, background_pool
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.client_limits import Client, ClientCounter
from brinkmanship.web.support.errors import TooManyError
from brinkmanship.web.support.progress import Progress
from brinkmanship.web.support.supervisor import Supervisor

log = logging.getLogger("brinkmanship.web")

PER_MINUTE = 12
"""Maximum jobs of one kind per minute, address and user, in bursts of a quarter; each takes a minute of CPU time."""
MAX_AT_ONCE = 60
"""Maximum running or waiting jobs of one kind in one process."""
HEARTBEAT_INTERVAL = 1.0
"""Interval (s) at which the progress of each job is stored."""
AGAIN_SECONDS = 0.5
"""Wait (s) before the next attempt to store a result while the database is unreachable."""

Report = TypeVar("Report")


class JobSubject(Protocol):
    """The subject of a job."""

    @property
    def about(self) -> str:
        """Name of the job, unique among all jobs of its kind."""
        ...

    @property
    def columns(self) -> Mapping[str, object]:
        """Additional values to store, by column of the job's table."""
        ...


class State(NamedTuple, Generic[Report]):
    """State of a job."""

    progress: Progress | None = None
    """Progress; None if the job is not running."""
    report: Report | None = None
    fault: str = ""
    """Reason why the job failed."""

    @property
    def status(self) -> Literal["none", "at_work", "done", "failed"]:
        """Summary of the state."""
        if self.report is not None:
            return "done"
        return "at_work" if self.progress is not None else "failed" if self.fault else "none"


class JobQuotas(NamedTuple):
    """Maximum running or waiting jobs of one kind in one process; 0: no limit."""

    of_address: int
    """Jobs of all clients of one address."""
    of_person: int
    """Jobs of one user, at all their addresses."""


class BackgroundJobs(Generic[Report]):
    """Runs background jobs of one kind.

    Args:
        kind: Kind of job in `process_pool`; its progress is reported as `Progress`.
        work: Store of the jobs.
        read: Decoder of a stored result.
        too_many: Message key for users who request too many jobs.
        writer: Writer for the database.
        tasks: Supervisor of the background tasks.
        quotas: Maximum numbers of jobs per address and user.
        remote_workers: Client for remote workers; None if there are none.
    """

    def __init__(
        self,
        kind: str,
        work: JobStore,
        read: Callable[[bytes], Report],
        too_many: str,
        writer: Writer,
        tasks: Supervisor,
        quotas: JobQuotas,
        remote_workers: RemoteWorkers | None = None,
    ) -> None:
        self._kind = kind
        self._kept = work
        self._read = read
        self._too_many = too_many
        self._writer = writer
        self._tasks = tasks
        self._remote_workers = remote_workers
        self._limit = rate_limit.RateLimit(PER_MINUTE)
        self._clients = ClientCounter(*quotas)
        """Jobs running or waiting here."""
        self._progress: dict[str, bytes | None] = {}
        """Last progress report of each job running here."""
        self._turns: dict[str, asyncio.Lock] = {}
        """Locks per address: each has one job running or next in line, so clients only delay themselves."""

    async def state(self, of: JobSubject, question: Callable[[], bytes]) -> State[Report]:
        """Return the state of a job; restart it if it was cut short.

        Args:
            of: Subject of the job.
            question: Function that encodes the request; called in a thread.
        """
        kept = await asyncio.to_thread(self._kept.kept, of.about)
        if kept is None:
            return State()
        if kept.report is not None:
            return State(report=self._read(kept.report))
        # A job that has failed here can be requested again once its task has ended, shortly after its fault is stored.
        if kept.fault is not None and of.about not in self._progress:
            return State(fault=kept.fault)
        # A client without room waits for one of its own jobs to end; the page asks again.
        if not kept.is_at_work and self._clients.has_room(Client.current()):
            await self._begin(of, question)
        return State(Progress.from_bytes(kept.progress) if kept.progress else Progress())

    async def begin(self, of: JobSubject, question: Callable[[], bytes]) -> None:
        """Start a job, unless it is running or done.

        Raises:
            TooManyError: Too many jobs are running, waiting or requested per minute.
        """
        if of.about in self._progress:
            return
        client = Client.current()
        if not self._clients.has_room(client):
            await rate_limit.delay_refusal()
            raise TooManyError("too many of your jobs are already waiting", key="quota.jobs", retry_after=60)
        if len(self._progress) >= MAX_AT_ONCE or not client.keeps_to(self._limit):
            await rate_limit.delay_refusal()
            raise TooManyError(f"too many jobs of type {self._kind} requested; wait a little", key=self._too_many)
        await self._begin(of, question)

    async def beat(self) -> None:
        """Store the progress of each running job; call it every `HEARTBEAT_INTERVAL`."""
        still = [self._kept.renewal(about, progress) for about, progress in self._progress.items()]
        if still:
            await self._writer.write(*still)

    async def _begin(self, of: JobSubject, question: Callable[[], bytes]) -> None:
        take = partial(self._kept.take, of.about, **of.columns)
        is_mine = of.about not in self._progress and await asyncio.to_thread(take)
        # Interpreted rules would take hours; once they are compiled, the next request for the state starts the job.
        if is_mine and not (is_interpreting() and self._remote_workers is None):
            self._progress[of.about] = None
            client = Client.current()
            self._clients.add(client)
            self._tasks.start(self._kind, of.about, partial(self._work_in_turn, of.about, question, client))

    async def _work_in_turn(self, about: str, question: Callable[[], bytes], client: Client) -> None:
        address = client.address
        try:
            async with self._turns.setdefault(address, asyncio.Lock()) if address else nullcontext():
                await self._work(about, question)
        finally:
            self._progress.pop(about, None)
            self._clients.remove(client)
            if not self._clients.has_any(address):
                self._turns.pop(address, None)

    async def _work(self, about: str, question: Callable[[], bytes]) -> None:
        try:
            report = await self._worked_out(about, question)
            came_of_it = [self._kept.reporting(about, report), *await asyncio.to_thread(self._further, about, report)]
        except JobFailedError as error:
            why = {"kind": self._kind, "about": about, "reason": str(error)}
            log.warning("a background job failed", extra=why)
            came_of_it = [self._kept.giving_up(about, str(error))]
        while True:
            try:
                await self._writer.write(*came_of_it)
                return
            except TRANSIENT_ERRORS:
                await asyncio.sleep(AGAIN_SECONDS)

    def _further(self, about: str, report: bytes) -> Sequence[Statement]:  # noqa: ARG002 - for kinds that have some
        """Return further statements to write with a result; called in a thread."""
        return ()

    async def _worked_out(self, about: str, question: Callable[[], bytes]) -> bytes:
        def report_progress(progress: bytes) -> None:
            if about in self._progress:
                self._progress[about] = progress

        if self._remote_workers is not None:
            report = await self._remote_workers.run(self._kind, about, question, report_progress)
            if report is not None:
                return report
        return await asyncio.wrap_future(background_pool().submit(self._kind, question, report_progress))
