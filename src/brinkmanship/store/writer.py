"""One writer for all tables: what many players do at once is made safe in few transactions.

Whoever has something to keep hands it over and waits. A thread takes everything that has come in meanwhile, writes it
in one transaction, and only then tells those who wait: a single-writer batch per commit. A statement that cannot be
carried out (a number that is taken) fails alone.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Engine, Executable
from sqlalchemy.exc import SQLAlchemyError

MOST_IN_ONE = 500
"""Jobs in one transaction."""


class Statement(NamedTuple):
    """One statement with the parameters of its row."""

    sql: Executable
    row: dict[str, Any]


class _Job(NamedTuple):
    statements: Sequence[Statement]
    done: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


class Writer:
    """Writes for one database; safe to use from one event loop."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def write(self, *statements: Statement) -> None:
        """Carry statements out in one transaction; returns when they are safe.

        Raises:
            SQLAlchemyError: they could not be carried out; nothing of them was written.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._jobs.put(_Job(statements, done, loop))
        await done

    def close(self) -> None:
        """Write what has been handed over and stop."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            batch = [job]
            last = False
            while len(batch) < MOST_IN_ONE and not last:
                try:
                    more = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    last = True
                else:
                    batch.append(more)
            self._write(batch)
            if last:
                return

    def _write(self, batch: list[_Job]) -> None:
        try:
            self._transaction(batch)
        except SQLAlchemyError as error:
            if len(batch) == 1:
                _tell(batch[0], error)
                return
            for job in batch:
                self._write([job])
            return
        for job in batch:
            _tell(job, None)

    def _transaction(self, batch: list[_Job]) -> None:
        with self._engine.begin() as connection:
            # Rows for the same statement go together: one call to the driver instead of many.
            rows: dict[Executable, list[dict[str, Any]]] = {}
            for job in batch:
                for statement in job.statements:
                    rows.setdefault(statement.sql, []).append(statement.row)
            for sql, many in rows.items():
                connection.execute(sql, many)


def _tell(job: _Job, error: Exception | None) -> None:
    def tell() -> None:
        if job.done.done():
            return
        if error is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(error)

    job.loop.call_soon_threadsafe(tell)
