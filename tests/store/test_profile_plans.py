"""A person's profile and history read only that person's games, by index, however many games there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert, text

from brinkmanship.store import game_results, profiles, schema
from brinkmanship.store.database import open_database
from brinkmanship.store.profiles import HistoryFilter
from support.databases import KINDS, fresh_database

GAMES = 20_000
OWN = 5_000
"""Games of one person, the others' between people who play little."""
PEOPLE = 1_000
OTHER_TABLES = ("tables", "seats", "game_results", "people")


@pytest.fixture(scope="module", params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with fresh_database(request.param, tmp_path_factory.mktemp("plans")) as url:
        engine = open_database(url)
        fill(engine)
        yield engine
        engine.dispose()


def fill(engine: Engine) -> None:
    """Store finished games with their results, and some not counted yet."""
    person = {"language": "en", "created_at": 1.0}
    people = [{"id": f"p{number}", "name": f"P{number}", "login": f"p{number}", **person} for number in range(PEOPLE)]
    tables: list[dict[str, Any]] = []
    seats: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for number in range(GAMES):
        players = ["p0" if number < OWN else f"p{1 + number % 500}", f"p{501 + number % 499}"]
        common = {"options": {}, "secret": b"", "commitment": "", "rules_version": 1}
        over = {"status": "over", "result": "us by prestige", "created_at": 1.0, "finished_at": float(number)}
        tables.append({"id": f"g{number}", "game": "13-days", "is_open": not number % 3, **common, **over})
        for side in (0, 1):
            seats.append({"table_id": f"g{number}", "side": side, "person_id": players[side], "name": players[side]})
            results.append(
                {
                    "table_id": f"g{number}",
                    "side": side,
                    "person_id": players[side],
                    "computer": None,
                    "opponent_id": players[1 - side],
                    "opponent_key": players[1 - side],
                    "game": "13-days",
                    "is_standard": True,
                    "is_open": not number % 3,
                    "rated": not number % 2,
                    "pace": "none",
                    "score": 1 - 2 * side,
                    "ending": "points",
                    "agenda": f"a{number % 13}",
                    "turns": 50,
                    "luck_adjusted": 0.5 if not number % 10 else None,
                    "finished_at": float(number),
                }
            )
    with engine.begin() as connection:
        for name, rows in (("people", people), ("tables", tables), ("seats", seats), ("game_results", results[:-20])):
            connection.execute(insert(schema.metadata.tables[name]), rows)
        connection.execute(schema.public_profiles.insert(), [{"person_id": f"p{n}", "since": 1.0} for n in range(600)])
        connection.execute(schema.results_progress.insert().values(id=1, through=float(GAMES - 20), leased_until=0.0))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))


READS = {
    "person": lambda engine: profiles.shown_person(engine, "p0", "p1"),
    "public": lambda engine: profiles.public_among(engine, ["p0", "p1"]),
    "counts": lambda engine: profiles.counts_of(engine, "p0"),
    "adjusted": lambda engine: profiles.adjusted_of(engine, "p0"),
    "rivals": lambda engine: profiles.rivals_of(engine, "p0", False, 5),
    "own rivals": lambda engine: profiles.rivals_of(engine, "p0", True, 5),
    "met": lambda engine: profiles.head_to_head(engine, "p0", "p501"),
    "games": lambda engine: profiles.games_of(engine, "p0", "p1", HistoryFilter()),
    "later games": lambda engine: profiles.games_of(engine, "p0", "p0", HistoryFilter(after="g4000")),
    "filtered games": lambda engine: profiles.games_of(
        engine,
        "p0",
        None,
        HistoryFilter("13-days", (("13-days", 0),), 1, True, "p50", 10.0, 4900.0, True, "points", "g4000"),
    ),
    "uncounted": lambda engine: game_results.uncounted(engine, ["13-days"], 50),
    "reports": lambda engine: game_results.latest_reports(engine, ["g1", "g2"]),
    "statistics": game_results.statistics,
}


@pytest.mark.parametrize("name", READS)
def test_no_read_goes_through_the_games_of_others(engine: Engine, name: str) -> None:
    asked: list[tuple[str, Any]] = []

    def note(*noted: Any) -> None:
        asked.append(noted[2:4])

    event.listen(engine, "before_cursor_execute", note)
    try:
        READS[name](engine)
    finally:
        event.remove(engine, "before_cursor_execute", note)
    assert asked
    for statement, parameters in asked:
        assert scans(engine, statement, parameters) == []


def scans(engine: Engine, statement: str, parameters: Any) -> list[str]:
    """Return the steps of a plan that go through a whole table."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            steps = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
            whole = tuple(f"SCAN {name}" for name in (*OTHER_TABLES, "other", "last", "first", "second"))
            return [step for step in steps if step.startswith(whole)]
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        steps = [row[0] for row in connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)]
        return [step for step in steps if "Seq Scan" in step and any(f" on {name}" in step for name in OTHER_TABLES)]


def test_the_newest_games_are_read_in_order_without_sorting(engine: Engine) -> None:
    if engine.dialect.name != "sqlite":
        pytest.skip("PostgreSQL chooses by its statistics")
    asked: list[tuple[str, Any]] = []
    event.listen(engine, "before_cursor_execute", lambda *noted: asked.append(noted[2:4]))
    profiles.games_of(engine, "p0", "p1", HistoryFilter())
    with engine.connect() as connection:
        steps = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {asked[0][0]}", asked[0][1])]
    assert any("ix_game_results_person_finished (person_id=?)" in step for step in steps)
    page = steps[: next(place for place, step in enumerate(steps) if step.startswith("SCAN anon"))]
    assert not any("TEMP B-TREE" in step for step in page)  # the few games of the page are sorted afterwards


def test_what_is_not_counted_yet_is_found_among_many(engine: Engine) -> None:
    assert [game.table_id for game in game_results.uncounted(engine, ["13-days"], 50)] == [
        f"g{number}" for number in range(GAMES - 10, GAMES)
    ]
