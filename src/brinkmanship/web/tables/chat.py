"""Chat at tables."""

from __future__ import annotations

import asyncio
import time

from sqlalchemy import Engine, bindparam, insert, update

from brinkmanship.store import moderation, repository, schema
from brinkmanship.store.writer import Statement, Writer
from brinkmanship.web.support import rate_limit, time_control
from brinkmanship.web.support.errors import ForbiddenError, TooManyError
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.registry import TableRegistry

_insert_line = insert(schema.chats)
_lock_table = (
    update(schema.tables).where(schema.tables.c.id == bindparam("table")).values(changes=schema.tables.c.changes)
)
"""Changes nothing, but until the commit no other process numbers a line of this table.

A page is told of new lines by the number of the last one: one with a lower number that came later would not be shown.
"""


class Chat:
    """Chat lines of all tables.

    Args:
        engine: Database engine.
        writer: Writer for the database.
        tables: Registry of the tables in memory.
        per_minute: Maximum lines a minute of one player; 0: no limit.
        per_minute_of_onlookers: Maximum lines a minute of all spectators at one address; 0: no limit.
    """

    def __init__(
        self, engine: Engine, writer: Writer, tables: TableRegistry, per_minute: int, per_minute_of_onlookers: int
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._tables = tables
        self._players = rate_limit.RateLimit(per_minute) if per_minute else None
        self._onlookers = rate_limit.RateLimit(per_minute_of_onlookers) if per_minute_of_onlookers else None

    async def say(self, table_id: str, name: str, side: int | None, text: str, person_id: str | None = None) -> None:
        """Add a chat line at a table.

        Raises:
            ForbiddenError: A measure keeps this person from writing.
            TooManyError: This player, or the spectators at this address, write too many lines.
        """
        table = await self._tables.table(table_id)
        await self.check_may_write(table, person_id)
        row = {"table_id": table.id, "person_id": person_id, "name": name, "side": side, "text": text}
        lock, line = Statement(_lock_table, {"table": table.id}), Statement(_insert_line, {**row, "at": time.time()})
        await self._writer.write(lock, line)
        table.said = max(table.said, await asyncio.to_thread(repository.last_said, self._engine, table.id))
        self._tables.said(table)

    async def check_may_write(self, table: LiveTable, person_id: str | None) -> None:
        """Check that a person may write at a table now, and count it.

        Raises:
            ForbiddenError: A measure keeps this person from writing.
            TooManyError: This player, or the spectators at this address, write too many lines.
        """
        if person_id is not None and await asyncio.to_thread(self.mute_of, person_id) is not None:
            raise ForbiddenError("a measure keeps you from writing in the chat", key="chat.muted")
        if person_id is not None and table.seat_of(person_id):
            limit, key = self._players, person_id
        else:
            limit, key = self._onlookers, rate_limit.client_address.get()
        if limit is not None and not limit.allows(key):
            await rate_limit.delay_refusal()
            raise TooManyError("too many lines in a short time; wait a little", key="quota.chat", retry_after=10)

    def mute_of(self, person_id: str) -> moderation.Measure | None:
        """Return the measure that keeps a person from writing, or None; call it in a thread."""
        with self._engine.connect() as connection:
            return moderation.active(connection, person_id, moderation.MUTE, time_control.now())
