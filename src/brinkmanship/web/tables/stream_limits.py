"""Limits on open event streams per address and per user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from brinkmanship.web.support.client_limits import Client, ClientCounter
from brinkmanship.web.support.errors import TooManyError


class StreamLimits:
    """Limits on open event streams; the arguments are those of `ClientCounter`."""

    def __init__(self, most_of_address: int, most_of_person: int) -> None:
        self._open = ClientCounter(most_of_address, most_of_person)
        self.is_ending = False
        """True at shutdown: a stream opened now ends at once."""

    @property
    def number(self) -> int:
        """Number of open streams."""
        return self._open.total

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Count one stream of the current request's client as open while the context is entered.

        Raises:
            TooManyError: Too many streams are open.
        """
        client = Client.current()
        if not self._open.has_room(client):
            raise TooManyError("too many open tables; close some", "refused.open_tables", retry_after=30)
        with self._open.one_more(client):
            yield
