"""How often somebody may ask: a bucket of tokens for each person or address, refilled evenly."""

from __future__ import annotations

import time
from collections import OrderedDict

MOST_KNOWN = 20_000


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
        if len(self._buckets) > MOST_KNOWN:
            self._buckets.popitem(last=False)
        return allowed
