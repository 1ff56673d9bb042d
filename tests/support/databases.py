"""Fresh databases to test on: an SQLite file, and PostgreSQL where a server answers on the usual port."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

POSTGRESQL = os.environ.get("BRINK_TEST_POSTGRESQL", "postgresql+psycopg://postgres@127.0.0.1:5432/postgres")

KINDS = ("sqlite", "postgresql")


@cache
def postgresql_answers() -> bool:
    """Whether the server for tests can be reached."""
    engine = create_engine(POSTGRESQL, connect_args={"connect_timeout": 2})
    try:
        engine.connect().close()
    except OperationalError:
        return False
    finally:
        engine.dispose()
    return True


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
