"""No question about deals of the day and crisis diaries reads those of all days and people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert

from brinkmanship.store import daily, schema, solo
from brinkmanship.store.database import open_database

DAYS = 200
PEOPLE = 10
GAME = "13-days"
TODAY = 1_000 + DAYS


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """Ten people have played on two hundred days."""
    engine = open_database(f"sqlite:///{tmp_path / 'table.sqlite3'}")
    person = {"name": "P", "language": "en", "created_at": 1.0}
    table = {"game": GAME, "rules_version": 1, "options": {}, "secret": b"", "commitment": "", "is_open": False}
    table |= {"created_at": 1.0, "status": "over", "result": "us by war", "finished_at": 1.0, "asked": ""}
    rows = [(day, number) for day in range(DAYS) for number in range(PEOPLE)]
    games = [
        {
            "game": GAME,
            "day": 1_000 + day,
            "person_id": f"p{number}",
            "table_id": f"t{day}.{number}",
            "side": day % 2,
            "score": number % 3 - 1,
            "revealed_at": 1.0,
        }
        for day, number in rows
    ]
    with engine.begin() as connection:
        connection.execute(insert(schema.people), [{"id": f"p{number}", **person} for number in range(PEOPLE)])
        connection.execute(insert(schema.tables), [{"id": game["table_id"], **table} for game in games])
        connection.execute(insert(schema.daily_games), games)
    yield engine
    engine.dispose()


def test_questions_search_by_an_index(engine: Engine) -> None:
    asked: dict[str, Any] = {}

    def note(_c: object, _cursor: object, statement: str, parameters: Any, *_: object) -> None:
        asked.setdefault(statement, parameters)

    event.listen(engine, "before_cursor_execute", note)
    daily.own_games(engine, "p1", [TODAY - 1])
    daily.counts(engine, [GAME, "13-minutes"], TODAY - 1)
    assert len(daily.results(engine, GAME, TODAY - 1, 5)) == 5
    assert len(daily.days_played(engine, "p1", 50)) == 50
    daily.ended(engine, 9)
    daily.overdue(engine, TODAY, 9)
    daily.ended_days(engine, TODAY)
    assert daily.reveal(engine, GAME, TODAY - 1, 1.0) == []
    daily.without_analysis(engine, [GAME], TODAY - 1, 2)
    assert daily.uncompared(engine, [GAME], TODAY - 1) == [GAME]
    daily.report(engine, GAME, TODAY - 1)
    solo.attempts(engine, "p1")
    event.remove(engine, "before_cursor_execute", note)
    with engine.connect() as connection:
        for statement, parameters in asked.items():
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters):
                assert not re.match(
                    r"SCAN (daily_games|daily_reports|solo_games|tables|people|analyses)\b", row.detail
                ), f"{row.detail}: {statement}"
