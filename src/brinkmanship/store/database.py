"""Opening the database: an SQLite file unless a URL says PostgreSQL; brought to the present schema by Alembic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, OperationalError

from brinkmanship.engine.errors import BrinkError

MIGRATIONS = Path(__file__).parent / "migrations"


class DatabaseError(BrinkError):
    """The database cannot be opened."""


def open_database(url: str) -> Engine:
    """Open a database and migrate it; ``sqlite:///file`` or ``postgresql://user@host/name``.

    Raises:
        DatabaseError: no such kind of database, or it cannot be reached.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise DatabaseError(f"{url!r} is no database; give sqlite:///PATH or postgresql://USER@HOST/NAME") from error
    if parsed.drivername == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise DatabaseError(f"{parsed.get_backend_name()} is not supported; give sqlite:/// or postgresql://")
    engine = create_engine(parsed, pool_size=8, max_overflow=8, pool_pre_ping=parsed.get_backend_name() != "sqlite")
    if parsed.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    try:
        migrate(engine)
    except OperationalError as error:
        raise DatabaseError(f"{parsed.render_as_string()} cannot be opened: {error.orig}") from error
    return engine


def _set_up_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    # An acknowledged action survives even a power failure, not only kill -9.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA busy_timeout=10000")
    cursor.close()


def migrate(engine: Engine) -> None:
    """Bring the schema to the newest version."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
