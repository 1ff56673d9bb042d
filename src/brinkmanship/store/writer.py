"""One writer for all tables: what many players do at once is made safe in few transactions.

Whoever has something to keep hands it over and waits. A thread takes everything that has come in meanwhile, writes it
in one transaction, and only then tells those who wait: a single-writer batch per commit. A statement that cannot be
carried out (a number that is taken) fails alone.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Engine, Executable
from sqlalchemy.exc import SQLAlchemyError

try:
    import fcntl
except ImportError:  # Windows, where there is only one worker
    fcntl = None  # type: ignore[assignment]

MOST_IN_ONE = 500
"""Jobs in one transaction."""


class Statement(NamedTuple):
    """One statement with the parameters of its row."""

    sql: Executable
    row: dict[str, Any]
    must_change: bool = False
    """Whether it has failed when it finds no row to change."""


class NothingChangedError(SQLAlchemyError):
    """What a statement was to change is no longer there: somebody else was first."""


class _Job(NamedTuple):
    statements: Sequence[Statement]
    done: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


class Writer:
    """Writes for one database; safe to use from one event loop.

    Several processes that write the same SQLite file take turns by locking a file: SQLite itself would look again and
    again whether the other has finished, up to a tenth of a second apart.
    """

    def __init__(self, engine: Engine, turn_file: Path | None = None) -> None:
        self._engine = engine
        self._turn = None if turn_file is None else turn_file.open("ab")
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def write(self, *statements: Statement) -> None:
        """Carry statements out in one transaction; returns when they are safe.

        Raises:
            NothingChangedError: one that must change something found nothing to change.
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
        if self._turn is not None:
            self._turn.close()

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
            with self._our_turn():
                self._transaction(batch)
        except SQLAlchemyError as error:
            if len(batch) == 1:
                _tell(batch, error)
                return
            for job in batch:
                self._write([job])
            return
        _tell(batch, None)

    @contextmanager
    def _our_turn(self) -> Iterator[None]:
        if self._turn is None:
            yield
            return
        fcntl.flock(self._turn, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._turn, fcntl.LOCK_UN)

    def _transaction(self, batch: list[_Job]) -> None:
        with self._engine.begin() as connection:
            # Rows for the same statement go together: one call to the driver instead of many.
            rows: dict[Executable, list[dict[str, Any]]] = {}
            for job in batch:
                for statement in job.statements:
                    if not statement.must_change:
                        rows.setdefault(statement.sql, []).append(statement.row)
                    elif connection.execute(statement.sql, statement.row).rowcount == 0:
                        raise NothingChangedError("nothing was left to change")
            for sql, many in rows.items():
                connection.execute(sql, many)


def _tell(batch: list[_Job], error: Exception | None) -> None:
    def tell() -> None:
        for job in batch:
            if job.done.done():
                continue
            if error is None:
                job.done.set_result(None)
            else:
                job.done.set_exception(error)

    batch[0].loop.call_soon_threadsafe(tell)
