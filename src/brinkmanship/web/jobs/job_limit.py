"""Limits on short jobs that clients wait for, such as hints: per minute and at once, fair between addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.errors import TooManyError

MAX_AT_ONCE = 8
"""Maximum jobs of one kind computed or queued at once; computer players use the same processes."""
MAX_OF_ADDRESS = 2
"""The same limit per address, so that one address cannot take all places."""


class JobLimit:
    """Limit on jobs of one kind.

    Args:
        per_minute: Maximum jobs per minute of one address, in bursts of a quarter of that.
        kind: Plural noun for the jobs, for programs.
        key: Message key for users whose job is refused.
    """

    def __init__(self, per_minute: int, kind: str, key: str) -> None:
        self._rate = rate_limit.RateLimit(per_minute)
        self._kind = kind
        self._key = key
        self._jobs: Counter[str] = Counter()
        """Jobs computed or queued, by address."""

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Take a place for one job while the context is entered.

        Raises:
            TooManyError: Too many jobs are computed, queued or requested per minute.
        """
        address = rate_limit.client_address.get()
        if not self._has_place(address) or not self._rate.allows(address):
            await rate_limit.delay_refusal()
            raise TooManyError(f"too many {self._kind} requested; wait a little", key=self._key)
        self._jobs[address] += 1
        try:
            yield
        finally:
            self._jobs[address] -= 1
            if not self._jobs[address]:
                del self._jobs[address]

    def _has_place(self, address: str) -> bool:
        """Return True if the address may have one more job; the server itself only has the limit for all."""
        return self._jobs.total() < MAX_AT_ONCE and (not address or self._jobs[address] < MAX_OF_ADDRESS)
