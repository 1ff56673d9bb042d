"""Notifications between the server processes of one database, and the interface of their two transports.

Every process may serve every table. Each keeps the tables it uses in memory and notifies the others of every record it
has stored. Workers that share an SQLite file use `unix_pubsub`, processes that share PostgreSQL use `postgres_pubsub`;
the database alone decides which. A lost notification only delays an update: the database refuses a record whose number
is taken, and the process then reads the table again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from brinkmanship.web.cluster.table_record import TableRecord


class Notification(msgspec.Struct, omit_defaults=True):
    """Something another process should know."""

    table: str = ""
    record: TableRecord | None = None
    number: int = 0
    """The record's number, from 1."""
    anew: bool = False
    """The table's seats or its rematch have changed: read it anew."""
    orders: bool = False
    """A side has changed its standing orders: read the table again. No other reader may notice."""
    said: int = 0
    """The number of the line that was said at the table."""
    looks: int | None = None
    """This side has the table open."""
    due: bool = False
    """The computer is asked there: its home must let it answer."""
    answered: str = ""
    """This job has been done: whoever waits for it finds what has become of it (see `queue`)."""
    paused: bool = False
    """Clocks stood still, at all tables: read what has one anew."""
    person: str = ""
    """This person's name, language or sessions have changed."""
    missed: bool = False
    """Something may have been told that was not heard: ask the database about all that is in memory."""


decode = msgspec.json.Decoder(Notification).decode
encode = msgspec.json.Encoder().encode


class PubSub:
    """That of the only process of its database, which has nobody to talk to."""

    cuts = 0
    """How often the way to the others was cut."""
    is_alone = True
    is_sure = True
    """Whether all that anybody was answered has been told before, so that memory need not be compared."""

    def has_come_up(self) -> bool:
        """Whether no other process serves, as far as is known without asking the database."""
        return True

    def listen(self, ring: Callable[[], None]) -> None:
        """From now on call `ring` in this event loop whenever there is something to hear."""

    def tell(self, notice: Notification) -> None:
        """Tell all other processes. May be called from any thread."""

    def heard(self) -> Iterator[Notification]:
        """All that has arrived, without waiting."""
        return iter(())

    def close(self) -> None:
        """Tell and hear nothing more."""
