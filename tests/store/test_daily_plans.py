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
from brinkmanship.store.writer import NoRowUpdatedError, Statement, Writer
from support.databases import KINDS, fresh_database
from support.loops import run_in_thread

DAYS = 200
PEOPLE = 10
GAME = "13-days"
TODAY = 1_000 + DAYS


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """Ten people have played on two hundred days."""
    with fresh_database(request.param, tmp_path) as url:
        engine = open_database(url)
        fill(engine)
        yield engine
        engine.dispose()


def fill(engine: Engine) -> None:
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
    if engine.dialect.name == "postgresql":
        return  # so few rows it reads one after the other
    with engine.connect() as connection:
        for statement, parameters in asked.items():
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters):
                assert not re.match(
                    r"SCAN (daily_games|daily_reports|solo_games|tables|people|analyses)\b", row.detail
                ), f"{row.detail}: {statement}"


def test_games_and_stages_are_stored_by_both_databases(engine: Engine) -> None:
    writer = Writer(engine)

    def write(*statements: Statement) -> None:
        async def do() -> None:
            await writer.write(*statements)

        run_in_thread(do())

    try:
        table, other = "t0.0", "t0.1"
        with engine.begin() as connection:
            connection.execute(schema.daily_games.delete().where(schema.daily_games.c.day == 1_000))
        write(daily.new_game(GAME, TODAY, "p1", table, 1))
        assert daily.reveal(engine, GAME, TODAY, 1.0) == []
        write(daily.scored(table, 1, False), daily.luck_statement(table, (0.25, 0.75)))
        write(daily.scored(table, -1, True))
        (found,) = daily.own_games(engine, "p1", [TODAY])
        assert (found.score, found.is_abandoned, found.luck_adjusted) == (1, False, 0.75)
        assert daily.reveal(engine, GAME, TODAY, 1.0) == [table]
        daily.keep_report(engine, GAME, TODAY, b"[]")
        daily.keep_report(engine, GAME, TODAY, b"later")
        assert daily.report(engine, GAME, TODAY) == b"[]"
        key = daily.secret_key(engine, b"first")
        assert daily.secret_key(engine, b"second") == key == b"first"
        write(solo.first_attempt("p1", GAME, 0, 0, table))
        (first,) = solo.attempts(engine, "p1")
        write(*solo.next_attempt("p1", first, other))
        with pytest.raises(NoRowUpdatedError):  # of two at once the first counts
            write(*solo.next_attempt("p1", first, "t0.2"))
        (again,) = solo.attempts(engine, "p1")
        assert (again.table_id, again.attempts) == (other, 2)
        write(solo.remove("p1", GAME, 0))
        assert solo.attempts(engine, "p1") == []
    finally:
        writer.close()


def test_a_guest_brings_games_and_diaries_along_but_not_a_second_try(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(schema.daily_games.delete().where(schema.daily_games.c.day < TODAY - 1))
        mine = {"game": GAME, "side": 0, "stage": 0, "attempts": 1}
        connection.execute(insert(schema.solo_games), [{**mine, "person_id": "p1", "table_id": "t0.1"}])
        connection.execute(
            insert(schema.daily_games).values(game=GAME, day=TODAY, person_id="p1", table_id="t0.1", side=0)
        )
        daily.bring(connection, "p1", "p2")
        solo.bring(connection, "p1", "p2")
    assert [each.table_id for each in daily.own_games(engine, "p2", [TODAY])] == ["t0.1"]
    assert [each.table_id for each in daily.own_games(engine, "p2", [TODAY - 1])] == [f"t{DAYS - 1}.2"]
    assert [each.table_id for each in daily.own_games(engine, "p1", [TODAY - 1, TODAY])] == [f"t{DAYS - 1}.1"]
    assert [each.table_id for each in solo.attempts(engine, "p2")] == ["t0.1"]
