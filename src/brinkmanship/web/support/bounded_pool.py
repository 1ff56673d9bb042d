"""Work that takes long, in threads of its own: never in the event loop, never more than a bounded queue of it.

Addresses take turns: of each one job is at work or next in line, so whoever sends many waits for himself and for nobody
else. What is beyond the queue is refused with 429.
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
    """Those of one address who wait or are served."""

    jobs: int = 0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class BoundedPool:
    """Threads for one kind of work.

    Args:
        threads: jobs at work at once.
        most: jobs at work and waiting, of all addresses.
        most_of_address: the same of one address; what the server does by itself is not counted.
    """

    def __init__(self, name: str, threads: int, most: int, most_of_address: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._free = asyncio.Semaphore(threads)
        self._most = most
        self._most_of_address = most_of_address
        self._jobs = 0
        self._addresses: dict[str, _Address] = {}

    async def do(self, work: Callable[[], Made]) -> Made:
        """What `work` returns.

        Raises:
            TooManyError: too much is waiting already, of this address or of all.
        """
        name = rate_limit.asking.get()
        if not name:
            return await self._at_work(work)
        address = self._addresses.setdefault(name, _Address())
        if self._jobs >= self._most or address.jobs >= self._most_of_address:
            if not address.jobs:
                del self._addresses[name]
            await rate_limit.delay_refusal()
            raise TooManyError("the server is busy with what you have asked for already", said="refused.busy")
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
        """Begin nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
