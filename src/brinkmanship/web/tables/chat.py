"""What people say at tables."""

from __future__ import annotations

import asyncio
import time

from sqlalchemy import Engine, insert

from brinkmanship.store import repository, schema
from brinkmanship.store.writer import Statement, Writer
from brinkmanship.web.tables.registry import TableRegistry

_insert_line = insert(schema.chats)


class Chat:
    """The lines said at tables."""

    def __init__(self, engine: Engine, writer: Writer, tables: TableRegistry) -> None:
        self._engine = engine
        self._writer = writer
        self._tables = tables

    async def say(self, table_id: str, name: str, side: int | None, text: str, person_id: str | None = None) -> None:
        """Say something at a table."""
        table = await self._tables.table(table_id)
        row = {"table_id": table.id, "person_id": person_id, "name": name, "side": side, "text": text}
        await self._writer.write(Statement(_insert_line, {**row, "at": time.time()}))
        table.said = max(table.said, await asyncio.to_thread(repository.last_said, self._engine, table.id))
        self._tables.said(table)
