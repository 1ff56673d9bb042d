"""Several processes serve the same tables: whatever one has acknowledged, the others know.

On SQLite they are workers of one machine, which hear of everything before it is acknowledged; on PostgreSQL they may
be anywhere, and what is read is compared with the database.
"""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError

import pytest
from sqlalchemy import Engine, update

from brinkmanship.store import repository
from brinkmanship.store.database import open_database
from brinkmanship.store.schema import processes, sessions
from brinkmanship.store.writer import Writer
from brinkmanship.web.accounts.users import UserService
from brinkmanship.web.cluster import leases, unix_pubsub
from brinkmanship.web.cluster.leases import RENEW_SECONDS, TableLeases
from brinkmanship.web.cluster.postgres_pubsub import PostgresPubSub
from brinkmanship.web.cluster.pubsub import Notification, encode
from brinkmanship.web.cluster.unix_pubsub import UnixPubSub
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, StaleError
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import LIVE, Clock
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.presence import Listener
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import FINISHED, RUNNING
from brinkmanship.web.tables.timeouts import Clocks
from support.bare_services import bare_services
from support.databases import KINDS, fresh_database
from support.loops import run_in_thread
from support.patience import HANGS_SECONDS, until, wait_until
from support.server_process import ServerProcess

INVITED = TableSettings("13-days", ["me", "friend"])


class Worker:
    """One of several workers, all in this process."""

    def __init__(self, engine: Engine, folder: Path, name: str) -> None:
        self.writer = Writer(engine)
        self.name = name
        self.pubsub = PostgresPubSub(engine, name) if engine.dialect.name == "postgresql" else UnixPubSub(folder, name)
        self.leases = TableLeases(engine, self.writer, name)
        self.people = UserService(engine, lambda person: self.pubsub.publish(Notification(person=person)))
        self.tasks = Supervisor(0.05)
        self.services = bare_services(
            engine,
            self.writer,
            pubsub=self.pubsub,
            leases=self.leases,
            tasks=self.tasks,
            forget_person=self.people.forget,
        )
        self.tables = self.services.tables

    async def open(self) -> None:
        await self.leases.enter(is_first=False)
        self.tasks.every(RENEW_SECONDS, "homes", self.leases.renew)
        self.pubsub.listen(self.tables.apply_notifications)

    async def table(self, table_id: str) -> LiveTable:
        """As whoever asks here is shown it."""
        return await self.tables.fresh(table_id)

    async def close(self) -> None:
        await self.tasks.close()
        self.pubsub.close()
        self.writer.close()


@pytest.fixture(autouse=True)
def slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No lease ends because a renewal is late."""
    monkeypatch.setattr(leases, "LEASE_SECONDS", float(HANGS_SECONDS))


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with fresh_database(request.param, tmp_path) as url:
        yield url


Test = Callable[[Worker, Worker], Awaitable[None]]


@pytest.fixture
def run(database: str, tmp_path: Path) -> Callable[[Test], None]:
    def run_with_two_workers(test: Test) -> None:
        engine = open_database(database)
        folder = tmp_path / "channel"
        folder.mkdir()

        async def with_workers() -> None:
            workers = [Worker(engine, folder, name) for name in ("one", "two")]
            try:
                for worker in workers:
                    await worker.open()
                await test(*workers)
            finally:
                for worker in workers:
                    await worker.close()

        run_in_thread(with_workers())
        engine.dispose()

    return run_with_two_workers


async def seated(one: Worker, two: Worker) -> tuple[str, str, str]:
    """A table set at one worker and joined at the other: its id and the two people's."""
    anna, _ = one.people.add_guest("Anna", "en")
    boris, _ = two.people.add_guest("Boris", "ru")
    table, links = await one.services.seating.create(INVITED, anna.id, "Anna")
    await two.services.seating.join(table.id, boris.id, "Boris", links[1])
    return table.id, anna.id, boris.id


async def act(worker: Worker, table_id: str, person: str, side: int) -> None:
    table = await worker.table(table_id)
    action = table.decisions(side)[0].action
    await worker.services.actions.act(table_id, person, side, table.version(side), action)


def test_each_worker_knows_what_the_other_acknowledged(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        for turn in range(60):
            worker, other = (one, two) if turn % 3 else (two, one)
            table = await worker.table(table_id)
            if table.status != RUNNING:
                break
            side = table.to_move[turn % len(table.to_move)]
            await act(worker, table_id, (anna, boris)[side], side)
            mine, theirs = await worker.table(table_id), await other.table(table_id)
            assert mine is not theirs
            assert mine.match.state.tobytes() == theirs.match.state.tobytes()
            assert mine.match.entries == theirs.match.entries

    run(test)


def test_both_secret_choices_may_come_at_once_at_two_workers(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        await two.table(table_id)
        await asyncio.gather(act(one, table_id, anna, 0), act(two, table_id, boris, 1))
        mine, theirs = await one.table(table_id), await two.table(table_id)
        assert len(mine.records) == len(theirs.records) == 2
        assert mine.match.state.tobytes() == theirs.match.state.tobytes()

    run(test)


def test_of_two_actions_at_one_version_one_is_stale(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, _ = await seated(one, two)
        table = await two.table(table_id)
        version, action = table.version(0), table.decisions(0)[0].action
        answers = await asyncio.gather(
            *(worker.services.actions.act(table_id, anna, 0, version, action) for worker in (one, two)),
            return_exceptions=True,
        )
        assert sorted((type(answer) for answer in answers), key=str, reverse=True) == [LiveTable, StaleError]

    run(test)


def test_a_seat_is_taken_once(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        anna, boris, clara = (one.people.add_guest(name, "en")[0].id for name in ("Anna", "Boris", "Clara"))
        table, _ = await one.services.seating.create(TableSettings("13-days", ["me", "open"]), anna, "Anna")
        await two.table(table.id)
        answers = await asyncio.gather(
            one.services.seating.join(table.id, boris, "Boris"),
            two.services.seating.join(table.id, clara, "Clara"),
            return_exceptions=True,
        )
        assert sum(isinstance(answer, ForbiddenError) for answer in answers) == 1
        mine, theirs = await one.table(table.id), await two.table(table.id)
        assert mine.seats == theirs.seats
        assert mine.status == theirs.status == RUNNING

    run(test)


def test_of_two_workers_exactly_one_begins_the_second_game_of_a_match(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        anna, _ = one.people.add_guest("Anna", "en")
        boris, _ = two.people.add_guest("Boris", "ru")
        for _ in range(5):
            people = [(anna.id, "Anna"), (boris.id, "Boris")]
            match = await one.services.matches.create("13-days", people, Terms())
            await two.services.actions.resign(match.first.id, boris.id, 1)
            services = [worker.services.matches for worker in (one, two, one, two)]
            await asyncio.gather(*(service.tick() for service in services))
            shown = [await service.match(match.id) for service in services]
            assert len({each.games[1].table.id for each in shown}) == 1
        assert len(repository.tables_of(one.services.seating._engine, anna.id, finished=False)) == 5

    run(test)


def test_a_revealed_round_is_open_at_every_worker(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        people = [one.people.add_guest(name, "en")[0] for name in ("Anna", "Boris", "Clara", "Dora")]
        seated = [(person.id, person.name) for person in people]
        pairs = [seated[:2], seated[2:]]
        found = await one.services.duplicates.create("13-days", pairs, Terms(Clock(LIVE, 600)))
        for table, (person, _), worker in zip(found.tables, seated[::2], (one, two), strict=True):
            await worker.services.actions.resign(table.id, person, 0)
        assert [(await worker.table(found.tables[0].id)).is_revealed for worker in (one, two)] == [False, False]
        await asyncio.gather(*(worker.services.duplicates.tick() for worker in (one, two, one, two)))
        for worker in (one, two):
            assert all([(await worker.table(table.id)).is_revealed for table in found.tables])
            assert (await worker.services.duplicates.round(found.kept.id)).results

    run(test)


def test_who_listens_at_another_worker_is_told(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        table = await two.table(table_id)
        listener = Listener(1)
        before = listener.last_news = table.news(1)
        table.presence.listeners.add(listener)
        await act(one, table_id, anna, 0)
        await asyncio.sleep(0.05)
        assert not listener.event.is_set()  # a secret choice is no news for the other side
        await one.services.chat.say(table_id, "Anna", 0, "hello")
        await until(listener.event.is_set)
        await act(one, table_id, boris, 1)
        assert (await two.table(table_id)).version(1) > before.version

    run(test)


def test_who_has_the_table_open_at_another_worker_is_here_too(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, _, _ = await seated(one, two)
        mine, theirs = await one.table(table_id), await two.table(table_id)
        assert theirs.presence.who_is_here(60) == []
        one.tables.note_look(mine, 0)
        await until(lambda: theirs.presence.who_is_here(60) == [0])

    run(test)


def test_what_was_said_at_another_worker_is_known_by_its_number(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, _ = await seated(one, two)
        mine, theirs = await one.table(table_id), await two.table(table_id)
        await one.services.chat.say(table_id, "Anna", 0, "hello", anna)
        await until(lambda: 0 < mine.said == theirs.said)

    run(test)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_chat_lines_are_numbered_in_the_order_in_which_they_become_visible(
    run: Callable[[Test], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    is_written, may_commit = threading.Event(), threading.Event()

    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        await two.table(table_id)
        engine = two.tables.loader._engine

        def write_and_wait(statements: list[tuple[str, list[Any]]]) -> None:
            with engine.begin() as connection:
                for text, rows in statements:
                    connection.exec_driver_sql(text, rows)
                is_written.set()
                may_commit.wait(HANGS_SECONDS)

        def somebody_waits() -> bool:
            with engine.connect() as connection:
                return connection.exec_driver_sql("SELECT 1 FROM pg_locks WHERE NOT granted").first() is not None

        monkeypatch.setattr(one.writer, "_in_one_trip", write_and_wait)
        first = asyncio.create_task(one.services.chat.say(table_id, "Anna", 0, "first", anna))
        await until(is_written.is_set)
        second = asyncio.create_task(two.services.chat.say(table_id, "Boris", 1, "second", boris))
        await until(lambda: second.done() or somebody_waits())
        shown = [line.text for line in repository.chat_of(engine, table_id)]
        may_commit.set()
        await asyncio.gather(first, second)
        lines = [line.text for line in repository.chat_of(engine, table_id)]
        assert shown == lines[: len(shown)]  # no line comes in before one that has been shown
        assert lines == ["first", "second"]

    run(test)


def test_undo_offers_and_resignation_reach_the_other_worker(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        await act(one, table_id, anna, 0)
        table = await two.table(table_id)
        await two.services.actions.undo(table_id, anna, 0, table.version(0), False)
        assert (await one.table(table_id)).match.pending == {0, 1}
        await one.services.actions.offer_void(table_id, anna, 0)
        with pytest.raises(IllegalError, match="already an offer"):
            await two.services.actions.offer_void(table_id, boris, 1)
        await two.services.actions.resign(table_id, boris, 1)
        assert (await one.table(table_id)).result == "us by resignation"

    run(test)


def test_the_computer_answers_at_the_home_of_its_table(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        anna, _ = one.people.add_guest("Anna", "en")
        for turn in range(4):
            home, other = ((one, two), (two, one))[turn % 2]
            table, _ = await home.services.seating.create(
                TableSettings("13-days", ["me", "computer:random"]), anna.id, "Anna"
            )
            await until(lambda home=home, table=table: home.leases.holds(table.id))  # the computer was asked there
            assert not await other.leases.claim(table.id)
            await act(one, table.id, anna.id, 0)
            async with asyncio.timeout(HANGS_SECONDS):
                while (await one.table(table.id)).match.entries[-1].actor == 0:
                    await asyncio.sleep(0.01)
            assert len((await two.table(table.id)).records) >= 2
            assert not other.leases.holds(table.id)

    run(test)


def test_time_runs_out_whoever_set_the_table(run: Callable[[Test], None], monkeypatch: pytest.MonkeyPatch) -> None:
    minutes_later = [0]
    monkeypatch.setattr("brinkmanship.web.support.time_control.own", lambda: time.monotonic() + 60 * minutes_later[0])
    monkeypatch.setattr("time.time", lambda: time.monotonic() + 60 * minutes_later[0])

    async def test(one: Worker, two: Worker) -> None:
        for worker in (one, two):
            clocks = Clocks(
                worker.tables.loader._engine,
                worker.writer,
                worker.leases,
                worker.tables,
                worker.services.event_log,
                worker.tasks,
            )
            worker.tasks.every(0.02, "clocks", clocks.look)
        anna, _ = one.people.add_guest("Anna", "en")
        for _ in range(4):
            plan = TableSettings("13-days", ["me", "me"], terms=Terms(Clock(LIVE, 60)))
            table, _ = await one.services.seating.create(plan, anna.id, "Anna")
            for side in (0, 1):
                await act(one, table.id, anna.id, side)
            minutes_later[0] += 2
            async with asyncio.timeout(HANGS_SECONDS):
                while (await one.table(table.id)).status != FINISHED:
                    await asyncio.sleep(0.01)
            assert (await two.table(table.id)).result.endswith("by time")

    run(test)


def test_a_new_name_is_known_everywhere(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        anna, token = one.people.add_guest("Anna", "en")
        assert two.people.by_token(token) == anna
        one.people.rename(anna, "Anne")
        await until(lambda: (found := two.people.by_token(token)) and found.name == "Anne")
        one.people.close_session(token)
        await until(lambda: two.people.by_token(token) is None)

    run(test)


def test_a_worker_that_died_does_not_stop_the_others(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        if isinstance(two.pubsub, UnixPubSub):
            two.pubsub._door.close()  # type: ignore[union-attr]  # as a killed process leaves it
            two.pubsub._door = None
        await act(one, table_id, anna, 0)
        await act(one, table_id, boris, 1)
        if isinstance(one.pubsub, UnixPubSub):
            assert one.pubsub.workers == ["one"]

    run(test)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("is_watched", [False, True])
def test_a_record_for_which_a_worker_has_no_room_is_known_there(
    is_watched: bool, run: Callable[[Test], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, _ = await seated(one, two)
        table = await two.table(table_id)
        assert isinstance(one.pubsub, UnixPubSub)
        if is_watched:
            listener = Listener(0)
            listener.last_news = table.news(0)
            table.presence.listeners.add(listener)
        with monkeypatch.context() as patched:
            patched.setattr(two.pubsub, "drain", lambda: iter(()))  # its event loop stands still
            one.pubsub.publish(Notification("other", looks=0))
            with suppress(BlockingIOError):
                while True:
                    one.pubsub._outgoing["two"].send(encode(Notification("other", looks=0)) + b"\n")
            await act(one, table_id, anna, 0)
            assert table.records == []
        if is_watched:
            await until(listener.event.is_set)
        else:
            assert await two.tables.table(table_id) is table
        assert len(table.records) == 1
        assert two.tables.at_hand(table_id) is table

    run(test)


def test_who_may_have_been_changed_elsewhere_is_asked_for_again(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        anna, token = one.people.add_guest("Anna", "en")
        assert two.people.by_token(token) == two.people.remembered(token) == anna
        with one.tables.loader._engine.begin() as connection:
            connection.execute(sessions.delete())
        one.pubsub.publish(Notification(missed=True))

        def is_forgotten() -> bool:
            two.tables.apply_notifications()
            return two.people.remembered(token) is None

        await until(is_forgotten)
        assert two.people.by_token(token) is None

    run(test)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_worker_that_cannot_be_connected_to_learns_later_that_it_missed_a_record(
    run: Callable[[Test], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_socket(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(unix_pubsub, "AGAIN_SECONDS", 0.01)

    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, _ = await seated(one, two)
        assert isinstance(one.pubsub, UnixPubSub)
        assert "two" not in one.pubsub._outgoing
        assert (await two.table(table_id)).records == []
        with monkeypatch.context() as patched:
            names = {"AF_UNIX": socket.AF_UNIX, "SOCK_STREAM": socket.SOCK_STREAM}
            patched.setattr(unix_pubsub, "socket", SimpleNamespace(socket=no_socket, **names))
            await act(one, table_id, anna, 0)
        async with asyncio.timeout(HANGS_SECONDS):
            while not (await two.table(table_id)).records:
                await asyncio.sleep(0.01)

    run(test)


def test_of_a_notification_that_was_cut_off_only_the_loss_is_known(tmp_path: Path) -> None:
    one, two = (UnixPubSub(tmp_path, name) for name in ("one", "two"))
    one.publish(Notification("first"))
    one._outgoing["two"].send(encode(Notification("second", said=12))[:-2])
    one.close()
    assert list(two.drain()) == [Notification("first"), Notification(missed=True)]
    two.close()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_what_was_lost_on_the_bus_is_found_by_comparing(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        table = await two.table(table_id)
        listener = Listener(1)
        before = listener.last_news = table.news(1)
        table.presence.listeners.add(listener)
        two.pubsub.close()
        await act(one, table_id, anna, 0)
        await act(one, table_id, boris, 1)
        assert table.news(1) == before
        await two.tables.replication.compare()
        await until(listener.event.is_set)
        assert table.version(1) > before.version

    run(test)


def count_tables_asked_for(asked: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Note of each question how far tables have come the number of tables."""
    versions = repository.versions

    def counted(engine: Engine, table_ids: list[str]) -> list[repository.Version]:
        asked.append(len(table_ids))
        return versions(engine, table_ids)

    monkeypatch.setattr(repository, "versions", counted)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_the_database_is_asked_only_by_a_process_that_is_behind(
    run: Callable[[Test], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, _ = await seated(one, two)
        table = await two.table(table_id)
        two.pubsub.close()
        await act(one, table_id, anna, 0)
        count_tables_asked_for(asked, monkeypatch)
        await two.tables.replication.ensure_version(table, 0, at_least=0)
        assert (asked, table.version(0)) == ([], 0)
        await two.tables.replication.ensure_version(table, 0, at_least=1)
        assert (asked, table.version(0)) == ([1], 1)
        await two.tables.replication.ensure_version(table, 0, at_least=None)
        assert asked == [1, 1]
        await two.tables.replication.ensure_version(table, 1, at_least=1_000_000)  # nobody has been told of it
        assert (asked, table.version(1)) == ([1, 1, 1], 0)

    run(test)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_of_a_table_that_went_on_elsewhere_only_the_new_records_are_read(
    run: Callable[[Test], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        table = await two.table(table_id)
        two.pubsub.close()
        monkeypatch.setattr(two.tables.loader, "read", None)
        await act(one, table_id, anna, 0)
        await act(one, table_id, boris, 1)
        await asyncio.gather(*(two.tables.replication.ensure_version(table, side, None) for side in (0, 1)))
        assert (len(table.records), table.version(0)) == (2, (await one.table(table_id)).version(0))

    run(test)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_who_asks_while_a_question_is_under_way_is_answered_together_with_others(
    run: Callable[[Test], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    async def test(one: Worker, two: Worker) -> None:
        tables = [await two.table((await seated(one, two))[0]) for _ in range(3)]
        count_tables_asked_for(asked, monkeypatch)
        await asyncio.gather(
            *(two.tables.replication.ensure_version(tables[number % 3], 0, None) for number in range(9))
        )
        assert sum(asked) <= 6

    run(test)


def test_a_home_goes_to_another_when_its_process_has_died(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        assert await one.leases.claim(table_id)
        assert not await two.leases.claim(table_id)
        await one.tasks.close()  # it gives no sign of life any more
        lease = processes.c.name == one.name
        with one.tables.loader._engine.begin() as connection:
            long_ago = processes.c.expires_at - leases.LEASE_SECONDS
            connection.execute(update(processes).where(lease).values(expires_at=long_ago))
        assert await two.leases.claim(table_id)
        await one.leases.renew()  # it had only been stopped, and goes on
        assert not one.leases.holds(table_id)
        assert not await one.leases.claim(table_id)
        assert two.leases.holds(table_id)
        await act(one, table_id, anna, 0)
        await act(two, table_id, boris, 1)

    run(test)


def test_who_gives_up_his_homes_leaves_them_to_others_at_once(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, _, _ = await seated(one, two)
        assert await one.leases.claim(table_id)
        await one.tasks.close()
        await one.leases.leave()
        assert await two.leases.claim(table_id)

    run(test)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServerProcess]:
    server = ServerProcess(two_workers(tmp_path), tmp_path / "log")
    server.wait_until_it_answers()
    yield server
    assert server.stop() == 0
    assert "Traceback" not in (tmp_path / "log").read_text()


def two_workers(folder: Path) -> list[str]:
    database = f"sqlite:///{folder / 'table.sqlite3'}"
    return ["-m", "brinkmanship", "serve", "--workers", "2", "--database", database]


@pytest.mark.process
def test_a_game_goes_on_over_two_processes_and_the_death_of_one(served: ServerProcess) -> None:
    def ask(path: str, token: str = "", body: object = None) -> Any:
        answers: list[Any] = []

        def is_answered() -> bool:
            try:
                answers.append(served.ask(path, token, body))
            except HTTPError as error:
                answers.append(error.code)
            except OSError:  # the connection was to the worker that has just died
                return False
            return True

        wait_until(is_answered)
        return answers[0]

    tokens = [ask("/tokens", body={"name": name})["token"] for name in ("Anna", "Boris")]

    def begin() -> Any:
        made = ask("/tables", tokens[0], {"game": "13-days", "seats": ["me", "friend"]})
        ask(f"/tables/{made['id']}/join", tokens[1], {"invitation": made["invitations"]["ussr"]})
        return made

    made = begin()
    for turn in range(25):
        if turn == 11:
            os.kill(min(served.workers()), signal.SIGKILL)
        views = [ask(f"/tables/{made['id']}", token) for token in tokens]
        assert views[0]["state"]["influence"] == views[1]["state"]["influence"]
        if views[0]["status"] == "over":  # the server deals by chance, so any game may end early by a war
            made = begin()
            continue
        side = next(side for side, view in enumerate(views) if view["legal"])
        body = {"side": views[side]["as_side"], "version": views[side]["version"], "action": views[side]["legal"][0]}
        answer = ask(f"/tables/{made['id']}/actions", tokens[side], body)
        assert answer == 409 or answer["id"] == made["id"]  # 409: stored by one that died before it could say so


@pytest.mark.process
def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    server = ServerProcess(two_workers(tmp_path))
    server.wait_until_it_answers()
    server.kill()
    wait_until(lambda: not server.answers())
