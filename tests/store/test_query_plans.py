"""No question that is asked again and again reads more rows where more games have been played.

The plans of the database itself are read, on a database with thousands of finished games: how many rows each step of a
question reads (PostgreSQL), and that none goes through a whole table (SQLite, which does not count).
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert, text
from starlette.testclient import TestClient

from brinkmanship.store import administration, duplicates, matches, moderation, repository, schema
from brinkmanship.web.accounts.authentication import COOKIE
from brinkmanship.web.jobs.queue import Jobs
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables import bot_moves
from support.databases import KINDS, fresh_database

GAMES = 4_000
RECORDS = 5
"""Of each game."""
PEOPLE = 500
OWN_GAMES = 6
"""Anna's, of those that are over; so few that to look them up one by one is the quickest way even here."""
MAX_READ = 500
"""Rows in a step of a plan: Anna's games and their records, but far from all."""
LARGE = (
    *("tables", "records", "seats", "people", "series_games", "sessions", "chats", "notes", "looks"),
    *("matches", "match_games", "duplicate_rounds", "duplicate_tables"),
)


class Asked:
    """What was asked of a database."""

    def __init__(self, engine: Engine) -> None:
        self.questions: dict[str, Any] = {}
        event.listen(engine, "before_cursor_execute", self._note)

    def _note(self, *noted: Any) -> None:
        _, _, statement, parameters, _, is_many = noted
        if statement.lstrip().upper().startswith(("SELECT", "WITH")) and not is_many:
            self.questions.setdefault(statement, parameters)


@pytest.fixture(params=KINDS)
def client(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A server without its periodic tasks, which would ask in between, and read every game once."""
    monkeypatch.setattr(Supervisor, "every", lambda *_, **__: None)
    with (
        fresh_database(request.param, tmp_path) as url,
        TestClient(create_app(Settings(database=url, requests_per_minute=1_000_000))) as client,
    ):
        yield client


def fill(engine: Engine, anna: str) -> None:
    """Thousands of finished games of other people, some of Anna's, and a few that wait or are played."""
    statuses = ["over"] * (GAMES - 30) + ["waiting"] * 15 + ["running"] * 15
    people = [{"id": f"p{number}", "name": "P", "language": "en", "created_at": 1.0} for number in range(PEOPLE)]
    games: list[dict[str, Any]] = [
        {
            "id": f"g{number}",
            "game": "13-days",
            "rules_version": 1,
            "options": {},
            "secret": b"",
            "commitment": "",
            "is_open": number % 500 == 0 or status == "waiting",
            "created_at": float(number),
            "status": status,
            "finished_at": float(number) if status == "over" else None,
            "asked": "us" if status == "running" else "",
        }
        for number, status in enumerate(statuses)
    ]
    seats = [
        {"table_id": f"g{number}", "side": side, "person_id": anna if is_hers and not side else f"p{number % PEOPLE}"}
        for number in range(GAMES)
        for is_hers in (number % (GAMES // OWN_GAMES) == 0 or number > GAMES - 5,)
        for side in range(2)
    ]
    records = [
        {"table_id": f"g{number}", "number": place, "kind": "action", "actor": 0, "value": 0, "at": 1.0}
        for number in range(GAMES)
        for place in range(1, RECORDS + 1)
    ]
    played = [
        {"id": f"m{number}", "simultaneous": False, "ready": 0, "created_at": 1.0, "finished_at": float(number)}
        for number in range(GAMES // 2 - 20)
    ]
    of_matches = [
        {"match_id": match["id"], "number": number, "table_id": f"g{2 * place + number}"}
        for place, match in enumerate(played)
        for number in range(2)
    ]
    rounds = [
        {"id": f"r{number}", "commitment": "", "created_at": 1.0, "finished_at": 1.0} for number in range(GAMES // 4)
    ]
    of_rounds = [
        {"round_id": each["id"], "number": number, "table_id": f"g{4 * place + number}"}
        for place, each in enumerate(rounds)
        for number in range(4)
    ]
    filled = [("people", people), ("tables", games), ("seats", seats), ("records", records), ("matches", played)]
    filled += [("match_games", of_matches), ("duplicate_rounds", rounds), ("duplicate_tables", of_rounds)]
    with engine.begin() as connection:
        for table, rows in filled:
            connection.execute(insert(schema.metadata.tables[table]), rows)
    if engine.dialect.name == "postgresql":  # which does so by itself, sooner or later
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("ANALYZE"))


def test_no_question_reads_all_games(client: TestClient) -> None:
    app: Any = client.app
    engine: Engine = app.state.services.engine
    token = client.post("/api/v1/tokens", json={"name": "Anna"}).json()["token"]
    anna = app.state.services.users.by_token(token, True).id
    session = app.state.services.users.open_session(anna)
    fill(engine, anna)
    asked = Asked(engine)
    assert client.get("/").status_code == 200
    client.cookies.set(COOKIE, session)
    assert "/t/g" in client.get("/").text  # her games
    for path in ("/next", "/library", "/account", "/lobby", "/lobby?clock=days", "/challenges"):
        assert client.get(path, follow_redirects=False).status_code < 400
    for path in ("/tables?mine=true", "/tables"):
        client.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {token}"})
    repository.versions(engine, ["g1", "g2"])
    repository.running_count(engine)
    repository.open_since(engine, 1.0)
    repository.last_said(engine, "g1")
    repository.chat_of(engine, "g1")
    matches.due(engine)
    assert matches.match(engine, "m1")
    matches.without_analysis(engine, GAMES / 2 - 40, 50)
    duplicates.due(engine, time.time())
    assert duplicates.duplicate_round(engine, "r1")
    repository.chat_of(engine, "g1", person_id=anna)
    with engine.connect() as connection:
        moderation.people_at(connection, "g1", anna)
        moderation.open_reports(connection)
        moderation.appeals(connection)
        moderation.reports_by(connection, anna)
        moderation.log_entries(connection)
    bot_moves._forgotten(engine, time.time())
    administration.stuck(engine, time.time())
    administration.all_tables(engine, "running", 50)
    Jobs(engine).waiting()
    assert len(asked.questions) > 12
    found = "\n".join(fault for question in list(asked.questions.items()) for fault in too_much(engine, *question))
    assert not found, found


def too_much(engine: Engine, statement: str, parameters: Any) -> Iterator[str]:
    """The steps of a question that read what grows with the number of games."""
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters):
                is_all = "person_id" in statement and "ix_tables_status_open_created (status=?)" in row.detail
                if is_all or re.match(rf"SCAN ({'|'.join(LARGE)})\b", row.detail):
                    yield f"{row.detail}: {statement}"
        return
    with engine.connect() as connection:
        # So few are soon gone through; of many it would not be done where there is another way.
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        (plan,) = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", parameters).scalar_one()
    steps = [plan["Plan"]]
    while steps:
        step = steps.pop()
        steps += step.get("Plans", [])
        read = step["Actual Loops"] * (step["Actual Rows"] + step.get("Rows Removed by Filter", 0))
        if read > MAX_READ:
            yield f"{step['Node Type']} of {read} rows: {json.dumps(step)[:300]}: {statement}"
