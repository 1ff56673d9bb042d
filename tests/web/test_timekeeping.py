"""Machines whose clocks differ: a game is played by the database's time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import literal, select

from brinkmanship.store import schema
from brinkmanship.store.database import open_database
from brinkmanship.web.cluster import db_clock
from brinkmanship.web.cluster.db_clock import DatabaseClock
from brinkmanship.web.support import time_control
from web.databases import KINDS, fresh_database
from web.loops import run_in_thread
from web.served import Served, serve

FAR = 100_000.0
"""Seconds by which the database's clock is ahead of this machine's."""


@pytest.fixture(autouse=True)
def own_time() -> Iterator[None]:
    time_control.go_ahead(0.0)  # an earlier test's database may have been ahead by milliseconds
    yield
    time_control.go_ahead(0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_time_is_the_databases(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db_clock, "GOOD_SECONDS", 1e6)  # however slow this machine is
    monkeypatch.setattr(db_clock, "time_of", lambda _: literal(time.time() + FAR))
    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        run_in_thread(DatabaseClock(engine).set())
        engine.dispose()
    assert time_control.ahead() == 0 if kind == "sqlite" else FAR / 2 < time_control.ahead() < 2 * FAR


def test_an_answer_that_took_long_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db_clock, "GOOD_SECONDS", 0.0)
    monkeypatch.setattr(db_clock, "time_of", lambda _: literal(time.time() + FAR))
    with fresh_database("postgresql", tmp_path) as url:
        engine = open_database(url)
        keeping = DatabaseClock(engine)
        keeping._quickest = 0.0
        run_in_thread(keeping.set())
        engine.dispose()
    assert time_control.ahead() == 0


def test_records_bear_the_databases_time(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        time_control.go_ahead(FAR)
        table = await served.begin()
        assert await served.act(table)
        with served.engine.connect() as connection:
            wanted = select(schema.records.c.at).where(schema.records.c.table_id == table)
            latest = max(connection.execute(wanted).scalars())
        assert latest > time.time() + FAR / 2

    serve(f"sqlite:///{tmp_path / 'table.sqlite3'}", test)
