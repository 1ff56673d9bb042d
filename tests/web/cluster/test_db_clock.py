"""Machines whose clocks differ: a game is played by the database's time."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import literal, select

from brinkmanship.store import schema
from brinkmanship.store.database import open_database
from brinkmanship.web.cluster import db_clock
from brinkmanship.web.cluster.db_clock import DatabaseClock
from brinkmanship.web.support import time_control
from support.databases import KINDS, fresh_database
from support.loops import run_in_thread
from support.served import Served, serve, with_clock

FAR = 100_000.0
"""Seconds by which the database's clock is ahead of this machine's."""
SET = DatabaseClock._set
"""The real function: this module is imported before `no_database_clock` replaces it."""


@pytest.fixture(autouse=True)
def real_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DatabaseClock, "_set", SET)


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


# ---- A clock that is set back.


class SetBack:
    """The time of this machine, which can be set back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.back = self.passed = 0.0
        wall, steady = time.time, time.monotonic
        monkeypatch.setattr(time_control, "_began", [wall() - steady()])
        of_machine = SimpleNamespace(
            time=lambda: wall() - self.back + self.passed, monotonic=lambda: steady() + self.passed
        )
        monkeypatch.setattr(time_control, "time", of_machine)
        monkeypatch.setattr("time.time", of_machine.time)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> SetBack:
    return SetBack(monkeypatch)


def test_where_a_clock_is_set_back_the_time_goes_on(machine: SetBack) -> None:
    before = time_control.now()
    assert time_control.ahead() == 0
    machine.back = FAR
    assert before <= time_control.now() < before + FAR / 2
    assert FAR / 2 < time_control.ahead() < 2 * FAR
    machine.passed = 50
    assert time_control.now() >= before + 50
    machine.back = 0.0  # set right again
    assert time_control.ahead() == 0


def test_a_clock_set_back_does_not_stop_the_clocks_of_games(tmp_path: Path, machine: SetBack) -> None:
    async def test(served: Served) -> None:
        table_id = await with_clock(served)
        machine.back = FAR
        await served.services.event_log.beat()
        table = await served.tables.table(table_id)
        side = table.to_move[0]
        left = table.seconds_left(2, time_control.now())
        machine.passed = 10
        later = table.seconds_left(2, time_control.now())
        assert left is not None
        assert later is not None
        assert left[side] - later[side] >= 10
        await served.services.actions.act(
            table_id, served.anna.id, side, table.version(side), table.decisions(side)[0].action
        )
        with served.engine.connect() as connection:
            wanted = select(schema.records.c.at).where(schema.records.c.table_id == table_id)
            at = connection.execute(wanted.order_by(schema.records.c.number)).scalars().all()
        assert list(at) == sorted(at)

    serve(f"sqlite:///{tmp_path / 'table.sqlite3'}", test)


@pytest.mark.parametrize("kind", KINDS)
def test_nor_does_one_that_was_set_back_while_no_server_ran(kind: str, tmp_path: Path) -> None:
    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        beaten_at = time.time() + FAR
        with engine.begin() as connection:
            connection.execute(schema.heartbeat.insert().values(id=1, at=beaten_at))
        run_in_thread(DatabaseClock(engine).set())
        engine.dispose()
        assert time_control.now() >= beaten_at
