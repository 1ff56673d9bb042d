"""No question about blocks, reports and measures goes through all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert

from brinkmanship.store import moderation, schema
from brinkmanship.store.database import open_database

NUMBER = 1_000
LARGE = ("blocks", "reports", "measures", "people")
ASKED: dict[str, Callable[[Engine], object]] = {
    "apart": lambda engine: moderation.apart_from(engine.connect(), "p1"),
    "queue": lambda engine: moderation.open_reports(engine.connect()),
    "reports of one": lambda engine: moderation.reports_by(engine.connect(), "p1"),
    "measures of one": lambda engine: moderation.measures_of(engine.connect(), "p1"),
    "appeals": lambda engine: moderation.appeals(engine.connect()),
    "retention": lambda engine: moderation.remove_old(engine, 10.0),
}


@pytest.fixture
def engine(database: str) -> Any:
    engine = open_database(database)
    numbers = range(NUMBER)
    people = [{"id": f"p{n}", "name": "P", "language": "en", "created_at": 1.0} for n in numbers]
    about = {"category": "abuse", "text": "", "lines": [], "score": 1.0, "table_id": None}
    measure = {"kind": "mute", "reason": "", "line": "", "key": "", "until": 5.0, "is_waiting": False}
    rows: dict[str, list[dict[str, Any]]] = {
        "people": people,
        "blocks": [{"person_id": f"p{n}", "blocked_id": f"p{(n + 1) % NUMBER}", "at": 1.0} for n in numbers],
        "reports": [
            {"id": f"r{n}", "reporter_id": f"p{n}", "person_id": "p0", "state": "acted", "at": float(n), **about}
            | {"closed_at": float(n)}
            for n in numbers
        ],
        "measures": [{"id": f"m{n}", "person_id": f"p{n}", "at": float(n), **measure} for n in numbers],
    }
    with engine.begin() as connection:
        for name, values in rows.items():
            connection.execute(insert(schema.metadata.tables[name]), values)
        connection.exec_driver_sql("ANALYZE")
    yield engine
    engine.dispose()


def test_every_question_searches_by_an_index(engine: Engine) -> None:
    asked: list[tuple[str, str, Any]] = []
    for name, ask in ASKED.items():

        def note(*noted: Any, about: str = name) -> None:
            asked.append((about, noted[2], noted[3]))

        event.listen(engine, "before_cursor_execute", note)
        ask(engine)
        event.remove(engine, "before_cursor_execute", note)
    assert {name for name, *_ in asked} == set(ASKED)
    with engine.connect() as connection:
        for name, statement, parameters in asked:
            plan = [step.detail for step in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
            assert not [step for step in plan if step.startswith(tuple(f"SCAN {table}" for table in LARGE))], (
                name,
                plan,
            )
