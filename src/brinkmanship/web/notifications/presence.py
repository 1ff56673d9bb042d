"""Presence: users with an open stream at a table of this process, and the time of their last activity."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class Presence:
    """Open streams by user. A stream counts for `away` seconds after the last activity, as a tab may be left open."""

    def __init__(self, away: float) -> None:
        self._away = away
        self._open: Counter[str] = Counter()
        self._alive: dict[str, float] = {}

    @contextmanager
    def looking(self, person_id: str | None) -> Iterator[None]:
        """Count the user as present while the context is open; None is an anonymous client and is not counted."""
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
        """Note activity of a user: an action, or a return to the tab."""
        if person_id in self._open:
            self._alive[person_id] = time.monotonic()

    def among(self, people: Iterable[str]) -> list[str]:
        """Return those of the given users who are present now."""
        since = time.monotonic() - self._away
        return [person for person in people if self._open.get(person) and self._alive[person] >= since]
