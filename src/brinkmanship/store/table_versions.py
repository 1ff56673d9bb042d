"""How far tables have come, asked of the database for many at once.

Nearly all that is read is compared with the database where several processes serve it. Whoever wants to know something
while a question is under way waits for the next one, which is put for all of them together: the more ask, the less each
of them costs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from sqlalchemy import Engine

from brinkmanship.store import repository


class Progress:
    """Asks one database; to be used from one event loop."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._wanted: dict[str, None] = {}
        """The tables of the next question."""
        self._next: asyncio.Future[dict[str, repository.Version]] | None = None
        """Its answer, None: nobody wants to know anything."""
        self._asking: asyncio.Task[None] | None = None

    async def of(self, table_ids: Sequence[str]) -> list[repository.Version]:
        """How far tables have come by now or later; of one that is no longer there nothing is answered.

        Raises:
            SQLAlchemyError: the database does not say.
        """
        self._wanted |= dict.fromkeys(table_ids)
        if self._next is None:
            self._next = asyncio.get_running_loop().create_future()
        answer = self._next
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask())
        found = await asyncio.shield(answer)  # who goes away takes it from nobody else
        return [found[table_id] for table_id in table_ids if table_id in found]

    async def _ask(self) -> None:
        while (answer := self._next) is not None:
            wanted, self._wanted, self._next = list(self._wanted), {}, None
            try:
                found = await asyncio.to_thread(repository.versions, self._engine, wanted)
            except Exception as error:
                answer.set_exception(error)
                answer.exception()  # all who asked may have gone
            else:
                answer.set_result({version.table_id: version for version in found})
        self._asking = None
