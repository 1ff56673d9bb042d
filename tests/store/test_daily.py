"""Deals of the day in the database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, insert, select

from brinkmanship.store import daily, schema
from brinkmanship.store.database import open_database
from support.databases import KINDS, fresh_database

GAME = "13-days"
DAY = 1_000


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with fresh_database(request.param, tmp_path) as url:
        engine = open_database(url)
        with engine.begin() as connection:
            begin(connection, "early", score=1)
        yield engine
        engine.dispose()


def begin(connection: Connection, name: str, score: int | None) -> None:
    person = {"id": name, "name": name, "language": "en", "created_at": 1.0}
    table = {"id": name, "game": GAME, "rules_version": 1, "options": {}, "secret": b"", "commitment": ""}
    table |= {"is_open": False, "created_at": 1.0, "status": "running", "result": "", "asked": "", "sealed": True}
    game = {"game": GAME, "day": DAY, "person_id": name, "table_id": name, "side": 0, "score": score}
    for rows, row in ((schema.people, person), (schema.tables, table), (schema.daily_games, game)):
        connection.execute(insert(rows).values(row))


def sealed(engine: Engine) -> set[str]:
    with engine.connect() as connection:
        return set(connection.execute(select(schema.tables.c.id).where(schema.tables.c.sealed)).scalars())


def test_a_day_stays_sealed_while_a_game_has_no_score(engine: Engine) -> None:
    with engine.begin() as connection:
        begin(connection, "late", score=None)
    assert daily.reveal(engine, GAME, DAY, at=5.0) == []
    assert sealed(engine) == {"early", "late"}


def test_a_game_that_begins_while_its_day_is_revealed_stays_sealed(engine: Engine) -> None:
    has_begun = False

    def begin_late(connection: Connection, *_: Any) -> None:
        nonlocal has_begun
        if not has_begun:
            has_begun = True
            begin(connection, "late", score=None)

    event.listen(engine, "after_cursor_execute", begin_late)
    assert daily.reveal(engine, GAME, DAY, at=5.0) == ["early"]
    event.remove(engine, "after_cursor_execute", begin_late)
    assert sealed(engine) == {"late"}
    assert daily.ended_days(engine, DAY + 1) == [(GAME, DAY)], "it is revealed once it has a score"
