"""A group-commit writer: concurrent writes of all tables are batched into few transactions.

A caller hands over its statements and waits. One thread takes everything queued, writes it in one transaction, and only
then completes the callers' futures: one batch per commit. A statement that cannot be executed (such as a record
number already taken) fails alone. If the database is unreachable, locked or full, all waiting callers get the error;
the next transaction starts afresh, with a new connection if necessary.

Checks before a write are read by the same thread (`Writer.first`): a thread of its own for each would wake the event
loop in the middle of a batch, where the two contend for the GIL.
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

from sqlalchemy import Connection, CursorResult, Dialect, Engine, Executable, Row
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler

try:
    import fcntl
except ImportError:  # Windows, where there is only one worker
    fcntl = None  # type: ignore[assignment]

MAX_IN_ONE = 500
"""Maximum jobs per transaction; a transaction takes no further jobs once it has this many."""

MAX_WRITTEN = 64
"""Maximum size of the LRU cache of compiled statements."""

TRANSIENT_ERRORS = (OperationalError, InterfaceError, PoolTimeoutError)
"""Errors raised while the database is temporarily unusable; a retry may succeed."""


class Statement(NamedTuple):
    """One SQL statement with its row's parameters."""

    sql: Executable
    row: dict[str, Any]
    must_change: bool = False
    """True if the statement fails when it updates no row."""


class _Written(NamedTuple):
    """A statement compiled for the driver."""

    text: str
    names: tuple[str, ...]
    """Parameter names in positional order; () if the driver takes parameters by name."""
    fixed: dict[str, Any]
    """Values that do not come from the row, already converted for the driver."""
    converters: dict[str, Callable[[Any], Any]]
    """Converters for parameters whose driver value differs from the row's value."""

    def all(self, rows: list[dict[str, Any]]) -> list[Any]:
        """Return the driver parameters of rows."""
        given = [self.fixed | row for row in rows] if self.fixed or self.converters else rows
        for name, convert in self.converters.items():
            for row in given:
                row[name] = convert(row[name])
        return [tuple([row[name] for name in self.names]) for row in given] if self.names else given


class NoRowUpdatedError(SQLAlchemyError):
    """The row that a statement had to change no longer exists or no longer matches: another writer was first."""


class _Job(NamedTuple):
    """Statements to execute in one transaction."""

    statements: Sequence[Statement]
    done: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


class _Query(NamedTuple):
    """A query to answer before the next transaction."""

    sql: Executable
    values: dict[str, Any]
    done: asyncio.Future[Row[Any] | None]
    loop: asyncio.AbstractEventLoop


class _Outcome(NamedTuple):
    """Result of a job or a query for its caller."""

    done: asyncio.Future[Any]
    value: Row[Any] | None = None
    error: Exception | None = None


class Writer:
    """Writes to one database; safe to use from one event loop.

    Several processes that write the same SQLite file take turns by a file lock: SQLite itself polls for its lock, up to
    0.1 s apart.

    Args:
        engine: the database.
        turn_file: the file to lock; None if no other process writes this database.
        observe: called after each transaction, in the writer's thread, with the number of jobs, the duration (s), and
            whether the transaction succeeded.
    """

    def __init__(
        self,
        engine: Engine,
        turn_file: Path | None = None,
        observe: Callable[[int, float, bool], object] = lambda *_: None,
    ) -> None:
        self._engine = engine
        self._turn = None if turn_file is None else turn_file.open("ab")
        self._gathered: list[_Job | _Query] = []
        """Jobs and queries received so far; the thread is woken once for all of them."""
        self._jobs: queue.SimpleQueue[list[_Job | _Query] | None] = queue.SimpleQueue()
        self._observe = observe
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def write(self, *statements: Statement) -> None:
        """Execute statements in one transaction; return when they are durable.

        Raises:
            NoRowUpdatedError: a statement with `must_change` found no row to change.
            SQLAlchemyError: the statements failed and nothing was written. If the connection was lost during the commit
                (one of `TRANSIENT_ERRORS`), only the database knows whether they were written.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._add(_Job(statements, done, loop))
        await done

    async def first(self, sql: Executable, values: dict[str, Any]) -> Row[Any] | None:
        """Return the first row of a query, None if there is none; it must be quick, because all writes wait for it.

        It is read before the next transaction, and answered with it.

        Raises:
            SQLAlchemyError: the query failed.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Row[Any] | None] = loop.create_future()
        self._add(_Query(sql, values, done, loop))
        return await done

    def _add(self, each: _Job | _Query) -> None:
        if not self._gathered:
            each.loop.call_soon(self._gather, each.loop, 0)
        self._gathered.append(each)

    def _gather(self, loop: asyncio.AbstractEventLoop, before: int) -> None:
        """Hand over the gathered jobs once an iteration of the event loop has added no more.

        Handing over earlier makes the loop, still answering other requests, and the thread contend for the GIL at every
        row: that cost a quarter of the processor time of a decision.
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
        """Write everything handed over so far and stop."""
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

    def _write(self, batch: list[_Job | _Query]) -> None:
        answers = self._answers([each for each in batch if isinstance(each, _Query)])
        jobs = [each for each in batch if isinstance(each, _Job)]
        if not jobs:
            _tell(batch[0].loop, answers)
            return
        error = self._attempt(jobs)
        if error is None or len(jobs) == 1:
            _tell(batch[0].loop, answers + [_Outcome(job.done, error=error) for job in jobs])
            return
        _tell(batch[0].loop, answers)
        for number, job in enumerate(jobs):
            error = self._attempt([job])
            if isinstance(error, TRANSIENT_ERRORS):  # not this job's fault, and the remaining jobs would fail too
                _tell(job.loop, [_Outcome(each.done, error=error) for each in jobs[number:]])
                return
            _tell(job.loop, [_Outcome(job.done, error=error)])

    def _answers(self, queries: list[_Query]) -> list[_Outcome]:
        answers: list[_Outcome] = []
        for number, query in enumerate(queries):
            try:
                with self._engine.connect() as connection:
                    answers.append(_Outcome(query.done, connection.execute(query.sql, query.values).first()))
            except TRANSIENT_ERRORS as error:  # the remaining queries would fail too, each after its own wait
                return answers + [_Outcome(each.done, error=error) for each in queries[number:]]
            except Exception as error:  # of any kind: the caller gets it, and the thread goes on
                answers.append(_Outcome(query.done, error=error))
        return answers

    def _attempt(self, batch: list[_Job]) -> Exception | None:
        began = time.perf_counter()
        fault: Exception | None = None
        try:
            with self._our_turn():
                self._transaction(batch)
        except Exception as error:  # of any kind: the callers get it, and the thread goes on
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
        # Group rows by statement: one call to the driver instead of many.
        rows: dict[Executable, list[dict[str, Any]]] = {}
        for statement in statements:
            if not statement.must_change:
                rows.setdefault(statement.sql, []).append(statement.row)
        if self._engine.dialect.name == "postgresql" and not any(each.must_change for each in statements):
            written = [(self._compiled(sql, many), many) for sql, many in rows.items()]
            in_driver = [(each.text, each.all(many)) for each, many in written if each is not None]
            if len(in_driver) == len(written):
                self._in_one_trip(in_driver)
                return
        with self._engine.begin() as connection:
            for statement in statements:
                if statement.must_change and self._execute(connection, statement.sql, [statement.row]).rowcount == 0:
                    raise NoRowUpdatedError("no row was left to update")
            for sql, many in rows.items():
                self._execute(connection, sql, many)

    def _compiled(self, sql: Executable, rows: list[dict[str, Any]]) -> _Written | None:
        return as_the_driver_takes_it(sql, self._engine.dialect, tuple(rows[0]))

    def _execute(self, connection: Connection, sql: Executable, rows: list[dict[str, Any]]) -> CursorResult[Any]:
        # Bypass SQLAlchemy's handling of each parameter of each row, which took longer than all the rest of a write.
        written = self._compiled(sql, rows)
        if written is None:
            return connection.execute(sql, rows)
        return connection.exec_driver_sql(written.text, written.all(rows))

    def _in_one_trip(self, statements: list[tuple[str, list[Any]]]) -> None:
        """Execute statements in one PostgreSQL transaction without a round trip for each statement, BEGIN and COMMIT.

        A pipeline without an explicit BEGIN runs as one implicit transaction.
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
    """Return a statement compiled for the driver, or None if it needs more than passing on a row's values."""
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


def _tell(loop: asyncio.AbstractEventLoop, outcomes: list[_Outcome]) -> None:
    def tell() -> None:
        for done, value, error in outcomes:
            if done.done():
                continue
            if error is None:
                done.set_result(value)
            else:
                done.set_exception(error)

    with suppress(RuntimeError):  # the loop has ended, and with it all callers
        loop.call_soon_threadsafe(tell)
