"""Limits on open event streams per address and per user."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from brinkmanship.web.support.errors import TooManyError


class StreamLimits:
    """Counter of open event streams, by address and by user."""

    def __init__(self, most_of_address: int, most_of_person: int) -> None:
        self._most = {"address": most_of_address, "person": most_of_person}
        self._open: Counter[tuple[str, str]] = Counter()
        self.is_ending = False
        """True at shutdown: a stream opened now ends at once."""

    @property
    def number(self) -> int:
        """Number of open streams."""
        return sum(number for (kind, _), number in list(self._open.items()) if kind == "address")

    @contextmanager
    def one_more(self, address: str, person_id: str | None) -> Iterator[None]:
        """Count one stream as open while the context is entered.

        Raises:
            TooManyError: Too many streams are open.
        """
        keys = [("address", address), *([("person", person_id)] if person_id else [])]
        if any(self._open[key] >= self._most[key[0]] for key in keys):
            self._open += Counter()  # drops zero counts
            raise TooManyError("too many open tables; close some", "refused.open_tables", retry_after=30)
        self._open.update(keys)
        try:
            yield
        finally:
            self._open.subtract(keys)
            for key in keys:
                if not self._open[key]:
                    del self._open[key]
