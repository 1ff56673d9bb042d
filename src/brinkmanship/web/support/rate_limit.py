"""Rate limits: token buckets per user and per address, and exponential back-off after failures.

Each authenticated user has a token bucket. Anonymous clients share one per address, so an unverified cookie gains
nothing. All clients of one address, authenticated or not, share a third, larger bucket, so creating many guests gains
nothing either.
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
"""Delay of a refusal, so that a flood of refused requests causes little load."""

client_address: ContextVar[str] = ContextVar("client_address", default="")
"""Address prefix of the client of the current request; "" for the server's own work."""
client_person: ContextVar[str] = ContextVar("client_person", default="")
"""Id of the authenticated user of the current request; "" for anonymous clients and the server's own work."""


class RateLimit:
    """Token buckets that allow `per_minute` requests a minute per key, in bursts of a quarter of that."""

    def __init__(self, per_minute: int) -> None:
        self._rate = per_minute / 60
        self._burst = max(1.0, per_minute / 4)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str) -> bool:
        """Return True and take a token if one more request with this key is allowed now."""
        now = time.monotonic()
        tokens, since = self._buckets.pop(key, (self._burst, now))
        tokens = min(self._burst, tokens + (now - since) * self._rate)
        allowed = tokens >= 1
        self._buckets[key] = (tokens - 1 if allowed else tokens, now)
        if len(self._buckets) > MAX_KNOWN:
            self._buckets.popitem(last=False)
        return allowed


class VisitorLimits:
    """Requests per minute of one user, of the anonymous clients of one address, and of an address as a whole."""

    def __init__(self, per_minute: int, per_minute_of_address: int) -> None:
        self._people = RateLimit(per_minute)
        self._strangers = RateLimit(per_minute)
        self._addresses = RateLimit(max(per_minute, per_minute_of_address))

    def allow(self, address: str, person_id: str | None) -> bool:
        """Return True if one more request is allowed now; pass `person_id` only for an authenticated user."""
        own = self._strangers.allows(address) if person_id is None else self._people.allows(person_id)
        return own and self._addresses.allows(address)


class BackOff:
    """Exponential back-off: after some failures each further one doubles the wait before the next attempt.

    Args:
        free: Failures without a wait.
        most_seconds: Maximum wait. A key is forgotten after this time plus an hour without failures.
    """

    def __init__(self, free: int, most_seconds: float) -> None:
        self._free = free
        self._most_seconds = most_seconds
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def seconds_left(self, key: str) -> float:
        """Return the seconds this key still has to wait; 0 if it may try now."""
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
    """Wait before sending a refusal."""
    await asyncio.sleep(PAUSE_SECONDS)


def address_of(scope: Scope) -> str:
    """Return the address prefix a connection is counted under: an IPv4 address, or an IPv6 /64 network."""
    client = scope.get("client")
    return address_prefix(client[0]) if client else ""


@lru_cache(4096)
def address_prefix(host: str) -> str:
    """Return an address without the part its owner can vary: every customer has 2^64 IPv6 addresses."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:  # a Unix socket, or a test server
        return host[:100]
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)))
