"""`/health` tells the truth, and costs little."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, event, text
from starlette.testclient import TestClient

from brinkmanship.store import repository
from brinkmanship.web.server import health
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.tables import outage
from support.databases import POSTGRESQL, fresh_database
from support.patience import HANGS_SECONDS, wait_until

Usage = namedtuple("Usage", "total used free")


def until(client: TestClient, status: int, reason: str = "") -> dict[str, Any]:
    """Ask until the answer has a status, and a reason that begins so."""
    reports: list[dict[str, Any]] = []

    def is_said() -> bool:
        answer = client.get("/health")
        reports.append(answer.json())
        return answer.status_code == status and any(each.startswith(reason) for each in reports[-1]["reasons"] or [""])

    wait_until(is_said)
    return reports[-1]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beats, and looks at what was found, every tenth of a second."""
    monkeypatch.setattr(outage, "HEARTBEAT_INTERVAL", 0.1)
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.1)
    monkeypatch.setattr(health, "ANSWER_SECONDS", HANGS_SECONDS)


def test_all_is_well(client: TestClient) -> None:
    report = client.get("/health")
    assert report.status_code == 200
    assert report.json() | {"version": ""} == {
        "status": "ok",
        "version": "",
        "running": 0,
        "tables_with_faults": 0,
        "reasons": [],
    }


def test_that_nothing_can_be_written_is_said(
    client: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "GAP_SECONDS", 2.0)
    engine: Engine = client.app.state.services.engine  # type: ignore[attr-defined]
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("PRAGMA busy_timeout=100"))
    other = sqlite3.connect(settings.database.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    report = until(client, 503, "nothing could be written")
    assert report["status"] == "failing"
    assert report["running"] == 0  # it can be read all the same
    other.execute("COMMIT")
    other.close()
    until(client, 200)


def test_a_full_disk_is_said(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12, 7_500_000))
    assert until(client, 503)["reasons"] == ["only 7 MB are free on the disk of the database"]


def test_a_database_that_is_away_is_said(tmp_path: Path) -> None:
    with fresh_database("postgresql", tmp_path) as url:
        name = url.rpartition("/")[2]
        admin = create_engine(POSTGRESQL, isolation_level="AUTOCOMMIT")
        with TestClient(create_app(Settings(database=url))) as client, admin.connect() as connection:
            until(client, 200)
            connection.execute(text(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false"))
            connection.execute(
                text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"), {"name": name}
            )
            until(client, 503, "the database does not answer")
            page = client.get("/", headers={"accept": "text/html", "cookie": "language=de"})
            assert page.status_code == 503
            assert "Der Server erreicht gerade seine Datenbank nicht" in page.text
            connection.execute(text(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true"))
            until(client, 200)
            assert client.get("/").status_code == 200
        admin.dispose()


def test_a_database_that_hangs_keeps_nobody_waiting(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "ANSWER_SECONDS", 0.1)
    asked, go_on = [], threading.Event()

    def slow(_: Engine) -> int:
        asked.append(1)
        go_on.wait(HANGS_SECONDS)
        return 5

    monkeypatch.setattr(repository, "running_count", slow)
    client.app.state.services.health._asked_at = 0.0  # type: ignore[attr-defined]
    for _ in range(5):
        assert client.get("/health").json()["reasons"] == ["the database does not answer"]
    assert len(asked) == 1  # whoever hangs is not asked again meanwhile
    go_on.set()
    assert until(client, 200)["running"] == 5


def test_many_who_ask_at_once_ask_the_database_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 60.0)
    asked = []
    count = repository.running_count
    monkeypatch.setattr(repository, "running_count", lambda engine: asked.append(1) or count(engine))
    reporter = client.app.state.services.health  # type: ignore[attr-defined]
    reporter._asked_at = 0.0

    async def many() -> list[dict[str, Any]]:
        return await asyncio.gather(*(reporter.report() for _ in range(100)))

    reports = client.portal.call(many)  # type: ignore[union-attr]
    assert {report["status"] for report in reports} == {"ok"}
    assert len(asked) == 1


def test_a_task_that_has_ended_is_said(client: TestClient) -> None:
    tasks = client.app.state.services.tables.replication._tasks  # type: ignore[attr-defined]
    task = tasks._standing["computers"].task
    client.portal.call(task.cancel)  # type: ignore[union-attr]
    assert until(client, 503)["reasons"] == ["the task 'computers' has ended"]
