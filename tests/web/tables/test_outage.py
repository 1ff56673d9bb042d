"""A clock stands still while nobody can play, and all who read the records have the same clocks."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from brinkmanship.store import schema
from brinkmanship.store.writer import Writer
from brinkmanship.web.cluster.unix_pubsub import UnixPubSub
from brinkmanship.web.support.settings import JUST_STARTED
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import LIVE, Clock, Timer
from brinkmanship.web.tables.outage import GAP_SECONDS, OutageMonitor
from brinkmanship.web.tables.record_kinds import ACTION, NOBODY, PAUSE
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import FINISHED, RUNNING
from support.bare_services import bare_services
from support.databases import KINDS, fresh_database
from support.patience import until
from support.served import Served, looked_at_clocks, serve, with_clock

HOUR = 3600


class Time:
    """The time of day, which goes only when it is put forward."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.time()
        monkeypatch.setattr("brinkmanship.web.support.time_control.own", lambda: self.now)
        monkeypatch.setattr("time.time", lambda: self.now)

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


def pauses(served: Served, table_id: str) -> list[tuple[int, int]]:
    """The actor and the seconds of each pause of a table, as it is kept."""
    records = schema.records
    wanted = select(records.c.actor, records.c.value).where(records.c.table_id == table_id, records.c.kind == PAUSE)
    with served.engine.connect() as connection:
        return [(row.actor, row.value) for row in connection.execute(wanted.order_by(records.c.number))]


def test_a_pause_takes_no_time() -> None:
    timer = Timer(Clock(LIVE, 300, 10), 2)
    timer.record(100.0, actor=0, is_decision=True, to_move=[1], in_secret=False)
    timer.pause(at=700.0, seconds=500)
    assert timer.seconds_left(1, 700.0) == 200
    timer.record(750.0, actor=1, is_decision=True, to_move=[0], in_secret=False)
    assert timer.left == [310, 160]
    timer.pause(at=760.0, seconds=100)  # it began before the last record: what was before it counted already
    assert timer.seconds_left(0, 760.0) == 310
    assert timer.ends_at == 760 + 310


@pytest.mark.parametrize("kind", KINDS)
def test_no_clock_runs_while_no_server_does(kind: str, tmp_path: Path, clock: Time) -> None:
    table_id = ""
    left: list[float] = []

    async def before(served: Served) -> None:
        nonlocal table_id
        table_id = await with_clock(served)
        left.extend((await served.tables.table(table_id)).seconds_left(2, time.time()) or [])

    async def after(served: Served) -> None:
        assert not served.tables._live
        (pause,) = pauses(served, table_id)
        assert pause[0] == NOBODY
        assert 2 * HOUR <= pause[1] < 2 * HOUR + 60
        await looked_at_clocks(served)
        assert served.kept_status(table_id) == RUNNING
        table = await served.tables.table(table_id)
        assert table.seconds_left(2, time.time()) == pytest.approx(left, abs=1)
        last = table.pause_before(0)
        assert last is not None
        assert (last.kind, last.actor, last.value) == (PAUSE, *pause)
        ends_at = select(schema.tables.c.clock_ends_at).where(schema.tables.c.id == table_id)
        with served.engine.connect() as connection:
            assert connection.execute(ends_at).scalar_one() == pytest.approx(table.state.clock_ends_at, abs=1)
        clock.pass_by(10)  # too short for a pause
        fresh = await bare_services(served.engine, served.services.event_log._writer).tables.table(table_id)
        assert fresh.seconds_left(2, time.time()) == pytest.approx(table.seconds_left(2, time.time()), abs=1)

    with fresh_database(kind, tmp_path) as url:
        serve(url, before)
        clock.pass_by(2 * HOUR)
        serve(url, after)


def test_who_acts_first_after_a_gap_pays_nothing_for_it(tmp_path: Path, clock: Time) -> None:
    async def test(served: Served) -> None:
        table_id = await with_clock(served)
        table = await served.tables.table(table_id)
        side = table.to_move[0]
        before = table.seconds_left(2, time.time()) or []
        clock.pass_by(HOUR)  # the machine slept, or the database was away
        action = table.decisions(side)[0].action
        await served.services.actions.act(table_id, served.anna.id, side, table.version(side), action)
        assert [record.kind for record in table.records[-2:]] == [PAUSE, ACTION]
        assert table.seconds_left(2, time.time()) == pytest.approx(before, abs=1)
        assert table.pause_before(side) is None  # said until somebody has acted

    serve(f"sqlite:///{tmp_path / 'table.sqlite3'}", test)


def test_time_goes_on_after_a_pause(tmp_path: Path, clock: Time) -> None:
    async def test(served: Served) -> None:
        table_id = await with_clock(served)
        clock.pass_by(HOUR)
        await until(lambda: len(pauses(served, table_id)) == 1)
        assert served.kept_status(table_id) == RUNNING
        for _ in range(60):  # eleven minutes during which the server beats
            clock.pass_by(11)
            await served.services.event_log.beat()
        await until(lambda: served.kept_status(table_id) == FINISHED)
        assert len(pauses(served, table_id)) == 1

    serve(f"sqlite:///{tmp_path / 'table.sqlite3'}", test)


@pytest.mark.parametrize("kind", KINDS)
def test_of_several_workers_one_writes_the_pause_and_all_know_of_it(kind: str, tmp_path: Path, clock: Time) -> None:
    async def test(served: Served) -> None:
        table_id = await with_clock(served)
        await served.tables.replication._tasks.close()
        hearts, told = [], []
        writers = [Writer(served.engine) for _ in range(3)]
        for number, writer in enumerate(writers):
            heart = OutageMonitor(served.engine, writer, False, partial(told.append, number))
            hearts.append(heart)
            await heart.beat()
        told.clear()
        clock.pass_by(10 * GAP_SECONDS)
        await asyncio.gather(*(heart.beat() for heart in hearts))
        assert len(pauses(served, table_id)) == 1
        assert sorted(told) == [0, 1, 2]
        for writer in writers:
            writer.close()

    with fresh_database(kind, tmp_path) as url:
        serve(url, test)


def test_a_pause_does_not_tell_who_has_chosen_in_secret(tmp_path: Path, clock: Time) -> None:
    async def test(served: Served) -> None:
        plan = TableSettings("13-days", ["me", "me"], terms=Terms(Clock(LIVE, 600)))
        ids = [await served.begin(plan) for _ in range(2)]
        chosen, untouched = [await served.tables.table(table_id) for table_id in ids]

        async def choose(side: int) -> None:
            action = chosen.decisions(side)[0].action
            await served.services.actions.act(chosen.id, served.anna.id, side, chosen.version(side), action)

        await choose(1)
        clock.pass_by(HOUR)
        # What is kept is not yet heard of: the tables are told when the write has come back.
        await until(lambda: all(table.freshness.is_behind or table.version(0) for table in (chosen, untouched)))
        for table in (chosen, untouched):
            assert len(pauses(served, table.id)) == 1
            await served.tables.table(table.id)
            assert table.version(0) == 1
            assert table.pause_before(0) is not None
            assert table.seconds_left(0, time.time()) == [600, 600]

    serve(f"sqlite:///{tmp_path / 'table.sqlite3'}", test)


def test_one_worker_says_that_the_server_has_come_up(tmp_path: Path) -> None:
    (tmp_path / JUST_STARTED).touch()
    workers = [UnixPubSub(tmp_path, name) for name in ("one", "two", "three")]
    assert [worker.has_come_up() for worker in workers] == [True, False, False]
    for worker in workers:
        worker.close()
