"""Limits on short jobs that clients wait for, such as hints: per minute and at once, fair between clients."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.client_limits import Client, ClientCounter
from brinkmanship.web.support.errors import TooManyError

MAX_AT_ONCE = 8
"""Maximum jobs of one kind computed or queued at once; computer players use the same processes."""
MAX_OF_CLIENT = 2
"""The same limit per address, and per user at all their addresses, so that no one can take all places."""


class JobLimit:
    """Limit on jobs of one kind.

    Args:
        per_minute: Maximum jobs per minute of one address and of one user, in bursts of a quarter of that.
        kind: Plural noun for the jobs, for programs.
        key: Message key for users whose job is refused.
    """

    def __init__(self, per_minute: int, kind: str, key: str) -> None:
        self._rate = rate_limit.RateLimit(per_minute)
        self._kind = kind
        self._key = key
        self._jobs = ClientCounter(MAX_OF_CLIENT, MAX_OF_CLIENT)
        """Jobs being computed or queued."""

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Take a place for one job while the context is entered.

        Raises:
            TooManyError: Too many jobs are computed, queued or requested per minute.
        """
        client = Client.current()
        is_free = self._jobs.total < MAX_AT_ONCE and self._jobs.has_room(client)
        if not is_free or not client.keeps_to(self._rate):
            await rate_limit.delay_refusal()
            raise TooManyError(f"too many {self._kind} requested; wait a little", key=self._key)
        with self._jobs.one_more(client):
            yield
