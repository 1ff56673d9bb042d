"""The database: its schema, its migrations, and how it is opened."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from brinkmanship.store.database import DatabaseError, open_database
from brinkmanship.store.schema import metadata, people
from brinkmanship.store.writer import Statement, Writer
from web.databases import KINDS, fresh_database


@pytest.mark.parametrize("kind", KINDS)
def test_the_migrations_lead_to_the_schema(kind: str, tmp_path: Path) -> None:
    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        with engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        engine.dispose()
        open_database(url).dispose()  # a second start finds nothing to do


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "is no database; give sqlite:///PATH or postgresql://"),
        ("mysql://root@localhost/test", "mysql is not supported"),
        ("sqlite:////no/such/folder/table.sqlite3", "cannot be opened"),
        ("postgresql://nobody@127.0.0.1:1/none", "cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_opened_is_named(url: str, said: str) -> None:
    with pytest.raises(DatabaseError, match=said):
        open_database(url)


def person(number: int) -> Statement:
    row = {"id": f"p{number}", "name": "Anna", "login": None, "password_hash": None}
    return Statement(_insert_person, {**row, "language": "en", "created_at": 0.0})


_insert_person = insert(people)


@pytest.mark.parametrize("kind", KINDS)
def test_what_fails_in_a_batch_fails_alone(kind: str, tmp_path: Path) -> None:
    async def write_together(writer: Writer) -> list[object]:
        jobs = [writer.write(person(number)) for number in (1, 2, 1, 3)]
        return await asyncio.gather(*jobs, return_exceptions=True)

    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        writer = Writer(engine)
        with ThreadPoolExecutor(1) as thread:  # as in test_service.run
            done = thread.submit(asyncio.run, write_together(writer)).result()
        writer.close()
        assert [type(result) for result in done] == [type(None), type(None), IntegrityError, type(None)]
        with engine.connect() as connection:
            assert connection.execute(select(func.count()).select_from(people)).scalar() == 3
        engine.dispose()
