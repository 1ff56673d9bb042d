"""Where a table is at home: in the one process that plays its computers and watches its clock.

A home is a lease. The table's row names the process, and the row of the process says until when it lives, by the
database's time; whoever does not renew it in time has lost all its homes, and the next that is needed there takes them.
So nobody has to be told that a machine was lost. Should two think for a moment that they are at home, as where one was
stopped and goes on, still nothing is done twice: the number of a record is taken once.
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
"""How long a process counts as alive after its last sign of life."""
RENEW_SECONDS = 1.0
"""How often it gives one."""
MAX_KNOWN = 10_000
"""Homes that are remembered here; of any other the database is asked."""


def process_name() -> str:
    """A name for this process that no other has, and that tells an operator which it is."""
    return f"{socket.gethostname()[:24]}-{os.getpid()}-{secrets.token_hex(3)}"


class TableLeases:
    """The homes of one process.

    Args:
        name: of the process, "": it is the only one, and everything is at home here.
    """

    def __init__(self, engine: Engine, writer: Writer, name: str = "") -> None:
        self._engine = engine
        self._writer = writer
        self._name = name
        self._held = LruCache[str, bool](MAX_KNOWN)
        self._held_until = 0.0
        """By `time.monotonic`."""
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
        """Say that this process lives; whether no other does.

        Args:
            is_first: it is known that no other does, whatever rows have been left.
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
        """Say that this process still lives; to be called every `RENEW_SECONDS`.

        Raises:
            SQLAlchemyError: the database does not take it.
        """
        if not self._name:
            return
        began, row = time.monotonic(), {"process": self._name}
        try:
            await self._writer.write(Statement(self._renew, row, must_change=True))
        except NoRowUpdatedError:  # too late: the homes may be others' by now
            self._held.clear()
            await self._writer.write(Statement(self._forget, {}))
            with suppress(IntegrityError):
                await self._writer.write(Statement(self._enter, row))
        self._held_until = began + LEASE_SECONDS

    def holds(self, table_id: str) -> bool:
        """Whether it is known that a table is at home here."""
        return not self._name or (time.monotonic() < self._held_until and self._held.get(table_id) is not None)

    async def claim(self, table_id: str) -> bool:
        """Whether a table is at home here; one whose home is nowhere is from now on.

        Raises:
            SQLAlchemyError: the database does not say.
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
        """Give all homes up: others may take them at once."""
        if self._name:
            with suppress(SQLAlchemyError):  # then they wait until the lease is over
                await self._writer.write(Statement(self._leave, {"process": self._name}))
