"""How often somebody may ask: buckets of tokens for people and addresses, refilled evenly.

Whoever is known has a bucket of his own. Who is not shares one with all strangers of his address: a cookie that nobody
has checked buys nothing. All who come from one address, known or not, share a third and larger one, so that making
guests by the dozen buys nothing either.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import OrderedDict
from contextvars import ContextVar
from functools import lru_cache

from starlette.types import Scope

MAX_KNOWN = 20_000
FORGOTTEN_SECONDS = 3600
PAUSE_SECONDS = 0.5
"""How long a refusal is held back, so that a flood of refused requests is no load either."""

asking: ContextVar[str] = ContextVar("asking", default="")
"""The address the present request comes from; "" for what the server does by itself."""


class RateLimit:
    """Allows `per_minute` requests a minute for each key, in bursts of a quarter of that."""

    def __init__(self, per_minute: int) -> None:
        self._rate = per_minute / 60
        self._burst = max(1.0, per_minute / 4)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str) -> bool:
        """Whether one more request by this key is in order now; counts it if so."""
        now = time.monotonic()
        tokens, since = self._buckets.pop(key, (self._burst, now))
        tokens = min(self._burst, tokens + (now - since) * self._rate)
        allowed = tokens >= 1
        self._buckets[key] = (tokens - 1 if allowed else tokens, now)
        if len(self._buckets) > MAX_KNOWN:
            self._buckets.popitem(last=False)
        return allowed


class VisitorLimits:
    """What one person, the strangers of one address, and one address as a whole may ask in a minute."""

    def __init__(self, per_minute: int, per_minute_of_address: int) -> None:
        self._people = RateLimit(per_minute)
        self._strangers = RateLimit(per_minute)
        self._addresses = RateLimit(max(per_minute, per_minute_of_address))

    def allow(self, address: str, person_id: str | None) -> bool:
        """Whether one more request is in order now; `person_id` only of somebody whose token has been checked."""
        own = self._strangers.allows(address) if person_id is None else self._people.allows(person_id)
        return own and self._addresses.allows(address)


class BackOff:
    """After some failures the next attempt has to wait, after each further one twice as long.

    Args:
        free: failures that cost nothing.
        most_seconds: the longest wait; a key without failures for as long, and an hour more, is forgotten.
    """

    def __init__(self, free: int, most_seconds: float) -> None:
        self._free = free
        self._most_seconds = most_seconds
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def seconds_left(self, key: str) -> float:
        """How long this key has to wait still; 0: it may try."""
        number, last = self._failures.get(key, (0, 0.0))
        if number < self._free:
            return 0.0
        wait = min(self._most_seconds, 2.0 ** min(number - self._free, 30))
        return max(0.0, last + wait - time.monotonic())

    def failed(self, key: str) -> None:
        """Count a failure."""
        now = time.monotonic()
        number, last = self._failures.pop(key, (0, now))
        if now - last > self._most_seconds + FORGOTTEN_SECONDS:
            number = 0
        self._failures[key] = (number + 1, now)
        if len(self._failures) > MAX_KNOWN:
            self._failures.popitem(last=False)

    def succeeded(self, key: str) -> None:
        """Forget the failures of a key."""
        self._failures.pop(key, None)


async def delay_refusal() -> None:
    """Wait before a refusal is said."""
    await asyncio.sleep(PAUSE_SECONDS)


def address_of(scope: Scope) -> str:
    """Whose limits a connection counts against: an IPv4 address, or the network of an IPv6 address."""
    client = scope.get("client")
    return address_prefix(client[0]) if client else ""


@lru_cache(4096)
def address_prefix(host: str) -> str:
    """An address without what its owner can change at will: any customer has 2^64 addresses of IPv6."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:  # a Unix socket, or a server of tests
        return host[:100]
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)))
