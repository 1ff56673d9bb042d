"""No query of ratings reads all games, people or ratings where many have been played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert

from brinkmanship.store import ratings
from brinkmanship.store.database import open_database
from brinkmanship.store.rating_ledger import rate_finished
from brinkmanship.store.schema import metadata

LARGE = ("tables", "records", "seats", "people", "ratings", "rated_games", "rating_changes", "side_advantages")
GAMES = 2_000


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(f"sqlite:///{tmp_path / 'table.sqlite3'}")
    yield engine
    engine.dispose()


def fill(engine: Engine) -> None:
    """Two thousand rated games of two thousand people, one of which is still to be rated."""
    people = [{"id": f"p{n}", "name": "P", "login": f"p{n}", "language": "en", "created_at": 1.0} for n in range(GAMES)]
    game = {"game": "13-days", "rules_version": 1, "options": {}, "secret": b"", "commitment": "", "status": "over"}
    finished = [
        {"id": f"g{n}", "created_at": 1.0, "finished_at": float(n), "result": "us by prestige", "awaits_rating": n == 0}
        for n in range(GAMES)
    ]
    seats = [
        {"table_id": f"g{n}", "side": side, "person_id": f"p{(n + side) % GAMES}"}
        for n in range(GAMES)
        for side in (0, 1)
    ]
    record = {"number": 1, "kind": "action", "actor": 0, "at": 1.0}
    standings = [
        {"person_id": f"p{n}", "game": "13-days", "rating": 1500.0 + n % 500, "deviation": 60.0, "games": 20, "at": 1.0}
        for n in range(GAMES)
    ]
    rows = {
        "people": people,
        "tables": [game | row for row in finished],
        "seats": seats,
        "public_profiles": [{"person_id": f"p{n}", "since": 1.0} for n in range(GAMES)],
        "records": [record | {"table_id": f"g{n}"} for n in range(GAMES)],
        "ratings": [row | {"is_listed": n % 2 == 0} for n, row in enumerate(standings)],
    }
    with engine.begin() as connection:
        for name, values in rows.items():
            connection.execute(insert(metadata.tables[name]), values)
        connection.exec_driver_sql("ANALYZE")


def test_no_query_scans_a_large_table(engine: Engine) -> None:
    fill(engine)
    asked: dict[str, Any] = {}

    def note(*noted: Any) -> None:
        _, _, statement, parameters, _, is_many = noted
        if statement.startswith(("SELECT", "UPDATE")) and not is_many:
            asked.setdefault(statement, parameters)

    event.listen(engine, "before_cursor_execute", note)
    assert rate_finished(engine) == ["g0"]
    assert len(ratings.leaderboard(engine, "13-days")) == ratings.PAGE
    last = ratings.leaderboard(engine, "13-days")[-1].person_id
    assert ratings.leaderboard(engine, "13-days", last)[0].rank == ratings.PAGE + 1
    ratings.history_of(engine, "p1", "13-days")
    ratings.standings_of(engine, "p1")
    ratings.standings_in(engine, ["p1", "p2"], "13-days")
    ratings.changes_at(engine, "g0")
    ratings.suspicious_pairs(engine, 0.0)
    event.remove(engine, "before_cursor_execute", note)
    with engine.connect() as connection:
        plans = [
            f"{row.detail}: {statement}"
            for statement, parameters in asked.items()
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]
    assert [plan for plan in plans if re.match(rf"SCAN ({'|'.join(LARGE)})\b", plan)] == []
    assert any("ix_ratings_listed" in plan for plan in plans)
    assert any("ix_tables_awaits_rating (awaits_rating=? AND status=?)" in plan for plan in plans)
