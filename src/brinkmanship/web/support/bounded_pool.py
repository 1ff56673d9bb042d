"""Bounded thread pool for slow work, fair between client addresses; keeps slow work out of the event loop.

At most one job per address runs or is next in line, so a client that sends many requests only delays itself. Requests
beyond the queue limit are refused with 429.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.errors import TooManyError

Made = TypeVar("Made")


@dataclass
class _Address:
    """Queued and running jobs of one address."""

    jobs: int = 0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class BoundedPool:
    """Thread pool for one kind of work.

    Args:
        name: Prefix of the thread names.
        threads: Number of jobs that run at once.
        most: Maximum running and waiting jobs of all addresses.
        most_of_address: The same per address; the server's own jobs are not counted.
    """

    def __init__(self, name: str, threads: int, most: int, most_of_address: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._free = asyncio.Semaphore(threads)
        self._most = most
        self._most_of_address = most_of_address
        self._jobs = 0
        self._addresses: dict[str, _Address] = {}

    async def do(self, work: Callable[[], Made]) -> Made:
        """Run `work` in the pool and return its result.

        Raises:
            TooManyError: Too many jobs are waiting already, of this address or of all.
        """
        name = rate_limit.client_address.get()
        if not name:
            return await self._at_work(work)
        address = self._addresses.setdefault(name, _Address())
        if self._jobs >= self._most or address.jobs >= self._most_of_address:
            if not address.jobs:
                del self._addresses[name]
            await rate_limit.delay_refusal()
            raise TooManyError("the server is still busy with your earlier requests", key="refused.busy")
        self._jobs += 1
        address.jobs += 1
        try:
            async with address.turn:
                return await self._at_work(work)
        finally:
            self._jobs -= 1
            address.jobs -= 1
            if not address.jobs:
                del self._addresses[name]

    async def _at_work(self, work: Callable[[], Made]) -> Made:
        async with self._free:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Cancel waiting jobs and accept no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
