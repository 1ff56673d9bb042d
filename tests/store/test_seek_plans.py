"""No question about seeks and challenges reads all of them, however many were settled in the past."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert

from brinkmanship.store import challenges, schema, seeks
from brinkmanship.store.database import open_database
from brinkmanship.store.seeks import DAYS, LIVE, OPEN, SETTLED, Seek, Want

PAST = 2_000


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(f"sqlite:///{tmp_path / 'table.sqlite3'}")
    person = {"name": "P", "language": "en", "created_at": 1.0}
    seek = {"wants": "13-days:0", "clocks": "days 3", "rated": False, "seen_at": 1.0, "expires_at": 2.0}
    challenge = {"game": "13-days", "clock": "", "rated": False, "created_at": 1.0, "expires_at": 2.0, "reason": ""}
    with engine.begin() as connection:
        connection.execute(insert(schema.people), [{"id": f"p{number}", **person} for number in range(100)])
        connection.execute(
            insert(schema.seeks),
            [
                {
                    "id": f"s{number}",
                    "person_id": f"p{number % 100}",
                    "pace": LIVE if number % 2 else DAYS,
                    "state": SETTLED,
                    "created_at": float(number),
                    "table_id": f"t{number // 2}",
                    "announced_at": float(number),
                    "address_mark": f"{number % 100:05x}",
                    **seek,
                }
                for number in range(PAST)
            ],
        )
        connection.execute(
            insert(schema.challenges),
            [
                {"id": f"c{n}", "from_id": f"p{n % 100}", "to_id": f"p{n * 7 % 100}", "state": "declined", **challenge}
                for n in range(PAST)
            ],
        )
    yield engine
    engine.dispose()


def test_questions_search_by_an_index(engine: Engine) -> None:
    asked: dict[str, Any] = {}

    def note(_c: object, _cursor: object, statement: str, parameters: Any, *_: object) -> None:
        if not statement.startswith("INSERT"):
            asked.setdefault(statement, parameters)

    event.listen(engine, "before_cursor_execute", note)
    ask_everything(engine)
    event.remove(engine, "before_cursor_execute", note)
    assert len(asked) > 15
    with engine.connect() as connection:
        for statement, parameters in asked.items():
            plan = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
            scans = [step for step in plan if step.startswith(("SCAN seeks", "SCAN challenges", "SCAN tables"))]
            assert not [step for step in scans if "INDEX" not in step], (statement, plan)


def ask_everything(engine: Engine) -> None:
    """Ask all that the server asks again and again."""
    new = Seek("new", "p1", "P", (Want("13-days", 0),), ("days 3",), DAYS, False, 5.0, 9.0, OPEN, None)
    seeks.place(engine, new, 5.0, "abc", 5, 4.0)
    seeks.place(engine, new._replace(id="live", pace=LIVE), 5.0, "abc", 5, 4.0)
    with engine.connect() as connection:
        for pace in seeks.PACES:
            seeks.open_seeks(connection, pace)
        challenges.open_between(connection, "p1", "p2", 5.0)
    seeks.seek(engine, "new")
    seeks.of_person(engine, "p1")
    seeks.at_table(engine, "t1", "p1")
    seeks.open_of_address(engine, "abc")
    seeks.note_seen(engine, ["new", "live"], 6.0)
    seeks.states(engine, ["new", "live"])
    seeks.claim_posts(engine, 6.0, 5.5, 5.0)
    seeks.close_expired(engine, 6.0, 1.0)
    seeks.unsettled(engine)
    seeks.left(engine, "t1", "p1", 6.0)
    seeks.times_left(engine, "p1", 0.0)
    seeks.withdraw(engine, "new", "p1")
    seeks.remove_old(engine, 0.0)
    challenges.of_person(engine, "p1", 5.0, 1.0)
    challenges.declined_since(engine, "p1", "p2", 1.0)
    challenges.challenge(engine, "c1")
    challenges.decline(engine, "c1", "busy", 5.0)
    challenges.remove_old(engine, 0.0)
