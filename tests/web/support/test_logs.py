"""What stands in logs, and what never does: parameters of SQL, secrets of links, passwords."""

from __future__ import annotations

import io
import json
import logging
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import Engine, insert, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from starlette.testclient import TestClient

from brinkmanship.store.database import open_database
from brinkmanship.store.schema import people
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support import logs
from brinkmanship.web.support.logs import JsonFormatter
from brinkmanship.web.support.settings import Settings
from support.databases import KINDS, fresh_database

SECRET = "argon2-of-anna"


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """What the operator reads."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(logs.Outages())
    root = logging.getLogger()
    root.addHandler(handler)
    yield stream
    root.removeHandler(handler)


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with fresh_database(request.param, tmp_path) as url:
        engine = open_database(url)
        yield engine
        engine.dispose()


def test_a_failed_statement_is_logged_without_its_row(engine: Engine, logged: io.StringIO) -> None:
    row = {"id": SECRET[:16], "name": "Anna", "login": SECRET, "password_hash": SECRET, "language": "en"}
    failing = [
        insert(people).values(**row),  # created_at is missing: PostgreSQL would tell the whole row
        text("INSERT INTO nowhere VALUES (:hash)").bindparams(hash=SECRET),
    ]
    for statement in failing:
        try:
            with engine.begin() as connection:
                connection.execute(statement)
        except SQLAlchemyError:
            logging.getLogger("test").exception("it failed")
    assert logged.getvalue().count("it failed") == len(failing)
    assert SECRET not in logged.getvalue()


def test_a_name_that_is_taken_is_logged_without_the_name(engine: Engine, logged: io.StringIO) -> None:
    row = {"name": "Anna", "login": SECRET, "language": "en", "created_at": 0.0}
    try:
        for id in ("one", "two"):
            with engine.begin() as connection:
                connection.execute(insert(people).values(id=id, **row))
    except SQLAlchemyError:
        logging.getLogger("test").exception("it failed")
    assert "IntegrityError" in logged.getvalue()
    assert SECRET not in logged.getvalue()


@pytest.mark.parametrize("path", [f"/join/table/{SECRET}", f"/notices/stop/email/anna/{SECRET}"])
def test_a_failed_request_is_logged_by_its_page_and_not_by_its_address(
    settings: Settings, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    app = create_app(settings)
    with TestClient(app, raise_server_exceptions=False) as client:
        for broken in (app.state.services.tables, app.state.services.contacts):
            for name in ("table", "by_link"):
                monkeypatch.setattr(broken, name, None, raising=False)
        assert client.get(path, headers={"cookie": f"session={SECRET}"}).status_code == 500
    said = logged.getvalue()
    assert "a request failed" in said
    assert "{token}" in said
    assert SECRET not in said


def test_settings_are_shown_without_passwords() -> None:
    settings = Settings(database=f"postgresql://brink:{SECRET}@localhost/brink", smtp_password=SECRET)
    assert SECRET not in repr(settings)


def test_an_outage_of_the_database_is_a_line_a_minute(
    settings: Settings, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(logs, "time", SimpleNamespace(**{**vars(time), "monotonic": lambda: now[0]}))
    app = create_app(settings)

    def away(*_: object) -> None:
        raise OperationalError("SELECT 1", {}, Exception("the disk has gone"))

    with TestClient(app) as client:
        monkeypatch.setattr(app.state.services.users, "_by_token", away)
        monkeypatch.setattr(app.state.services.tables.replication, "compare", away)
        for _ in range(30):
            assert client.get("/account", headers={"cookie": f"session={SECRET}"}).status_code == 503
        now[0] += logs.OUTAGE_SECONDS
        assert client.get("/account", headers={"cookie": f"session={SECRET}"}).status_code == 503
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    lines = [line for line in lines if "error" in line]
    assert len(lines) == 2
    assert [line["error"] for line in lines] == ["OperationalError: the disk has gone"] * 2
    assert lines[1]["left_out"] >= 29


def test_another_fault_during_an_outage_is_told_in_full(logged: io.StringIO) -> None:
    log = logging.getLogger("test")
    for error in (OperationalError("SELECT 1", {}, Exception("gone")), ValueError("ours"), sqlite3.OperationalError()):
        try:
            raise error
        except (SQLAlchemyError, ValueError, sqlite3.Error):
            log.exception("it failed")
    first, second = [json.loads(line)["error"] for line in logged.getvalue().splitlines()]
    assert first == "OperationalError: gone"
    assert second.startswith("Traceback")
    assert second.endswith("ValueError: ours")
