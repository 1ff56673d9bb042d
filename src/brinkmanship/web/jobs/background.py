"""Long work that people ask for, is done in the background, and kept: analyses of games, simulations of cards.

It is done on the machines for computer players where there are any, else beside this process, one after the other and
behind everything that people wait for. A server that ends leaves one half done; whoever looks next has it begun again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

from brinkmanship.engine.jit.cache import is_interpreting
from brinkmanship.store.background_jobs import JobStore
from brinkmanship.store.writer import TRANSIENT_ERRORS, Writer
from brinkmanship.web.jobs.process_pool import JobFailedError, background_pool
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.errors import TooManyError
from brinkmanship.web.support.progress import Progress
from brinkmanship.web.support.supervisor import Supervisor

log = logging.getLogger("brinkmanship.web")

PER_MINUTE = 12
"""Works of one kind that one address may ask for, in bursts of a quarter of that: each takes about a minute of a
processor."""
MAX_AT_ONCE = 60
"""Maximum jobs of one kind, under way or waiting at one process."""
MAX_OF_ADDRESS = 6
"""The same of one address, if the settings say nothing else."""
HEARTBEAT_INTERVAL = 1.0
"""How often it is written how far each is."""
AGAIN_SECONDS = 0.5
"""How long it waits where the database is away, before it tries again to keep what came of one."""

Report = TypeVar("Report")


class JobSubject(Protocol):
    """What a work is about."""

    @property
    def about(self) -> str:
        """Its name among all works of its kind."""
        ...

    @property
    def columns(self) -> Mapping[str, object]:
        """What else is kept about it, by column of its table."""
        ...


class State(NamedTuple, Generic[Report]):
    """How a work stands."""

    progress: Progress | None = None
    """How far it is; None: nobody does it."""
    report: Report | None = None
    fault: str = ""
    """Why nothing came of it."""

    @property
    def status(self) -> Literal["none", "at_work", "done", "failed"]:
        """In a word."""
        if self.report is not None:
            return "done"
        return "at_work" if self.progress is not None else "failed" if self.fault else "none"


class BackgroundJobs(Generic[Report]):
    """Has works of one kind done.

    Args:
        kind: as `process_pool` calls it; its progress is told as `Progress`.
        work: where they are kept.
        read: what came of one, from how it is kept.
        too_many: the key of the words for who asks for too many.
        remote_workers: other machines for it, None: there are none.
        most_of_address: maximum jobs of one address, under way or waiting; 0: no limit.
    """

    def __init__(
        self,
        kind: str,
        work: JobStore,
        read: Callable[[bytes], Report],
        too_many: str,
        writer: Writer,
        tasks: Supervisor,
        remote_workers: RemoteWorkers | None = None,
        most_of_address: int = MAX_OF_ADDRESS,
    ) -> None:
        self._kind = kind
        self._kept = work
        self._read = read
        self._too_many = too_many
        self._writer = writer
        self._tasks = tasks
        self._remote_workers = remote_workers
        self._limit = rate_limit.RateLimit(PER_MINUTE)
        self._most_of_address = most_of_address
        self._told: dict[str, bytes | None] = {}
        """How far each is that is under way here."""
        self._asked_from: dict[str, str] = {}
        """The address that each of these was asked for from."""
        self._turns: dict[str, asyncio.Lock] = {}
        """Addresses take turns: each has one job at work or next in line, so those who ask for many wait for their
        own."""

    async def state(self, of: JobSubject, question: Callable[[], bytes]) -> State[Report]:
        """How a work stands; one that was cut short is begun again.

        Args:
            question: makes what is asked, is called in a thread.
        """
        kept = await asyncio.to_thread(self._kept.kept, of.about)
        if kept is None:
            return State()
        if kept.report is not None:
            return State(report=self._read(kept.report))
        if kept.fault is not None:
            return State(fault=kept.fault)
        if not kept.is_at_work:
            await self._begin(of, question)
        return State(Progress.from_bytes(kept.told) if kept.told else Progress())

    async def begin(self, of: JobSubject, question: Callable[[], bytes]) -> None:
        """Have it done, unless it is or has been.

        Raises:
            TooManyError: too much of this is asked for.
        """
        if of.about in self._told:
            return
        address = rate_limit.asking.get()
        if not self._has_place(address):
            await rate_limit.delay_refusal()
            raise TooManyError("too many of your jobs are waiting already", said="quota.jobs", retry_after=60)
        if len(self._told) >= MAX_AT_ONCE or not self._limit.allows(address):
            await rate_limit.delay_refusal()
            raise TooManyError(f"too much {self._kind} is asked for; wait a little", said=self._too_many)
        await self._begin(of, question)

    def _has_place(self, address: str) -> bool:
        """Return True if one more job of an address may wait; the server itself has no limit."""
        return not address or not self._most_of_address or self._places_of(address) < self._most_of_address

    def _places_of(self, address: str) -> int:
        return sum(other == address for other in self._asked_from.values())

    async def beat(self) -> None:
        """Write how far each is; to be called every `HEARTBEAT_INTERVAL`."""
        still = [self._kept.telling(about, told) for about, told in self._told.items()]
        if still:
            await self._writer.write(*still)

    async def _begin(self, of: JobSubject, question: Callable[[], bytes]) -> None:
        take = partial(self._kept.take, of.about, **of.columns)
        is_mine = of.about not in self._told and await asyncio.to_thread(take)
        # Interpreted rules would take hours: who takes over when they are compiled finds that it was asked for.
        if is_mine and not (is_interpreting() and self._remote_workers is None):
            self._told[of.about] = None
            address = self._asked_from[of.about] = rate_limit.asking.get()
            self._tasks.start(self._kind, of.about, partial(self._work_in_turn, of.about, question, address))

    async def _work_in_turn(self, about: str, question: Callable[[], bytes], address: str) -> None:
        try:
            async with self._turns.setdefault(address, asyncio.Lock()) if address else nullcontext():
                await self._work(about, question)
        finally:
            self._told.pop(about, None)
            self._asked_from.pop(about, None)
            if not self._places_of(address):
                self._turns.pop(address, None)

    async def _work(self, about: str, question: Callable[[], bytes]) -> None:
        try:
            came_of_it = self._kept.reporting(about, await self._worked_out(about, question))
        except JobFailedError as error:
            why = {"kind": self._kind, "about": about, "reason": str(error)}
            log.warning("nothing came of a long work", extra=why)
            came_of_it = self._kept.giving_up(about, str(error))
        while True:
            try:
                await self._writer.write(came_of_it)
                return
            except TRANSIENT_ERRORS:
                await asyncio.sleep(AGAIN_SECONDS)

    async def _worked_out(self, about: str, question: Callable[[], bytes]) -> bytes:
        def tell(told: bytes) -> None:
            if about in self._told:
                self._told[about] = told

        if self._remote_workers is not None:
            report = await self._remote_workers.work_out(self._kind, about, question, tell)
            if report is not None:
                return report
        return await asyncio.wrap_future(background_pool().work_out(self._kind, question, tell))
