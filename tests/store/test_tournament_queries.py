"""No question about tournaments reads more rows where more tournaments have been played."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlalchemy import event, insert

from brinkmanship.store import schema, tournaments
from brinkmanship.store.database import open_database

NUMBER = 300
LARGE = (
    "tournaments",
    "tournament_entries",
    "tournament_matches",
    "tournament_games",
    "tables",
    "people",
    "records",
    "ratings",
)


def row(number: int) -> dict[str, Any]:
    return {
        "id": f"t{number}",
        "kind": "swiss",
        "name": "T",
        "about": "",
        "game": "13-days",
        "options": {},
        "clock": {},
        "rated": False,
        "organiser_id": f"p{number}",
        "is_listed": True,
        "size": 8,
        "status": {0: "running", 5: "open"}.get(number % 10, "over"),
        "created_at": float(number),
        "season": 1,
        "changes": 0,
        "due_at": None if number % 10 else float(number),
    }


def table(number: int) -> dict[str, Any]:
    return {
        "id": f"g{number}",
        "game": "13-days",
        "rules_version": 1,
        "options": {},
        "secret": b"",
        "commitment": "",
        "is_open": False,
        "created_at": 1.0,
        "status": "over",
        "result": "us by resignation",
        "asked": "",
    }


def test_no_question_scans_a_table(database: str) -> None:
    engine = open_database(database)
    numbers = range(NUMBER)
    place = [{"tournament_id": f"t{number}", "division": 0, "round": 1, "number": 0} for number in numbers]
    decided = [None if number % 10 == 0 else float(number) for number in numbers]
    filled = {
        "people": [{"id": f"p{number}", "name": "P", "language": "en", "created_at": 1.0} for number in numbers],
        "tables": [table(number) for number in numbers],
        "tournaments": [row(number) for number in numbers],
        "tournament_entries": [
            {
                "tournament_id": f"t{number}",
                "person_id": f"p{(number + more) % NUMBER}",
                "entered_at": 1.0,
                "is_substitute": False,
                "division": 0,
                "seed": more,
                "is_struck": False,
            }
            for number in numbers
            for more in range(2)
        ],
        "ratings": [
            {"person_id": f"p{number}", "game": "13-days", "rating": 1500.0, "deviation": 60.0, "games": 9, "at": 1.0,
             "is_listed": True}
            for number in numbers
        ],
        "tournament_matches": [
            {**at, "first_id": f"p{number}", "second_id": "p0", "starts_at": 1.0, "is_struck": False}
            for number, at in enumerate(place)
        ],
        "tournament_games": [
            {**at, "game": 0, "table_id": f"g{number}", "first_side": 0, "first_points": 1.0, "second_points": 0.0,
             "decided_at": decided[number]}
            for number, at in enumerate(place)
        ],
    }  # fmt: skip
    with engine.begin() as connection:
        for name, rows in filled.items():
            connection.execute(insert(schema.metadata.tables[name]), rows)
        connection.exec_driver_sql("ANALYZE")
    asked: dict[str, Any] = {}

    def note(*noted: Any) -> None:
        _, _, statement, parameters, _, is_many = noted
        if not is_many and not statement.startswith("PRAGMA"):
            asked.setdefault(statement, parameters)

    event.listen(engine, "before_cursor_execute", note)
    questions: list[Callable[[], object]] = [
        lambda: tournaments.due(engine, 50.0),
        lambda: tournaments.note_results(engine, "t10", 2.0),
        lambda: tournaments.read(engine, "t10"),
        lambda: tournaments.read(engine, "t15"),
        lambda: tournaments.gone(engine, "t10"),
        lambda: tournaments.listed(engine, "over", 50),
        lambda: tournaments.of_person(engine, "p10", 50),
        lambda: tournaments.organised_count(engine, "p10"),
        lambda: tournaments.entered_count(engine, "p10"),
        lambda: tournaments.final_standings(engine, "t10"),
    ]
    answers = [ask() for ask in questions]
    assert len(answers[0]) == 30  # type: ignore[arg-type]
    assert len(asked) > 12
    event.remove(engine, "before_cursor_execute", note)
    with engine.connect() as connection:
        for statement, parameters in asked.items():
            if statement.split()[0] in ("SELECT", "UPDATE"):
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                scans = [step.detail for step in plan if re.match(rf"SCAN ({'|'.join(LARGE)})\b", step.detail)]
                assert not scans, (statement, scans)
    engine.dispose()
