"""Batched queries for the version counters of tables.

With several server processes, nearly every read compares its state with the database. A caller that arrives while a
query is running waits for the next one, which covers all waiting callers: the more callers, the cheaper each becomes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from sqlalchemy import Engine

from brinkmanship.store import repository


class Progress:
    """Batches version queries to one database; to be used from one event loop."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._wanted: dict[str, None] = {}
        """Tables to include in the next query."""
        self._next: asyncio.Future[dict[str, repository.Version]] | None = None
        """Future of the next query's result; None if no caller is waiting."""
        self._asking: asyncio.Task[None] | None = None

    async def of(self, table_ids: Sequence[str]) -> list[repository.Version]:
        """Return the versions of tables as of now or later; tables that no longer exist are left out.

        Raises:
            SQLAlchemyError: the query failed.
        """
        self._wanted |= dict.fromkeys(table_ids)
        if self._next is None:
            self._next = asyncio.get_running_loop().create_future()
        answer = self._next
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask())
        found = await asyncio.shield(answer)  # a cancelled caller must not cancel the query for the others
        return [found[table_id] for table_id in table_ids if table_id in found]

    async def _ask(self) -> None:
        while (answer := self._next) is not None:
            wanted, self._wanted, self._next = list(self._wanted), {}, None
            try:
                found = await asyncio.to_thread(repository.versions, self._engine, wanted)
            except Exception as error:
                answer.set_exception(error)
                answer.exception()  # mark as retrieved: all callers may be gone
            else:
                answer.set_result({version.table_id: version for version in found})
        self._asking = None
