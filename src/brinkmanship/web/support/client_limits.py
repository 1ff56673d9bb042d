"""Limits on what clients have at once, such as open streams and running jobs, per address and per user."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from brinkmanship.web.support.rate_limit import RateLimit, client_address, client_person


class Client(NamedTuple):
    """Sender of a request, as limits count it."""

    address: str = ""
    """Address prefix; "" for the server's own work."""
    person_id: str = ""
    """Authenticated user; "" for anonymous clients and the server's own work."""

    @classmethod
    def current(cls) -> Client:
        """Return the client of the current request."""
        return cls(client_address.get(), client_person.get())

    def keeps_to(self, limit: RateLimit) -> bool:
        """Return True and take a token if address and user may both make one more request now.

        A user beyond their own limit takes no tokens of the address, which others share.
        """
        return (not self.person_id or limit.allows(self.person_id)) and limit.allows(self.address)


class ClientCounter:
    """Counter of what clients have at once. A user is counted at all their addresses together.

    Args:
        most_of_address: Maximum of all clients of one address; 0: no limit.
        most_of_person: Maximum of one user; 0: no limit.
    """

    def __init__(self, most_of_address: int, most_of_person: int) -> None:
        self._addresses = _Counts(most_of_address)
        self._people = _Counts(most_of_person)
        self.total = 0
        """Count of all clients and of the server's own work."""

    def has_room(self, client: Client) -> bool:
        """Return True if a client may have one more; the server's own work has no limit."""
        return self._addresses.has_room(client.address) and self._people.has_room(client.person_id)

    def add(self, client: Client) -> None:
        """Count one more of a client."""
        self.total += 1
        self._addresses.add(client.address)
        self._people.add(client.person_id)

    def remove(self, client: Client) -> None:
        """Count one less of a client."""
        self.total -= 1
        self._addresses.remove(client.address)
        self._people.remove(client.person_id)

    @contextmanager
    def one_more(self, client: Client) -> Iterator[None]:
        """Count one more of a client while the context is entered."""
        self.add(client)
        try:
            yield
        finally:
            self.remove(client)

    def has_any(self, address: str) -> bool:
        """Return True if a client of this address is counted."""
        return address in self._addresses.counts


class _Counts:
    def __init__(self, most: int) -> None:
        self._most = most
        self.counts: Counter[str] = Counter()

    def has_room(self, name: str) -> bool:
        return not name or not self._most or self.counts[name] < self._most

    def add(self, name: str) -> None:
        if name:
            self.counts[name] += 1

    def remove(self, name: str) -> None:
        if name:
            self.counts[name] -= 1
            if not self.counts[name]:
                del self.counts[name]
