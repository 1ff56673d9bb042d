"""One writer for all tables: what many players do at once is made safe in few transactions.

Whoever has something to keep hands it over and waits. A thread takes everything that has come in meanwhile, writes it
in one transaction, and only then tells those who wait: a single-writer batch per commit. A statement that cannot be
carried out (a number that is taken) fails alone. Where the database is away, locked or full, all who wait are told;
the next transaction begins afresh, if need be with a new connection.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Dialect, Engine, Executable
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler

try:
    import fcntl
except ImportError:  # Windows, where there is only one worker
    fcntl = None  # type: ignore[assignment]

MAX_IN_ONE = 500
"""From so many jobs on no more of them go into one transaction."""

MAX_WRITTEN = 64
"""Statements that are kept as the driver takes them."""

TRANSIENT_ERRORS = (OperationalError, InterfaceError, PoolTimeoutError)
"""What is raised where the database cannot be used at the moment: it may go well a little later."""


class Statement(NamedTuple):
    """One statement with the parameters of its row."""

    sql: Executable
    row: dict[str, Any]
    must_change: bool = False
    """Whether it has failed when it finds no row to change."""


class _Written(NamedTuple):
    """A statement as the driver takes it."""

    text: str
    names: tuple[str, ...]
    """Of its parameters, in their order; () where the driver takes them by name."""
    fixed: dict[str, Any]
    """Those that no row gives, as the driver takes them."""
    converters: dict[str, Callable[[Any], Any]]
    """For those of which the driver takes another value than a row gives."""

    def all(self, rows: list[dict[str, Any]]) -> list[Any]:
        """The parameters of rows."""
        given = [self.fixed | row for row in rows] if self.fixed or self.converters else rows
        for name, convert in self.converters.items():
            for row in given:
                row[name] = convert(row[name])
        return [tuple([row[name] for name in self.names]) for row in given] if self.names else given


class NoRowUpdatedError(SQLAlchemyError):
    """What a statement was to change is no longer there: somebody else was first."""


class _Job(NamedTuple):
    statements: Sequence[Statement]
    done: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


class Writer:
    """Writes for one database; safe to use from one event loop.

    Several processes that write the same SQLite file take turns by locking a file: SQLite itself would look again and
    again whether the other has finished, up to a tenth of a second apart.

    Args:
        turn_file: the file that is locked, None: no other process writes here.
        observe: called after each transaction, in the writer's thread: with the number of jobs, the seconds it took,
            and whether it succeeded.
    """

    def __init__(
        self,
        engine: Engine,
        turn_file: Path | None = None,
        observe: Callable[[int, float, bool], object] = lambda *_: None,
    ) -> None:
        self._engine = engine
        self._turn = None if turn_file is None else turn_file.open("ab")
        self._gathered: list[_Job] = []
        """What has come in; the thread is woken once for all of it."""
        self._jobs: queue.SimpleQueue[list[_Job] | None] = queue.SimpleQueue()
        self._observe = observe
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def write(self, *statements: Statement) -> None:
        """Carry statements out in one transaction; returns when they are safe.

        Raises:
            NothingChangedError: one that must change something found nothing to change.
            SQLAlchemyError: they could not be carried out. Nothing of them was written; only where the connection was
                cut in the moment of the commit (one of `TRANSIENT_ERRORS`), the database alone knows.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        if not self._gathered:
            loop.call_soon(self._gather, loop, 0)
        self._gathered.append(_Job(statements, done, loop))
        await done

    def _gather(self, loop: asyncio.AbstractEventLoop, before: int) -> None:
        """Hand over what has come in once a turn of the event loop has brought nothing more.

        While others are still being answered, the loop and the thread would take the interpreter from each other at
        every row: that cost a quarter of the processor time of a decision.
        """
        if before < len(self._gathered) < MAX_IN_ONE:
            loop.call_soon(self._gather, loop, len(self._gathered))
        else:
            self._hand_over()

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        if gathered:
            self._jobs.put(gathered)

    def close(self) -> None:
        """Write what has been handed over and stop."""
        self._hand_over()
        self._jobs.put(None)
        self._thread.join()
        if self._turn is not None:
            self._turn.close()

    def _run(self) -> None:
        while (jobs := self._jobs.get()) is not None:
            batch = list(jobs)
            last = False
            while len(batch) < MAX_IN_ONE and not last:
                try:
                    more = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    last = True
                else:
                    batch += more
            self._write(batch)
            if last:
                return

    def _write(self, batch: list[_Job]) -> None:
        error = self._attempt(batch)
        if error is None or len(batch) == 1:
            _tell(batch, error)
            return
        for number, job in enumerate(batch):
            error = self._attempt([job])
            if isinstance(error, TRANSIENT_ERRORS):  # it is not this job's fault, and no other one would fare better
                _tell(batch[number:], error)
                return
            _tell([job], error)

    def _attempt(self, batch: list[_Job]) -> Exception | None:
        began = time.perf_counter()
        fault: Exception | None = None
        try:
            with self._our_turn():
                self._transaction(batch)
        except Exception as error:  # of any kind: whoever waits is told, and the thread goes on
            fault = error
        self._observe(len(batch), time.perf_counter() - began, fault is None)
        return fault

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
        statements = [statement for job in batch for statement in job.statements]
        # Rows for the same statement go together: one call to the driver instead of many.
        rows: dict[Executable, list[dict[str, Any]]] = {}
        for statement in statements:
            if not statement.must_change:
                rows.setdefault(statement.sql, []).append(statement.row)
        # SQLAlchemy looks at each parameter of each row, which took longer than all else of writing a record.
        written = {sql: as_the_driver_takes_it(sql, self._engine.dialect, tuple(many[0])) for sql, many in rows.items()}
        has_pipelines = self._engine.dialect.name == "postgresql"
        if has_pipelines and None not in written.values() and not any(each.must_change for each in statements):
            self._in_one_trip([(each.text, each.all(rows[sql])) for sql, each in written.items() if each is not None])
            return
        with self._engine.begin() as connection:
            for statement in statements:
                if statement.must_change and connection.execute(statement.sql, statement.row).rowcount == 0:
                    raise NoRowUpdatedError("nothing was left to change")
            for sql, each in written.items():
                if each is None:
                    connection.execute(sql, rows[sql])
                else:
                    connection.exec_driver_sql(each.text, each.all(rows[sql]))

    def _in_one_trip(self, statements: list[tuple[str, list[Any]]]) -> None:
        """Carry statements out in one transaction of PostgreSQL without waiting for each, its beginning and its end.

        What goes through a pipeline before its end is one transaction where none is begun in it.
        """
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            line: Any = connection.connection.driver_connection
            try:
                with line.pipeline(), line.cursor() as cursor:
                    for text, rows in statements:
                        cursor.executemany(text, rows)
            except self._engine.dialect.loaded_dbapi.Error as error:
                if line.closed:
                    connection.invalidate(error)
                raise DBAPIError.instance(
                    None, None, error, self._engine.dialect.loaded_dbapi.Error, hide_parameters=True
                ) from error


@lru_cache(MAX_WRITTEN)
def as_the_driver_takes_it(sql: Executable, dialect: Dialect, columns: tuple[str, ...]) -> _Written | None:
    """A statement as the driver takes it; None where there is more to do than to hand over what a row says."""
    assert isinstance(sql, ClauseElement)
    compiled = sql.compile(dialect=dialect, column_keys=list(columns))
    assert isinstance(compiled, SQLCompiler)
    if compiled.prefetch or compiled.post_compile_params:
        return None
    converters: dict[str, Callable[[Any], Any]] = {}
    fixed: dict[str, Any] = {}
    for bind, name in compiled.bind_names.items():
        convert = bind.type.dialect_impl(dialect).bind_processor(dialect)
        if name not in columns:
            value = compiled.params[name]
            fixed[name] = value if convert is None else convert(value)
        elif convert is not None:
            converters[name] = convert
    return _Written(str(compiled), tuple(compiled.positiontup or ()), fixed, converters)


def _tell(batch: list[_Job], error: Exception | None) -> None:
    def tell() -> None:
        for job in batch:
            if job.done.done():
                continue
            if error is None:
                job.done.set_result(None)
            else:
                job.done.set_exception(error)

    with suppress(RuntimeError):  # the loop has ended, and with it all who waited
        batch[0].loop.call_soon_threadsafe(tell)
