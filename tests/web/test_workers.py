"""Several worker processes serve the same tables: whatever one has acknowledged, the others know."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Engine

from brinkmanship.store.database import open_database
from brinkmanship.store.writer import Writer
from brinkmanship.web.channel import Channel, Notice
from brinkmanship.web.clock import LIVE, Clock
from brinkmanship.web.errors import ForbiddenError, IllegalError, StaleError
from brinkmanship.web.people import PeopleService
from brinkmanship.web.service import Plan, TableService
from brinkmanship.web.table import FINISHED, RUNNING, Listener, LiveTable
from web.databases import KINDS, fresh_database

INVITED = Plan("13-days", ["me", "friend"])


class Worker:
    """One of several workers, all in this process."""

    def __init__(self, engine: Engine, folder: Path, name: str) -> None:
        self.writer = Writer(engine)
        self.channel = Channel(folder, name)
        self.people = PeopleService(engine, lambda person: self.channel.tell(Notice(person=person)))
        self.tables = TableService(engine, self.writer, self.channel, self.people.forget)

    def close(self) -> None:
        self.channel.close()
        self.writer.close()


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
            for worker in workers:
                worker.channel.listen(worker.tables.hear)
            try:
                await test(*workers)
            finally:
                for worker in workers:
                    worker.close()

        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, with_workers()).result()
        engine.dispose()

    return run_with_two_workers


async def seated(one: Worker, two: Worker) -> tuple[str, str, str]:
    """A table set at one worker and joined at the other: its id and the two people's."""
    anna, _ = one.people.add_guest("Anna", "en")
    boris, _ = two.people.add_guest("Boris", "ru")
    table, links = await one.tables.create(INVITED, anna.id, "Anna")
    await two.tables.join(table.id, boris.id, "Boris", links[1])
    return table.id, anna.id, boris.id


async def act(worker: Worker, table_id: str, person: str, side: int) -> None:
    table = await worker.tables.table(table_id)
    action = worker.tables.decisions(table, side)[0].action
    await worker.tables.act(table_id, person, side, table.version(side), action)


def test_each_worker_knows_what_the_other_acknowledged(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        for turn in range(60):
            worker, other = (one, two) if turn % 3 else (two, one)
            table = await worker.tables.table(table_id)
            if table.status != RUNNING:
                break
            side = table.asked[turn % len(table.asked)]
            await act(worker, table_id, (anna, boris)[side], side)
            mine, theirs = await worker.tables.table(table_id), await other.tables.table(table_id)
            assert mine is not theirs
            assert mine.match.state.tobytes() == theirs.match.state.tobytes()
            assert mine.match.entries == theirs.match.entries

    run(test)


def test_both_secret_choices_may_come_at_once_at_two_workers(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        await two.tables.table(table_id)
        await asyncio.gather(act(one, table_id, anna, 0), act(two, table_id, boris, 1))
        mine, theirs = await one.tables.table(table_id), await two.tables.table(table_id)
        assert len(mine.records) == len(theirs.records) == 2
        assert mine.match.state.tobytes() == theirs.match.state.tobytes()

    run(test)


def test_of_two_actions_at_one_version_one_is_stale(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, _ = await seated(one, two)
        table = await two.tables.table(table_id)
        version, action = table.version(0), two.tables.decisions(table, 0)[0].action
        answers = await asyncio.gather(
            *(worker.tables.act(table_id, anna, 0, version, action) for worker in (one, two)), return_exceptions=True
        )
        assert sorted((type(answer) for answer in answers), key=str, reverse=True) == [LiveTable, StaleError]

    run(test)


def test_a_seat_is_taken_once(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        anna, boris, clara = (one.people.add_guest(name, "en")[0].id for name in ("Anna", "Boris", "Clara"))
        table, _ = await one.tables.create(Plan("13-days", ["me", "open"]), anna, "Anna")
        await two.tables.table(table.id)
        answers = await asyncio.gather(
            one.tables.join(table.id, boris, "Boris"),
            two.tables.join(table.id, clara, "Clara"),
            return_exceptions=True,
        )
        assert sum(isinstance(answer, ForbiddenError) for answer in answers) == 1
        mine, theirs = await one.tables.table(table.id), await two.tables.table(table.id)
        assert mine.seats == theirs.seats
        assert mine.status == theirs.status == RUNNING

    run(test)


def test_who_listens_at_another_worker_is_told(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        table = await two.tables.table(table_id)
        listener = Listener(1)
        listener.told = table.version(1)
        table.listeners.add(listener)
        await act(one, table_id, anna, 0)
        await asyncio.sleep(0.05)
        assert not listener.event.is_set()  # a secret choice is no news for the other side
        await one.tables.say(table_id, "Anna", 0, "hello")
        await asyncio.wait_for(listener.event.wait(), 5)
        await act(one, table_id, boris, 1)
        assert (await two.tables.table(table_id)).version(1) > listener.told

    run(test)


def test_undo_offers_and_resignation_reach_the_other_worker(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        await act(one, table_id, anna, 0)
        table = await two.tables.table(table_id)
        await two.tables.undo(table_id, anna, 0, table.version(0), False)
        assert (await one.tables.table(table_id)).match.pending == {0, 1}
        await one.tables.offer_void(table_id, anna, 0)
        with pytest.raises(IllegalError, match="already an offer"):
            await two.tables.offer_void(table_id, boris, 1)
        await two.tables.resign(table_id, boris, 1)
        assert (await one.tables.table(table_id)).result == "us by resignation"

    run(test)


def test_the_computer_answers_at_the_home_of_its_table(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        anna, _ = one.people.add_guest("Anna", "en")
        homes = set()
        for _ in range(12):
            table, _ = await one.tables.create(Plan("13-days", ["me", "computer:random"]), anna.id, "Anna")
            homes.add(one.channel.is_home(table.id))
            assert one.channel.is_home(table.id) != two.channel.is_home(table.id)
            await act(one, table.id, anna.id, 0)
            for _ in range(500):
                if (await one.tables.table(table.id)).match.entries[-1].actor != 0:
                    break
                await asyncio.sleep(0.01)
            assert len((await two.tables.table(table.id)).records) >= 2
        assert homes == {True, False}

    run(test)


def test_time_runs_out_whoever_set_the_table(run: Callable[[Test], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brinkmanship.web.service.CLOCK_SECONDS", 0.02)
    minutes_later = [0]
    monkeypatch.setattr("brinkmanship.web.service.time.time", lambda: time.monotonic() + 60 * minutes_later[0])

    async def test(one: Worker, two: Worker) -> None:
        watching = [asyncio.create_task(worker.tables.watch_clocks()) for worker in (one, two)]
        anna, _ = one.people.add_guest("Anna", "en")
        for _ in range(4):
            plan = Plan("13-days", ["me", "me"], clock=Clock(LIVE, 60))
            table, _ = await one.tables.create(plan, anna.id, "Anna")
            for side in (0, 1):
                await act(one, table.id, anna.id, side)
            minutes_later[0] += 2
            for _ in range(500):
                if (await one.tables.table(table.id)).status == FINISHED:
                    break
                await asyncio.sleep(0.01)
            assert (await two.tables.table(table.id)).result.endswith("by time")
        for task in watching:
            task.cancel()

    run(test)


def test_a_new_name_is_known_everywhere(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        anna, token = one.people.add_guest("Anna", "en")
        assert two.people.by_token(token) == anna
        one.people.rename(anna, "Anne")
        two.tables.hear()
        found = two.people.by_token(token)
        assert found is not None
        assert found.name == "Anne"
        one.people.close_session(token)
        two.tables.hear()
        assert two.people.by_token(token) is None

    run(test)


def test_a_worker_that_died_does_not_stop_the_others(run: Callable[[Test], None]) -> None:
    async def test(one: Worker, two: Worker) -> None:
        table_id, anna, boris = await seated(one, two)
        two.channel._door.close()  # type: ignore[union-attr]  # as a killed process leaves it
        two.channel._door = None
        await act(one, table_id, anna, 0)
        await act(one, table_id, boris, 1)
        assert one.channel.workers == ["one"]
        assert one.channel.is_home(table_id)

    run(test)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "brinkmanship", "serve", "--workers", "2", "--port", str(port)]
    command += ["--database", f"sqlite:///{tmp_path / 'table.sqlite3'}"]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
        try:
            yield _answering(f"http://127.0.0.1:{port}", process)
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
    assert "Traceback" not in (tmp_path / "log").read_text()


def _answering(url: str, process: subprocess.Popen[bytes]) -> str:
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        try:
            httpx.get(f"{url}/health")
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return url
    raise TimeoutError("the server does not answer")


def test_a_game_goes_on_over_two_processes_and_the_death_of_one(served: str) -> None:
    def ask(method: str, path: str, token: str = "", **json: object) -> httpx.Response:
        # A connection of its own, so that any worker may answer.
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with httpx.Client(base_url=f"{served}/api/v1", headers=headers) as client:
            for attempt in range(20):
                try:
                    return client.request(method, path, json=json or None)
                except httpx.TransportError:  # the connection was to the worker that has just died
                    time.sleep(0.2 * attempt)
        raise TimeoutError

    tokens = [ask("POST", "/tokens", name=name).json()["token"] for name in ("Anna", "Boris")]
    made = ask("POST", "/tables", tokens[0], game="13-days", seats=["me", "friend"]).json()
    assert ask("POST", f"/tables/{made['id']}/join", tokens[1], invitation=made["invitations"]["ussr"]).is_success
    for turn in range(25):
        views = [ask("GET", f"/tables/{made['id']}", token).json() for token in tokens]
        assert views[0]["state"]["influence"] == views[1]["state"]["influence"]
        side = next(side for side, view in enumerate(views) if view["legal"])
        body = {"side": views[side]["as_side"], "version": views[side]["version"], "action": views[side]["legal"][0]}
        answer = ask("POST", f"/tables/{made['id']}/actions", tokens[side], **body)
        assert answer.status_code in (200, 409)  # 409: stored by the worker that died before it could say so
        if turn == 10:
            _kill_one_worker(served)


def _kill_one_worker(url: str) -> None:
    port = re.sub(".*:", "", url)
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            arguments = (folder / "cmdline").read_bytes()
            children = (folder / "task" / folder.name / "children").read_text().split()
        except OSError:
            continue
        if f"--port\0{port}".encode() in arguments:
            workers = [child for child in children if b"spawn_main" in (Path("/proc") / child / "cmdline").read_bytes()]
            os.kill(int(workers[0]), signal.SIGKILL)
            return
    raise LookupError("no server found")
