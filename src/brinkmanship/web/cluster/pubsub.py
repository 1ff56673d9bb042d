"""Notifications between the server processes of one database, and the interface of their two transports.

Every process may serve every table. Each keeps the tables it uses in memory and notifies the others of every record it
has stored. Workers that share an SQLite file use `unix_pubsub`, processes that share PostgreSQL use `postgres_pubsub`;
the type of database determines the transport. A lost notification only delays an update: the database rejects a record
with a number that is already taken, and the process then reads the table again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from brinkmanship.web.cluster.table_record import TableRecord


class Notification(msgspec.Struct, omit_defaults=True):
    """A notification to other processes; only the fields that apply are set."""

    table: str = ""
    record: TableRecord | None = None
    number: int = 0
    """Number of the record, from 1."""
    anew: bool = False
    """The table's seats or its rematch have changed: reload the table."""
    orders: bool = False
    """A side has changed its standing orders: reload the table. Must stay invisible to other viewers."""
    said: int = 0
    """Number of a new chat line at the table."""
    looks: int | None = None
    """Side that has the table open."""
    due: bool = False
    """A bot is to move at the table: the holder of its lease must let it act."""
    answered: str = ""
    """Id of a finished job: waiting processes read its outcome (see `queue`)."""
    paused: bool = False
    """The clocks of all tables were paused: reload the tables that have one."""
    person: str = ""
    """Id of a user whose name, language or sessions have changed."""
    missed: bool = False
    """Notifications may have been lost: compare everything in memory with the database."""


decode = msgspec.json.Decoder(Notification).decode
encode = msgspec.json.Encoder().encode


class PubSub:
    """Base class, and the pub/sub of a process that is the only one on its database and notifies no other."""

    cuts = 0
    """Number of lost connections to the other processes."""
    is_alone = True
    is_sure = True
    """True if a notification, or `missed` in its place, always arrives before the action is acknowledged.

    Memory then needs a comparison with the database only after `missed`.
    """

    def has_come_up(self) -> bool:
        """Return True if no other process serves, as far as is known without asking the database."""
        return True

    def listen(self, ring: Callable[[], None]) -> None:
        """Call `ring` in the current event loop whenever notifications have arrived."""

    def publish(self, notice: Notification) -> None:
        """Notify all other processes. May be called from any thread."""

    def drain(self) -> Iterator[Notification]:
        """Return an iterator of all received notifications, without waiting."""
        return iter(())

    def close(self) -> None:
        """Stop sending and receiving."""
