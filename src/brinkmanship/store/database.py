"""Opening the database (an SQLite file or PostgreSQL) and migrating it to the current schema with Alembic."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import filelock
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Float,
    Table,
    create_engine,
    event,
    func,
    inspect,
    literal_column,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, InvalidatePoolError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.message import Message

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

MIGRATIONS = Path(__file__).parent / "migrations"

MIGRATION_LOCK = 0x6272696E6B
"""Key of the PostgreSQL advisory lock held while migrating."""


POSTGRESQL_CONNECTION = {
    "connect_timeout": 10,
    # Detect a silently dead connection within half a minute instead of the system's two hours.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""Parameters of each connection: seconds, the last in milliseconds."""


TRUSTED_SECONDS = 1.0
"""A PostgreSQL connection used this recently (s) is assumed alive; any other is pinged first."""


_TIME = {
    "postgresql": "CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)",
    "sqlite": "((julianday('now') - 2440587.5) * 86400.0)",
}


class DatabaseError(LocalizedError):
    """The database cannot be opened."""


def open_database(url: str) -> Engine:
    """Open a database and migrate it.

    Args:
        url: ``sqlite:///file`` or ``postgresql://user@host/name``.

    Raises:
        DatabaseError: the database kind is unknown, the database cannot be reached, belongs to another program, or is
            newer than this program.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise DatabaseError(Message("fault.database.address", {"url": url})) from error
    if parsed.drivername == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise DatabaseError(Message("fault.database.kind", {"kind": parsed.get_backend_name()}))
    file = sqlite_file(url)
    if file is not None:
        create_private(file)
    engine = _engine(parsed)
    if parsed.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    else:
        _ask_idle_connections(engine)
    try:
        migrate(engine)
    except DatabaseError:
        engine.dispose()
        raise
    except (SQLAlchemyError, sqlite3.Error) as error:
        engine.dispose()
        reason = " ".join(str(getattr(error, "orig", error)).split())
        unopened = {"database": parsed.render_as_string(), "why": reason}
        raise DatabaseError(Message("fault.database.unopened", unopened)) from error
    if file is not None:  # only after it is known to be ours
        _make_private(file)
    return engine


@contextmanager
def reserved(url: str) -> Iterator[None]:
    """Hold an SQLite file for one server: a second server would miss the first one's events.

    Raises:
        DatabaseError: another server holds the file, or its folder cannot be written.
    """
    path = sqlite_file(url)
    if path is None:
        yield
        return
    if not path.parent.is_dir():  # the lock would wait for it for ever
        nowhere = {"database": str(path), "folder": str(path.parent)}
        raise DatabaseError(Message("fault.database.no_folder", nowhere))
    lock = filelock.FileLock(f"{path}.served")
    try:
        lock.acquire(blocking=False)
    except filelock.Timeout as error:
        raise DatabaseError(Message("fault.database.served", {"database": str(path)})) from error
    except OSError as error:
        unopened = {"database": str(path), "why": error.strerror or str(error)}
        raise DatabaseError(Message("fault.database.unopened", unopened)) from error
    try:
        with _inode_reserved(path):
            yield
    finally:
        lock.release()


@contextmanager
def _inode_reserved(path: Path) -> Iterator[None]:
    """Lock the file's inode: a hard link with another name would have another lock file.

    Linux only, where `flock` and SQLite's locks (`fcntl`) do not see each other. Closing the file would release
    SQLite's locks of this process, so it stays open until the server has ended.

    Raises:
        DatabaseError: another server holds it.
    """
    create_private(path)
    if fcntl is None or sys.platform != "linux" or not path.is_file():
        yield
        return
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DatabaseError(Message("fault.database.served", {"database": str(path)})) from error
        except OSError:  # a file system without such locks
            pass
        yield


PRIVATE = 0o600
"""Mode of files with secrets of running games: readable only by the server's user."""


def create_private(path: Path) -> None:
    """Create an empty file, readable only by its owner, if there is none.

    SQLite gives its journals (-wal, -shm) the mode of the database.
    """
    with suppress(OSError):  # opening the file will report the error
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))


def _make_private(path: Path) -> None:
    """Remove other users' access to a database and its journals that an older program created."""
    for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        with suppress(OSError):  # owned by another user
            if each.is_file():
                each.chmod(PRIVATE)


def time_of(engine: Engine) -> ColumnElement[float]:
    """Return an SQL expression of the database's Unix time (s), as the machine's own clock may be wrong."""
    return literal_column(_TIME[engine.dialect.name], Float)


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Return an insert statement for which one can say what happens if there is such a row."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


@contextmanager
def snapshot(engine: Engine) -> Iterator[Connection]:
    """Yield a connection whose queries all see the same snapshot, regardless of concurrent writes."""
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        else:
            connection.exec_driver_sql("BEGIN")  # the driver begins a transaction only before a write
        yield connection


def sqlite_file(url: str) -> Path | None:
    """Return the file of an SQLite database, or None if the database is not a file."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        return None
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        return None
    if parsed.database.startswith("file:"):  # SQLite's own URLs
        return None
    return Path(parsed.database).resolve()


def _engine(url: URL) -> Engine:
    is_file = url.get_backend_name() == "sqlite"
    try:
        return create_engine(
            url,
            pool_size=8,
            max_overflow=8,
            pool_use_lifo=True,  # keep few connections with prepared statements busy; the others are a reserve
            hide_parameters=True,  # they would appear in logs: password hashes, secrets of tables
            connect_args={} if is_file else POSTGRESQL_CONNECTION,
        )
    except ModuleNotFoundError as error:
        driver = {"command": 'pip install "brinkmanship[postgresql]"'}
        raise DatabaseError(Message("fault.database.driver", driver)) from error


def _ask_idle_connections(engine: Engine) -> None:
    """Ping idle connections before they are used.

    `pool_pre_ping` would ping at every use: one more round trip per query.
    """

    def note(_: Any, record: ConnectionPoolEntry) -> None:
        record.info["used_at"] = time.monotonic()

    def ask(connection: DBAPIConnection, record: ConnectionPoolEntry, _: PoolProxiedConnection) -> None:
        if time.monotonic() - record.info["used_at"] <= TRUSTED_SECONDS:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise InvalidatePoolError from error  # all connections opened before it are assumed dead

    event.listen(engine, "connect", note)
    event.listen(engine, "checkin", note)
    event.listen(engine, "checkout", ask)


def _set_up_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    # An acknowledged action survives a power failure, not only kill -9.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA busy_timeout=10000")
    cursor.close()


def migrate(engine: Engine) -> None:
    """Bring the schema to the newest version.

    Raises:
        DatabaseError: the database is newer than this program or belongs to another program.
    """
    with _rebuilding(engine) as connection, connection.begin():
        if engine.dialect.name == "postgresql":  # of several machines that start at once, one migrates
            connection.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK)))
        if _version_in(connection) != _versions()[0]:
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


@cache
def _versions() -> tuple[str, ...]:
    """Return all versions of the schema, the newest first."""
    return tuple(each.revision for each in ScriptDirectory.from_config(_config()).walk_revisions())


@contextmanager
def _rebuilding(engine: Engine) -> Iterator[Connection]:
    """Yield a connection by which SQLite may rebuild a table, as it must to add a foreign key to a column.

    A rebuild drops the old table; with foreign keys enforced, all rows that refer to it would be deleted with it.
    """
    with engine.connect() as connection:
        if engine.dialect.name != "sqlite":
            yield connection
            return
        watched = connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one()
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        connection.rollback()
        try:
            yield connection
        finally:
            connection.exec_driver_sql(f"PRAGMA foreign_keys={watched}")


def _version_in(connection: Connection) -> str | None:
    """Return the version of the schema in a database; None if it is empty.

    Raises:
        DatabaseError: the database is newer than this program or belongs to another program.
    """
    database = connection.engine.url.render_as_string()  # without its password
    present = MigrationContext.configure(connection).get_current_revision()
    if present is None and (tables := inspect(connection).get_table_names()):
        foreign = {"database": database, "table": tables[0]}
        raise DatabaseError(Message("fault.database.foreign", foreign))
    if present is not None and present not in _versions():
        versions = {"database": database, "present": present, "known": _versions()[0]}
        raise DatabaseError(Message("fault.database.newer", versions))
    return present
