"""Fresh databases to test on: an SQLite file, and PostgreSQL where a server answers on the usual port."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, inspect, text
from sqlalchemy.exc import OperationalError

from brinkmanship.store import database
from support.patience import HANGS_SECONDS

POSTGRESQL = os.environ.get("BRINK_TEST_POSTGRESQL", "postgresql+psycopg://postgres@127.0.0.1:5432/postgres")

KINDS = ("sqlite", "postgresql")


@cache
def postgresql_answers() -> bool:
    """Whether the server for tests can be reached."""
    engine = create_engine(POSTGRESQL, connect_args={"connect_timeout": HANGS_SECONDS})
    try:
        engine.connect().close()
    except OperationalError:
        return False
    finally:
        engine.dispose()
    return True


def migrated_or_copied(template: Path) -> Callable[[Engine], None]:
    """`database.migrate`, but an empty SQLite database becomes a copy of `template`, made by the migrations themselves.

    The migrations take 0.3 s, and a whole run begins some 1,500 databases.
    """
    migrate = database.migrate

    def copy_or_migrate(engine: Engine) -> None:
        if engine.dialect.name != "sqlite" or inspect(engine).get_table_names():
            migrate(engine)
            return
        if not template.exists():
            made = create_engine(f"sqlite:///{template}")
            migrate(made)
            made.dispose()
        with closing(sqlite3.connect(template)) as source, engine.connect() as connection:
            target = connection.connection.driver_connection
            assert isinstance(target, sqlite3.Connection)
            source.backup(target)

    return copy_or_migrate


@contextmanager
def fresh_database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a new, empty database, removed at the end; skips the test where there is no such server."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'table.sqlite3'}"
        return
    if not postgresql_answers():
        pytest.skip("no PostgreSQL server answers")
    name = f"brink_test_{secrets.token_hex(6)}"
    admin = create_engine(POSTGRESQL, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield admin.url.set(database=name).render_as_string(hide_password=False)
    finally:
        with admin.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        admin.dispose()
