"""What happens around the server ends neither its computers nor its clocks, and costs no acknowledged action."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, event, select, text, update
from sqlalchemy.exc import OperationalError

from brinkmanship.engine.observation import Observation
from brinkmanship.players import Choice, load_player
from brinkmanship.store import schema
from brinkmanship.store.database import open_database
from brinkmanship.web.jobs.process_pool import JobFailedError, process_pool
from brinkmanship.web.tables import bot_moves
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import FINISHED, RUNNING
from support.databases import KINDS, fresh_database
from support.patience import HANGS_SECONDS, until
from support.served import Served, looked_at_clocks, running_out, serve, with_clock


@contextmanager
def cuts(url: str) -> Iterator[list[int]]:
    """All connections to a PostgreSQL database are cut again and again; yields how many were."""
    admin = create_engine(url, isolation_level="AUTOCOMMIT")
    name = admin.url.database
    admin = create_engine(admin.url.set(database="postgres"), isolation_level="AUTOCOMMIT")
    cut = [0]
    stop = []

    def cutting() -> None:
        with admin.connect() as connection:
            while not stop:
                wanted = text("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = :name")
                cut[0] += connection.execute(wanted, {"name": name}).scalar_one()
                time.sleep(0.03)

    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(cutting)
        try:
            yield cut
        finally:
            stop.append(True)
            done.result()
    admin.dispose()


def test_cut_connections_end_neither_computers_nor_clocks(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        games = [await served.begin() for _ in range(8)]
        clocked = [await with_clock(served) for _ in range(3)]
        await asyncio.to_thread(running_out, clocked[0], served)
        with cuts(url) as cut:
            async with asyncio.timeout(HANGS_SECONDS):
                while cut[0] <= 40:
                    await asyncio.gather(*(served.act(game) for game in games))
                    await asyncio.sleep(0.01)
        await until(lambda: all(served.computer_has_answered(game) for game in games))
        await asyncio.to_thread(running_out, clocked[1], served)
        await until(lambda: served.kept_status(clocked[0]) == served.kept_status(clocked[1]) == FINISHED)
        assert served.kept_status(clocked[2]) == RUNNING
        served.check_acknowledged()
        for game in games:  # and they go on
            await until(lambda game=game: served.computer_has_answered(game))  # type: ignore[misc]
            table = await served.tables.table(game)
            assert table.status == FINISHED or await served.act(game)

    with fresh_database("postgresql", tmp_path) as url:
        serve(url, test)


def test_a_locked_file_ends_neither_computers_nor_clocks(tmp_path: Path) -> None:
    database = tmp_path / "table.sqlite3"

    async def test(served: Served) -> None:
        _be_impatient(served.engine)
        games = [await served.begin() for _ in range(4)]
        clocked = await with_clock(served)
        await asyncio.to_thread(running_out, clocked, served)
        other = sqlite3.connect(database, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        looks = served.tables.replication._tasks._standing["clocks"]
        failures = looks.failures
        async with asyncio.timeout(HANGS_SECONDS):
            while looks.failures < failures + 2:
                assert not any(await asyncio.gather(*(served.act(game) for game in games)))
        other.execute("COMMIT")
        other.close()
        for game in games:
            await until(lambda game=game: served.computer_has_answered(game))  # type: ignore[misc]
            if (await served.tables.table(game)).status == RUNNING:
                assert await served.act(game)
        await until(lambda: served.kept_status(clocked) == FINISHED)
        served.check_acknowledged()

    serve(f"sqlite:///{database}", test)


def _be_impatient(engine: Engine) -> None:
    """Wait a tenth of a second for a locked file, instead of ten."""
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("PRAGMA busy_timeout=100"))


def test_a_full_disk_ends_neither_computers_nor_clocks(tmp_path: Path) -> None:
    most_pages: list[int] = []

    async def test(served: Served) -> None:
        event.listen(
            served.engine,
            "begin",
            lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count={(most_pages or [10**9])[-1]}"),
        )
        games = [await served.begin() for _ in range(4)]
        clocked = await with_clock(served)
        with served.engine.connect() as connection:
            most_pages.append(connection.exec_driver_sql("PRAGMA page_count").scalar_one())
        failed = 0
        async with asyncio.timeout(HANGS_SECONDS):
            while not failed and not served.tables.replication._tasks.tables_with_faults:
                for game in games:
                    if 0 in (await served.tables.table(game)).to_move:
                        failed += not await served.act(game)
                await asyncio.sleep(0.01)
        with pytest.raises(OperationalError, match="full"):
            await served.services.chat.say(games[0], "Anna", 0, "x" * 10_000)
        most_pages.append(10**9)
        await asyncio.to_thread(running_out, clocked, served)
        await until(lambda: served.kept_status(clocked) == FINISHED)
        await until(lambda: all(served.computer_has_answered(game) for game in games))
        served.check_acknowledged()

    serve(f"sqlite:///{tmp_path / 'table.sqlite3'}", test)


def test_a_player_that_fails_costs_no_other_table_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_well: list[bool] = []

    class Moody:
        """Where greedy cannot play until it is well."""

        def ask(self, name: str, seen: Callable[[], Observation], _: int | None) -> Future[Choice]:
            answer: Future[Choice] = Future()
            if is_well or name != "greedy":
                answer.set_result(load_player(name, seen().game).choose(seen()))
            else:
                answer.set_exception(JobFailedError("greedy has no idea"))
            return answer

    async def test(served: Served) -> None:
        monkeypatch.setattr(bot_moves, "process_pool", Moody)
        bad = await served.begin(TableSettings("13-days", ["me", "computer:greedy"]))
        await until(lambda: served.tables.replication._tasks.tables_with_faults == 1)
        good = await served.begin()
        await until(lambda: served.computer_has_answered(good))
        clocked = await with_clock(served)
        await asyncio.to_thread(running_out, clocked, served)
        await until(lambda: served.kept_status(clocked) == FINISHED)
        assert await served.act(good)
        assert not served.computer_has_answered(bad)
        is_well.append(True)
        await served.tables.table(bad)  # a visit does not have to wait for the back-off
        await until(lambda: served.computer_has_answered(bad))

    serve(f"sqlite:///{tmp_path / 'table.sqlite3'}", test)


def test_whoever_visits_wakes_a_computer_that_waits_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(served: Served) -> None:
        tasks = served.tables.replication._tasks
        monkeypatch.setattr(tasks, "_first_wait", 0.01)
        monkeypatch.setattr(tasks, "_longest_wait", 10.0 * HANGS_SECONDS)
        monkeypatch.setattr(bot_moves, "process_pool", lambda: None)  # nobody can choose
        game = await served.begin()
        await until(lambda: tasks.tables_with_faults == 1)
        waiting = tasks._for_tables[("computer", game)]
        waiting.failures = 50
        await served.tables.table(game)
        await until(lambda: waiting.failures > 50)  # now its wait is an hour
        monkeypatch.setattr(bot_moves, "process_pool", process_pool)
        assert not served.computer_has_answered(game)
        await served.tables.table(game)
        await until(lambda: served.computer_has_answered(game))

    serve(f"sqlite:///{tmp_path / 'table.sqlite3'}", test)


@pytest.mark.parametrize("kind", KINDS)
def test_a_forgotten_computer_is_found_without_a_visit(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brinkmanship.web.server.schedule.SWEEP_INTERVAL", 0.1)
    monkeypatch.setattr(bot_moves, "SWEEP_INTERVAL", 0.1)
    forgotten = ""

    async def stop_in_the_middle(served: Served) -> None:
        nonlocal forgotten
        monkeypatch.setattr(bot_moves.BotMoves, "play", lambda *_: None)
        forgotten = await served.begin()

    async def start_again(served: Served) -> None:
        await until(lambda: served.computer_has_answered(forgotten))

    with fresh_database(kind, tmp_path) as url:
        with monkeypatch.context() as monkeypatch:
            serve(url, stop_in_the_middle)
        serve(url, start_again)


@pytest.mark.parametrize("kind", KINDS)
def test_unreadable_tables_do_not_keep_the_clocks_of_others(kind: str, tmp_path: Path) -> None:
    clocked: list[str] = []

    async def before(served: Served) -> None:
        clocked.extend([await with_clock(served) for _ in range(5)])
        for table_id in clocked:
            await asyncio.to_thread(running_out, table_id, served)
        wrong = [
            update(schema.tables).where(schema.tables.c.id == clocked[0]).values(options={"no such": "option"}),
            update(schema.tables).where(schema.tables.c.id == clocked[1]).values(game="no such game"),
            update(schema.records).where(schema.records.c.table_id == clocked[2]).values(value=999_999),
            update(schema.tables).where(schema.tables.c.id == clocked[3]).values(clock=["what?"]),
        ]
        with served.engine.begin() as connection:
            for statement in wrong:
                connection.execute(statement)
        await served.tables.replication._tasks.close()

    async def after(served: Served) -> None:
        await until(lambda: served.kept_status(clocked[4]) == FINISHED)
        await until(lambda: served.tables.replication._tasks.tables_with_faults == 4)

    with fresh_database(kind, tmp_path) as url:
        serve(url, before)
        # `running_out` put the clocks 10,000 s back; the pause at the start gives back a second at most.
        serve(url, after)


def test_the_start_loads_no_table(tmp_path: Path) -> None:
    async def before(served: Served) -> None:
        await served.begin(TableSettings("13-days", ["me", "me"]))
        await with_clock(served)

    async def after(served: Served) -> None:
        await looked_at_clocks(served)
        await looked_at_clocks(served)
        assert not served.tables._live

    url = f"sqlite:///{tmp_path / 'table.sqlite3'}"
    serve(url, before)
    engine = open_database(url)
    with engine.connect() as connection:
        without_clock = select(schema.tables.c.id).where(schema.tables.c.clock.is_(None))
        assert len(connection.execute(without_clock).all()) == 1
    engine.dispose()
    serve(url, after)


def test_a_deed_that_may_be_kept_is_read_back(tmp_path: Path) -> None:
    """The connection is cut in the moment of the commit: the answer is lost and the deed may be safe."""

    async def test(served: Served) -> None:
        table_id = await served.begin(TableSettings("13-days", ["me", "me"]))
        table = await served.tables.table(table_id)
        writer = served.services.event_log._writer
        write = writer.write

        async def cut_after_commit(*statements: Any) -> None:
            await write(*statements)
            raise OperationalError("COMMIT", {}, Exception("the line was cut"))

        writer.write = cut_after_commit  # type: ignore[method-assign]
        assert not await served.act(table_id)
        writer.write = write  # type: ignore[method-assign]
        assert served.tables.at_hand(table_id) is None
        fresh: LiveTable = await served.tables.table(table_id)
        assert (len(fresh.records), fresh.to_move) == (1, [1])
        assert fresh is table

    serve(f"sqlite:///{tmp_path / 'table.sqlite3'}", test)
