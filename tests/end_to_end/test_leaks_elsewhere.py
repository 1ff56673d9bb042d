"""Hidden information outside a running table: deals of the day, records in progress, and pages for sharing.

In two worlds that differ only in what a visitor may not know, every answer is the same, byte for byte. Each protection
is also broken on purpose, to see that the comparison notices it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from concurrent.futures import Future
from datetime import date
from typing import Any

import pytest
from sqlalchemy import delete, update
from starlette.testclient import TestClient

from brinkmanship.engine import commit_reveal
from brinkmanship.store import daily, open_records, schema
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.jobs import background
from brinkmanship.web.jobs.process_pool import JobFailedError
from brinkmanship.web.pages import routes
from brinkmanship.web.pages.study import oembed, replay, sharing
from brinkmanship.web.support import time_control
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import ACTION, RESIGN
from support import finished_games
from support.program import Program
from support.visitors import Visitor, live

pytestmark = pytest.mark.slow

GAME = "13-days"
Answer = tuple[int, bytes]
Break = Callable[[pytest.MonkeyPatch], None]
pytestmark = pytest.mark.usefixtures("one_day")

TABLE_PAGES = (
    *("", "/state", "/log", "/journal", "/heartbeat", "/chat", "/replay", "/replay/3", "/replay/3?as=open"),
    *("/finished", "/analysis", "/analysis.html", "/analysis/progress", "/annotated.md", "/annotated.md?lang=de"),
    *("/embed", "/replay.webp", "/replay.png?side=open", "/animation/progress?format=webp", "/picture.svg"),
    *("/picture.png", "/watch", "/watch/now", "/overlay", "/branches/3", "/play-on/3", "/discards"),
)
"""Pages of a table that show something of its game, or would if they were not refused."""
SITE = (
    "/",
    "/lobby",
    "/daily",
    "/ratings",
    "/statistics",
    "/library",
    "/tournaments",
    "/analyses",
    "/branches",
    "/record",
)
"""Pages that could mention other people's games."""


def asked(visitor: Visitor, paths: list[str]) -> dict[str, Answer]:
    found = {path: visitor.ask("GET", path) for path in paths}
    return {path: (answer.status_code, answer.content) for path, answer in found.items()}


def changed(before: dict[str, Answer], after: dict[str, Answer]) -> list[str]:
    """Return the addresses with another answer."""
    return [path for path, answer in before.items() if after[path] != answer]


# ---- Deals of the day.


class Day:
    """Anna has finished the deal of the day, Boris has begun it, and Clara has not."""

    def __init__(self, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
        app: Any = client.app
        self.client, self.services = client, app.state.services
        now = time_control.now()
        monkeypatch.setattr(time_control, "now", lambda: now)
        monkeypatch.setattr(self.services.bot_moves, "play", lambda _: None)
        self.anna, self.boris, self.clara = (Visitor(client) for _ in range(3))
        self.table, self.other = self._begin(self.anna), self._begin(self.boris)
        self.reader = Program(client, "Reader")
        self.clara.begin("same")
        self.mine = next(seat for seat in self.table.seats if seat.person_id)
        self._play(0, 8)
        self.record(self.table, RESIGN, 1 - self.mine.side)
        self.tick()
        self._write(1, 0.9)

    def _begin(self, visitor: Visitor) -> LiveTable:
        answer = visitor.post(f"/daily/{GAME}", **({"csrf": visitor.csrf} if "session" in visitor.cookies else {}))
        return live(self.client, str(answer.headers["location"]))

    def record(self, table: LiveTable, kind: str, side: int, value: int = 0) -> None:
        assert self.client.portal is not None
        self.client.portal.call(
            self.services.event_log.do, table, lambda: TableRecord(kind, side, value, time_control.now())
        )

    def tick(self) -> None:
        assert self.client.portal is not None
        self.client.portal.call(self.services.daily.tick)

    def _play(self, choice: int, count: int) -> None:
        for _ in range(count):
            side = self.table.to_move[0]
            legal = self.table.match.legal(side)
            self.record(self.table, ACTION, side, legal[choice % len(legal)].action)

    def _write(self, score: int, luck: float) -> None:
        rows = schema.daily_games
        with self.services.engine.begin() as connection:
            mine = rows.c.table_id == self.table.id
            connection.execute(update(rows).where(mine).values(score=score, luck_adjusted=luck))

    def happened_otherwise(self) -> None:
        """Let Anna's game be another one, with another result."""
        match, choose, key = self.table.match.until(0), random.Random(9), self.table.state.chance_key
        assert key is not None
        commit_reveal.advance(match, key)
        for _ in range(12):
            side = min(match.pending)
            match.push(choose.choice(match.legal(side)).action, side=side)
            commit_reveal.advance(match, key)
        self.table.state.match = match
        self.table.state.result = "ussr by war"
        self._write(-1, 0.1)

    def paths(self) -> list[str]:
        at, today = f"/t/{self.table.id}", date.fromordinal(self.services.daily.today()).isoformat()
        pages = [f"{at}{page}" for page in TABLE_PAGES]
        own = [f"/daily/{GAME}/{today}", f"/people/{self.mine.person_id}", f"/people/{self.mine.person_id}/games"]
        return [*pages, *SITE, *own, f"/oembed?url=http://testserver{at}", f"/verify?table={self.table.id}"]

    def told(self, visitor: Visitor) -> dict[str, Answer]:
        api = [f"/tables/{self.table.id}{part}" for part in ("", "/journal", "/reasons", "/analysis")]
        headers = {"Authorization": f"Bearer {self.reader.token}"}
        found = {path: self.client.get(f"/api/v1{path}", headers=headers) for path in ("/daily", *api)}
        return asked(visitor, self.paths()) | {path: (each.status_code, each.content) for path, each in found.items()}

    def leaks(self, visitor: Visitor) -> list[str]:
        """Return the addresses whose answers depend on Anna's game."""
        before = self.told(visitor)
        self.happened_otherwise()
        return changed(before, self.told(visitor))


@pytest.fixture
def day(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> Day:
    return Day(client, monkeypatch)


@pytest.mark.parametrize("who", ["boris", "clara"])
def test_no_byte_depends_on_a_daily_game_for_those_who_have_not_finished_theirs(day: Day, who: str) -> None:
    assert day.leaks(getattr(day, who)) == []


def test_those_who_have_finished_see_the_result_and_nothing_of_the_game(day: Day) -> None:
    user = next(seat.side for seat in day.other.seats if seat.person_id)
    day.record(day.other, RESIGN, user)
    day.tick()
    (today,) = (path for path in day.paths() if path.startswith(f"/daily/{GAME}"))
    assert day.leaks(day.boris) == [today]


def shows_results_early(day: Day, monkeypatch: pytest.MonkeyPatch) -> None:
    real, anna = daily.own_games, day.mine.person_id
    monkeypatch.setattr(daily, "own_games", lambda engine, _, days: real(engine, anna, days))


def opens_tables_early(_: Day, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveTable, "is_open_to", lambda *_: True)


def reveals_after_the_end(day: Day, _: pytest.MonkeyPatch) -> None:
    day.table.sealed = False


@pytest.mark.parametrize(
    ("broken", "caught"),
    [
        (shows_results_early, "/daily/"),
        (opens_tables_early, "/journal"),
        (reveals_after_the_end, "/annotated.md"),
    ],
)
def test_a_server_that_opened_a_daily_game_early_would_be_caught(
    day: Day, monkeypatch: pytest.MonkeyPatch, broken: Callable[[Day, pytest.MonkeyPatch], None], caught: str
) -> None:
    broken(day, monkeypatch)
    assert any(caught in path for path in day.leaks(day.boris))


# ---- Records in progress.


def begun_record(anna: Visitor) -> str:
    """A record with one step."""
    begun = anna.post("/record/new/13-days", csrf=anna.csrf, name_0="Anna", name_1="Boris")
    record = str(begun.headers["location"])
    outcome = re.findall(r'name="outcome" value="(\d+)"', anna.get(record))[0]
    assert anna.post(f"{record}/at/0", csrf=anna.csrf, changes=0, outcome=outcome).status_code == 303
    return record


def told_of_record(visitor: Visitor, record: str) -> dict[str, Answer]:
    """Return all answers about a record, of pages and of forms."""
    found = asked(visitor, [*SITE, f"/oembed?url=http://testserver{record}", f"/u/{record.rpartition('/')[2]}"])
    values = {"record_id": record.rpartition("/")[2], "n": "0", "kind": "card", "card_id": "u_thant"}
    for route in routes:
        if "{record_id}" not in route.path:
            continue
        path = re.sub(r"{(\w+)(:\w+)?}", lambda name: values[name[1]], route.path)
        (method,) = route.methods
        sent = None if method == "GET" else {"csrf": visitor.csrf, "changes": "1", "step": "0", "action": "0"}
        answer = visitor.ask(method, f"{path}?action=0" if path.endswith("/preview") else path, sent)
        found[f"{method} {path}"] = (answer.status_code, answer.content)
    return found


def leaks_of_record(anna: Visitor, visitor: Visitor) -> list[str]:
    """Return the addresses whose answers depend on whether a record exists."""
    record = begun_record(anna)
    before = told_of_record(visitor, record)
    assert len(before) > len(SITE) + 10
    app: Any = anna.client.app
    with app.state.services.engine.begin() as connection:
        connection.execute(delete(schema.open_records))
    return changed(before, told_of_record(visitor, record))


def test_no_byte_tells_others_of_a_record_in_progress(anna: Visitor, boris: Visitor) -> None:
    boris.begin("same")
    assert leaks_of_record(anna, boris) == []


def test_a_server_that_showed_records_to_everyone_would_be_caught(
    anna: Visitor, boris: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    boris.begin("same")
    anna.begin("same")
    users = anna.client.app.state.services.users  # type: ignore[attr-defined]
    owner, real = users.by_token(anna.cookies["session"]).id, open_records.record_of
    monkeypatch.setattr(open_records, "record_of", lambda engine, record, _: real(engine, record, owner))
    caught = leaks_of_record(anna, boris)
    assert any(path.endswith("/journal") for path in caught)
    assert any(path.endswith("/at/0") for path in caught)


# ---- Pages for sharing.


SHARED = (
    *("/embed", "/replay.webp", "/replay.png?side=open", "/animation/progress?format=webp", "/annotated.md"),
    *("/annotated.md?lang=de", "/branches/3", "/play-on/3", "/analysis.html", "/replay/3?as=open"),
)
"""Pages that show a game with all cards open, and so only finished ones."""


def shared_anyway(table: LiveTable, visitor: Visitor) -> list[str]:
    """Return the pages for sharing that are not refused for a running game."""
    paths = [*(f"/t/{table.id}{page}" for page in SHARED), f"/oembed?url=http://testserver/t/{table.id}"]
    paths.append(f"/oembed?url=http://testserver/t/{table.id}/replay/3?as=open")
    found = [path for path in paths if visitor.ask("GET", path).status_code < 400]
    drawn = visitor.post(f"/t/{table.id}/animation", format="webp", csrf=visitor.csrf)
    return found + ["POST animation"] * (drawn.status_code < 400)


class NeverDrawn:
    """Takes requests for animations, and draws none."""

    def submit(self, *_: object) -> Future[bytes]:
        failed: Future[bytes] = Future()
        failed.set_exception(JobFailedError("not drawn"))
        return failed


@pytest.fixture
def running(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> tuple[LiveTable, Visitor]:
    """A game in progress, and one of its players."""
    monkeypatch.setattr(background, "background_pool", NeverDrawn)
    table, headers = finished_games.two(client)
    finished_games.play_on(table, 5, 12)
    anna = Visitor(client)
    anna.cookies["session"] = re.findall(r"session=([^;]+)", headers[0]["cookie"])[0]
    return table, anna


def test_a_running_game_is_shared_with_nobody(running: tuple[LiveTable, Visitor], boris: Visitor) -> None:
    table, anna = running
    for visitor in (anna, boris):
        assert shared_anyway(table, visitor) == []


def everyone_sees_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "_viewers", lambda table, _: ["open", *table.game.sides, "public"])


def runs_as_if_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (sharing, oembed):
        monkeypatch.setattr(module, "check_finished", lambda access: access)


def results_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    everyone_sees_all(monkeypatch)
    real = replay.replay_source_at

    async def source(*given: Any) -> Any:
        found = await real(*given)
        found.result = "us by war"
        return found

    monkeypatch.setattr(replay, "replay_source_at", source)


@pytest.mark.parametrize(
    ("broken", "caught"),
    [
        (everyone_sees_all, {"/replay/3?as=open"}),
        (runs_as_if_finished, {"/embed", "/oembed?"}),
        (results_are_known, {"/annotated.md", "/embed", "POST animation"}),
    ],
)
def test_a_server_that_shared_a_running_game_would_be_caught(
    running: tuple[LiveTable, Visitor], monkeypatch: pytest.MonkeyPatch, broken: Break, caught: set[str]
) -> None:
    table, anna = running
    broken(monkeypatch)
    found = shared_anyway(table, anna)
    assert all(any(part in path for path in found) for part in caught)
