"""Per-table leases: the process holding a table's lease plays its bots and enforces its clock.

The table's row names the process, and the row of the process holds its expiry by the database's time. A process that
fails to renew in time has lost all its leases, and the next process that needs one of these tables claims it; a lost
machine needs no other detection. Two processes may briefly both believe they hold the lease (e.g. after one was
suspended). Nothing happens twice: record numbers are unique.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from contextlib import suppress

from sqlalchemy import Engine, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from brinkmanship.store.database import time_of
from brinkmanship.store.schema import processes, tables
from brinkmanship.store.writer import NoRowUpdatedError, Statement, Writer
from brinkmanship.web.support.lru_cache import LruCache

LEASE_SECONDS = 5.0
"""Lifetime (s) of a process's lease after its last renewal."""
RENEW_SECONDS = 1.0
"""Renewal interval (s)."""
MAX_KNOWN = 10_000
"""Maximum held leases cached here; others are looked up in the database."""


def process_name() -> str:
    """Return a unique name for this process, with host and process id for the operator."""
    return f"{socket.gethostname()[:24]}-{os.getpid()}-{secrets.token_hex(3)}"


class TableLeases:
    """Leases held by one process.

    Args:
        engine: Database engine.
        writer: Writer for the database.
        name: Name of the process; "" if it is the only one and holds all leases.
    """

    def __init__(self, engine: Engine, writer: Writer, name: str = "") -> None:
        self._engine = engine
        self._writer = writer
        self._name = name
        self._held = LruCache[str, bool](MAX_KNOWN)
        self._held_until = 0.0
        """Expiry by `time.monotonic`."""
        now = time_of(engine)
        is_this = processes.c.name == bindparam("process")
        self._lives = processes.c.expires_at > now
        self._renew = update(processes).where(is_this, self._lives).values(expires_at=now + LEASE_SECONDS)
        self._enter = insert(processes).values(name=bindparam("process"), expires_at=now + LEASE_SECONDS)
        self._forget = delete(processes).where(~self._lives)
        self._leave = delete(processes).where(is_this)
        is_free = ~select(processes.c.name).where(processes.c.name == tables.c.home, self._lives).exists()
        self._claim = (
            update(tables)
            .where(tables.c.id == bindparam("table"))
            .where(tables.c.home.is_(None) | (tables.c.home == bindparam("process")) | is_free)
            .values(home=bindparam("process"))
        )

    async def enter(self, is_first: bool) -> bool:
        """Register this process; return True if no other process is alive.

        Args:
            is_first: True if it is known that no other process is alive, whatever rows are left.
        """
        if not self._name:
            return True
        if is_first:
            await self._writer.write(Statement(delete(processes), {}))
        with self._engine.connect() as connection:
            is_first = connection.execute(select(processes.c.name).where(self._lives)).first() is None
        await self.renew()
        return is_first

    async def renew(self) -> None:
        """Renew this process's leases; call it every `RENEW_SECONDS`.

        Raises:
            SQLAlchemyError: The database rejected the update.
        """
        if not self._name:
            return
        began, row = time.monotonic(), {"process": self._name}
        try:
            await self._writer.write(Statement(self._renew, row, must_change=True))
        except NoRowUpdatedError:  # expired: other processes may have claimed the leases
            self._held.clear()
            await self._writer.write(Statement(self._forget, {}))
            with suppress(IntegrityError):
                await self._writer.write(Statement(self._enter, row))
        self._held_until = began + LEASE_SECONDS

    def holds(self, table_id: str) -> bool:
        """Return True if this process is known to hold the table's lease."""
        return not self._name or (time.monotonic() < self._held_until and self._held.get(table_id) is not None)

    async def claim(self, table_id: str) -> bool:
        """Claim the table's lease if it is free; return True if this process holds it.

        Raises:
            SQLAlchemyError: The database failed.
        """
        if self.holds(table_id):
            return True
        row = {"table": table_id, "process": self._name}
        try:
            await self._writer.write(Statement(self._claim, row, must_change=True))
        except NoRowUpdatedError:
            return False
        if time.monotonic() < self._held_until:
            self._held.keep(table_id, True)
        return True

    async def leave(self) -> None:
        """Release all leases, so that other processes can claim them at once."""
        if self._name:
            with suppress(SQLAlchemyError):  # on failure the leases expire by themselves
                await self._writer.write(Statement(self._leave, {"process": self._name}))
