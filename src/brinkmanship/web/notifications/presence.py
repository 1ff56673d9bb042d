"""Who is looking: people with an open stream at a table of this process, and when they last did something."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class Presence:
    """Open streams by person. A stream counts for `away` seconds after the last sign of life: a tab may lie open."""

    def __init__(self, away: float) -> None:
        self._away = away
        self._open: Counter[str] = Counter()
        self._alive: dict[str, float] = {}

    @contextmanager
    def looking(self, person_id: str | None) -> Iterator[None]:
        """While a stream is open; None is a stranger, who is not counted."""
        if person_id is None:
            yield
            return
        self._open[person_id] += 1
        self._alive[person_id] = time.monotonic()
        try:
            yield
        finally:
            self._open[person_id] -= 1
            if not self._open[person_id]:
                del self._open[person_id]
                self._alive.pop(person_id, None)

    def sign_of_life(self, person_id: str) -> None:
        """The person has done something, or has come back to the tab."""
        if person_id in self._open:
            self._alive[person_id] = time.monotonic()

    def among(self, people: Iterable[str]) -> list[str]:
        """Those of some people who are looking now."""
        since = time.monotonic() - self._away
        return [person for person in people if self._open.get(person) and self._alive[person] >= since]
