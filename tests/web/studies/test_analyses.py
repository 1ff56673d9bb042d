"""Analyses of finished games: asked for once, worked out once, kept, taken over, shown to whoever has the address."""

from __future__ import annotations

import asyncio
import json
import re
import zlib
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

import pytest
from sqlalchemy import func, select, update
from starlette.testclient import TestClient

from brinkmanship.analysis.pipeline import analyse
from brinkmanship.analysis.report import Analysis
from brinkmanship.store import schema
from brinkmanship.store.background_jobs import JobStore
from brinkmanship.text import LANGUAGES
from brinkmanship.web.jobs import analysis_job, background
from brinkmanship.web.jobs.process_pool import ANALYSIS, JobFailedError
from brinkmanship.web.studies.analyses import Analyses
from brinkmanship.web.support.errors import TooManyError
from brinkmanship.web.support.progress import Progress
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import FINISHED
from support.bare_services import UNLIMITED, bare_services
from support.browsing import Person, Visit, picture
from support.house import House, run
from support.serving import Server
from support.visitors import Visitor, invited, live

PLAYOUTS = 8


class Here:
    """Analyses games in this process, in place of the one beside it."""

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.asked = 0
        self.told: list[Progress] = []
        self.waits: Future[bytes] | None = None
        """What is answered, as soon as that is known."""
        self.tell: Callable[[bytes], None] = lambda _: None

    def submit(self, kind: str, question: Callable[[], bytes], tell: Callable[[bytes], None]) -> Future[bytes]:
        assert kind == ANALYSIS
        self.asked += 1
        answer = Future[bytes]()

        def told(so_far: bytes) -> None:
            self.told.append(Progress.from_bytes(so_far))
            tell(so_far)

        if self.waits is not None:
            self.tell = told
            return self.waits
        if self.fault is None:
            answer.set_result(analysis_job.run(question(), told))
        else:
            answer.set_exception(self.fault)
        return answer


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Here:
    made = Here()
    monkeypatch.setattr(background, "background_pool", lambda: made)
    monkeypatch.setattr(background, "is_interpreting", lambda: False)
    monkeypatch.setattr("brinkmanship.web.support.progress.TELL_SECONDS", 0.0)
    return made


async def given_up(house: House) -> tuple[LiveTable, Analyses]:
    """A table at which the US has given up."""
    table = await house.table("13-minutes")
    await house.services.actions.resign(table.id, house.anna.id, 0)
    house.services.analyses.playouts = PLAYOUTS
    return table, house.services.analyses


async def under_way(house: House, here: Here) -> tuple[LiveTable, Analyses, Future[bytes]]:
    """A table whose analysis has begun, and what it waits for."""
    table, service = await given_up(house)
    here.waits = waits = Future[bytes]()
    await service.begin(*service.of_table(table))
    while not here.asked:
        await asyncio.sleep(0.01)
    return table, service, waits


async def until_done(service: Analyses, table: LiveTable) -> background.State[Analysis]:
    while (state := await service.state(*service.of_table(table))).status == "at_work":
        await asyncio.sleep(0.01)
    return state


def test_a_game_is_analysed_once_and_the_analysis_is_kept(database: str, here: Here) -> None:
    async def test(house: House) -> None:
        table, service = await given_up(house)
        of = service.of_table(table)
        assert (await service.state(*of)).status == "none"
        await service.begin(*of)
        await service.begin(*of)
        found = await until_done(service, table)
        assert found.report == analyse(table.match, 0, PLAYOUTS, table.result)
        shares = [each.share for each in here.told]
        assert shares == sorted(shares)
        assert here.told[-1].curve[-1] == (len(table.match.entries), found.report.final)
        # Another process finds it, and nobody works it out again.
        other = bare_services(house.engine, house.writer, replace(UNLIMITED, analysis_playouts=PLAYOUTS)).analyses
        await other.begin(*of)
        assert (await other.state(*of)).report == found.report
        assert here.asked == 1

    run(database, test)


def test_who_has_died_over_an_analysis_leaves_it_to_the_next_one(database: str, here: Here) -> None:
    async def test(house: House) -> None:
        table, service = await given_up(house)
        subject, _ = of = service.of_table(table)
        kept = JobStore(house.engine, schema.analyses)
        assert kept.take(subject.about, **subject.columns)  # by a process that says no more
        await service.begin(*of)
        assert (await service.state(*of)).status == "at_work"
        assert here.asked == 0
        with house.engine.begin() as connection:
            connection.execute(update(schema.analyses).values(heard_at=schema.analyses.c.heard_at - 60))
        assert (await until_done(service, table)).report is not None
        assert here.asked == 1

    run(database, test)


def test_while_it_is_under_way_the_database_says_how_far(database: str, here: Here) -> None:
    async def test(house: House) -> None:
        table, service, waits = await under_way(house, here)
        subject, _ = of = service.of_table(table)
        here.tell(Progress(0.25, 30.0, ((0, 0.5), (1, 0.4))).to_bytes())
        with house.engine.begin() as connection:
            connection.execute(update(schema.analyses).values(heard_at=1.0))
        await service.beat()
        kept = JobStore(house.engine, schema.analyses).kept(subject.about)
        assert kept is not None
        assert kept.is_at_work
        assert (await service.state(*of)).progress == Progress(0.25, 30.0, ((0, 0.5), (1, 0.4)))
        waits.set_exception(JobFailedError("stopped"))
        assert (await until_done(service, table)).status == "failed"

    run(database, test)


def test_a_failure_is_said_when_the_analysis_may_be_asked_for_again(database: str, here: Here) -> None:
    async def test(house: House) -> None:
        table, service, waits = await under_way(house, here)
        subject, _ = of = service.of_table(table)
        kept = JobStore(house.engine, schema.analyses)
        await house.writer.write(kept.giving_up(subject.about, "no idea"))  # the task that asked has not ended yet
        assert (await service.state(*of)).status == "at_work"
        waits.set_exception(JobFailedError("no idea"))
        assert (await until_done(service, table)).status == "failed"

    run(database, test)


def test_an_analysis_that_fails_says_so_and_may_be_asked_for_again(database: str, here: Here) -> None:
    async def test(house: House) -> None:
        table, service = await given_up(house)
        here.fault = JobFailedError("no idea")
        await service.begin(*service.of_table(table))
        state = await until_done(service, table)
        assert (state.status, state.fault) == ("failed", "no idea")
        here.fault = None
        await service.begin(*service.of_table(table))
        assert (await until_done(service, table)).status == "done"

    run(database, test)


def test_nobody_may_ask_for_too_many(database: str, here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        tables = [(await given_up(house))[0] for _ in range(3)]
        service = house.services.analyses
        monkeypatch.setattr(background, "MAX_AT_ONCE", 1)
        here.waits = Future()
        await service.begin(*service.of_table(tables[0]))
        with pytest.raises(TooManyError):
            await service.begin(*service.of_table(tables[1]))
        assert (await service.state(*service.of_table(tables[1]))).status == "none"
        here.waits.set_exception(JobFailedError("stopped"))
        await until_done(service, tables[0])

    run(database, test)


@pytest.fixture
def over(client: TestClient, here: Here) -> str:  # noqa: ARG001 - it stands in for the process beside
    """The address of a finished table, where Anna has given up."""
    anna, boris = Visitor(client), Visitor(client)
    table = invited(anna, boris, "13-minutes")
    assert anna.post(f"{table}/resign", side=0, sure="true", csrf=anna.csrf).status_code < 400
    assert live(client, table).status == FINISHED
    client.app.state.services.analyses.playouts = PLAYOUTS  # type: ignore[attr-defined]
    return table


def waited_for(visitor: Visitor, table: str) -> str:
    """The page of the analysis, when it is there."""
    while 'data-stage="at_work"' in visitor.get(f"{table}/analysis/progress"):
        pass
    return visitor.get(f"{table}/analysis")


def test_a_stranger_has_a_finished_game_analysed_and_looks_at_it_in_every_language(
    client: TestClient, over: str, here: Here
) -> None:
    stranger = Visitor(client)
    assert f'href="{over}/analysis"' in stranger.get(f"{over}/finished")
    assert f'href="{over}/analysis"' in stranger.get(f"{over}/replay/0")
    assert f'href="{over}/analysis"' in stranger.get(over)
    assert f'action="{over}/analysis"' in stranger.get(f"{over}/analysis")
    answer = stranger.post(f"{over}/analysis")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{over}/analysis")
    page = waited_for(stranger, over)
    assert "class=headline" in page
    assert 'class="brand" href="/"' in page
    assert not re.search(r" style=|<style|<script(?![^>]*src=)", page)
    assert f'href="{over}/analysis?as=ussr"' in page  # it is the page of who has lost
    assert f'href="{over}/analysis?as=us"' in stranger.get(f"{over}/analysis?as=ussr")
    saved = stranger.ask("GET", f"{over}/analysis.html?as=us")
    assert saved.headers["content-disposition"].startswith("attachment")
    assert over not in saved.text
    assert re.search(r"script-src 'sha256-[\w+/=]+'", saved.headers["content-security-policy"])
    titles = set()
    for language in LANGUAGES:
        stranger.cookies["language"] = language
        titles.add(re.search(r"<title>(.*?)</title>", stranger.get(f"{over}/analysis")).group(1))  # type: ignore[union-attr]
    assert len(titles) >= 3  # German and English call it alike
    assert here.asked == 1
    assert stranger.ask("GET", f"{over}/analysis?as=china").status_code == 404


def test_a_running_game_is_not_analysed(client: TestClient, here: Here) -> None:
    anna, boris = Visitor(client), Visitor(client)
    table = invited(anna, boris)
    client.app.state.services.analyses.playouts = PLAYOUTS  # type: ignore[attr-defined]
    assert anna.ask("GET", f"{table}/analysis").headers["location"] == table
    assert anna.post(f"{table}/analysis").status_code == 422
    assert anna.ask("GET", f"{table}/analysis.html").status_code in (404, 422)
    assert f"{table}/analysis" not in anna.get(table)
    assert here.asked == 0


def test_where_there_are_no_analyses_none_is_offered(client: TestClient, over: str) -> None:
    client.app.state.services.analyses.playouts = 0  # type: ignore[attr-defined]
    stranger = Visitor(client)
    assert f"{over}/analysis" not in stranger.get(f"{over}/finished")
    assert "<form" not in stranger.get(f"{over}/analysis/progress")
    assert stranger.post(f"{over}/analysis").status_code == 422


def test_a_journal_that_was_uploaded_is_analysed(client: TestClient, over: str) -> None:
    stranger = Visitor(client)
    written = stranger.ask("GET", f"{over}/journal").content
    upload = stranger.send("/replay/upload", {"file": ("a.brink", written)}).headers["location"]
    assert f'href="{upload}/analysis"' in stranger.get(upload)
    assert stranger.post(f"{upload}/analysis").status_code == 303
    assert "class=headline" in waited_for(stranger, upload)
    with client.app.state.services.engine.begin() as connection:  # type: ignore[attr-defined]
        connection.execute(schema.uploads.delete())
        assert connection.execute(select(func.count()).select_from(schema.analyses)).scalar_one() == 0


def test_programs_ask_for_an_analysis_too(client: TestClient, over: str) -> None:
    token = client.post("/api/v1/tokens", json={"name": "Bot"}).json()["token"]
    headers, path = {"Authorization": f"Bearer {token}"}, f"/api/v1/tables{over[2:]}/analysis"
    assert client.get(path, headers=headers).json()["status"] == "none"
    assert client.post(path, headers=headers).status_code == 202
    while (state := client.get(path, headers=headers).json())["status"] == "at_work":
        assert 0 <= state["share"] <= 1
    assert state["status"] == "done"
    assert Analysis.from_json(json.dumps(state["analysis"])).result == live(client, over).result


def test_ones_own_analysed_games_are_put_together(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    table = live(client, invited(anna, boris))
    assert "None of your games" in anna.get("/analyses")
    anna.post(f"/t/{table.id}/resign", side=0, sure="true", csrf=anna.csrf)
    subject, _ = client.app.state.services.analyses.of_table(table)  # type: ignore[attr-defined]
    report = analyse(table.match, playouts=PLAYOUTS, result=table.result)
    with client.app.state.services.engine.begin() as connection:  # type: ignore[attr-defined]
        row = {"about": subject.about, "table_id": table.id, "report": zlib.compress(report.to_json())}
        connection.execute(schema.analyses.insert().values(row))
    for who in (anna, boris):
        for language in LANGUAGES:
            who.cookies["language"] = language
            assert f"/t/{table.id}/analysis" in who.get("/analyses")
    anna.cookies["language"] = "en"
    assert "1 analysed game;" in anna.get("/analyses")
    assert Visitor(client).ask("GET", "/analyses").headers["location"] == "/account"


def test_who_waits_for_an_analysis_in_a_browser_is_shown_it(
    visit: Visit, server: Server, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.app.state.services.analyses, "playouts", PLAYOUTS)
    here.waits = Future()
    anna = Person(visit("/").context, server, "Anna")
    table = anna.set_table("same", game="13-minutes")
    anna.post(f"/t/{table}/resign", side=0, sure="true")
    page = anna.look(f"/t/{table}/analysis")
    page.locator(".analysis form button").click()
    page.wait_for_selector("progress")
    picture(page, "analysis-at-work")
    said = ['<div data-stage="at_work"><b>half</b></div>']
    page.route("**/progress", lambda route: route.fulfill(body=said[-1], content_type="text/html"))
    page.wait_for_selector("[data-under-way] b")
    with page.expect_navigation():
        said.append('<div data-stage="done"></div>')
    assert page.locator("progress").count() == 1
    here.waits.set_exception(JobFailedError("nobody waits any more"))
