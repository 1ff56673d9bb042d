"""Ratings are a function of the stored results, whoever rates them, and when."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert, select, update

from brinkmanship.store import rating_ledger, ratings
from brinkmanship.store.database import open_database
from brinkmanship.store.rating_ledger import rate_finished
from brinkmanship.store.rating_rebuild import rebuild
from brinkmanship.store.schema import (
    metadata,
    people,
    public_profiles,
    rated_games,
    rating_changes,
    records,
    seats,
    tables,
)
from support.databases import KINDS, fresh_database

DAY = 86_400.0
START = 1_767_225_600.0
"""1 January 2026, UTC."""
NAMES = ("anna", "boris", "carl", "dora")
STORED = ("ratings", "rated_games", "rating_changes", "side_advantages", "rating_ledger")


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with fresh_database(request.param, tmp_path) as url:
        engine = open_database(url)
        with engine.begin() as connection:
            rows = [
                {"id": name, "name": name.title(), "login": name, "language": "en", "created_at": 1.0} for name in NAMES
            ]
            connection.execute(insert(people), rows)
        yield engine
        engine.dispose()


def finish(
    engine: Engine,
    table_id: str,
    players: tuple[str, str],
    result: str = "us by prestige",
    at: float = START,
    actions: tuple[int, int] = (9, 9),
) -> None:
    """A finished rated game, as the event log leaves it."""
    with engine.begin() as connection:
        row = {"id": table_id, "game": "13-days", "rules_version": 1, "options": {}, "secret": b"", "commitment": ""}
        at_end = {"created_at": at - 60, "status": "over", "result": result, "finished_at": at}
        connection.execute(insert(tables), [row | at_end | {"rated": True, "awaits_rating": True}])
        for side, player in enumerate(players):
            who = {"computer": player} if player.startswith("level") else {"person_id": player}
            connection.execute(insert(seats), [{"table_id": table_id, "side": side, "name": player} | who])
        turns = [side for side in (0, 1) for _ in range(actions[side])]
        for number, side in enumerate(turns, 1):
            step = {"table_id": table_id, "number": number, "kind": "action", "actor": side, "at": at}
            connection.execute(insert(records), [step])


def season(engine: Engine, games: int = 60) -> None:
    """Games of four people and a level over three months, some finished at the same instant."""
    dice = random.Random(7)
    for number in range(games):
        pair = (*dice.sample(NAMES, 2),) if number % 4 else ("level:4", dice.choice(NAMES))
        result = dice.choice(("us by prestige", "ussr by nuclear", "nobody by agreement", "ussr by time"))
        finish(engine, f"t{number:03}", (pair[0], pair[1]), result, START + (number // 2) * 3 * DAY)


def stored(engine: Engine) -> dict[str, list[Any]]:
    with engine.connect() as connection:
        found = {name: metadata.tables[name] for name in STORED}
        return {name: connection.execute(select(t).order_by(*t.primary_key)).all() for name, t in found.items()}


def test_a_game_is_rated_once_in_the_order_of_finishing(engine: Engine) -> None:
    finish(engine, "later", ("anna", "boris"), at=START + 1)
    finish(engine, "b", ("anna", "boris"))
    finish(engine, "a", ("boris", "anna"))
    assert rate_finished(engine) == ["a", "b", "later"]
    assert rate_finished(engine) == []
    first, second = ratings.changes_at(engine, "a")
    assert (first.player, first.score, second.player, second.score) == ("boris", 1, "anna", 0)
    assert first.after > 1500 > second.after
    assert [change.table_id for change in ratings.history_of(engine, "anna", "13-days")] == ["a", "b", "later"]
    assert ratings.standings_of(engine, "anna")["13-days"].games == 3


def test_a_rebuild_gives_the_same_numbers(engine: Engine) -> None:
    season(engine)
    while rate_finished(engine, 7):
        pass
    before = stored(engine)
    assert (len(before["rated_games"]), len(before["side_advantages"])) == (60, 3)
    assert rebuild(engine) == 60
    assert stored(engine) == before
    with engine.begin() as connection:
        connection.execute(update(metadata.tables["ratings"]).values(rating=1.0))
        connection.execute(update(rating_changes).values(after=1.0))
        connection.execute(update(rated_games).values(weight=0.25))
        connection.execute(tables.delete())
    rebuild(engine)
    assert stored(engine) == before


def test_a_late_result_keeps_its_place(engine: Engine) -> None:
    finish(engine, "b", ("anna", "boris"), at=START + 40 * DAY)
    rate_finished(engine)
    finish(engine, "a", ("anna", "carl"), at=START)
    rate_finished(engine)
    before = stored(engine)
    assert [row.table_id for row in sorted(before["rated_games"], key=lambda row: row.number)] == ["b", "a"]
    rebuild(engine)
    assert stored(engine) == before


def test_two_processes_rate_each_game_once(engine: Engine) -> None:
    season(engine)
    engines = [open_database(engine.url.render_as_string(hide_password=False)) for _ in range(2)]

    def work(own: Engine) -> list[str]:
        done: list[str] = []
        while more := rate_finished(own, 3):
            done += more
        return done

    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(work, engines))
    for own in engines:
        own.dispose()
    assert sorted(found[0] + found[1]) == [f"t{number:03}" for number in range(60)]
    before = stored(engine)
    rebuild(engine)
    assert stored(engine) == before


def test_a_process_that_dies_in_the_middle_leaves_nothing_half_done(engine: Engine) -> None:
    season(engine, 20)
    asked = 0

    class Killed(BaseException):
        pass

    def kill(*_: Any) -> None:
        nonlocal asked
        asked += 1
        if asked == 60:
            raise Killed

    event.listen(engine, "before_cursor_execute", kill)
    with pytest.raises(Killed):
        rate_finished(engine)
    event.remove(engine, "before_cursor_execute", kill)
    assert stored(engine)["rated_games"] == []
    assert len(rate_finished(engine)) == 20
    before = stored(engine)
    rebuild(engine)
    assert stored(engine) == before


def test_a_game_that_ended_before_anyone_had_acted_is_not_rated(engine: Engine) -> None:
    finish(engine, "a", ("anna", "boris"), "us by resignation", actions=(0, 0))
    assert rate_finished(engine) == ["a"]
    assert stored(engine)["rated_games"] == []


def test_an_unreadable_table_does_not_hold_up_the_others(engine: Engine) -> None:
    finish(engine, "a", ("anna", "boris"))
    finish(engine, "b", ("anna", "boris"))
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE tables SET options = '[1]' WHERE id = 'a'")
    rate_finished(engine)
    assert [row.table_id for row in stored(engine)["rated_games"]] == ["b"]


def test_early_resignations_between_the_same_two_are_flagged(engine: Engine) -> None:
    for number in range(3):
        finish(engine, f"e{number}", ("anna", "boris"), "us by resignation", START + number, (9, 2))
        finish(engine, f"l{number}", ("carl", "dora"), "us by resignation", START + number, (9, 9))
        finish(engine, f"c{number}", ("level:1", "dora"), "us by resignation", START + number, (9, 2))
    rate_finished(engine)
    assert ratings.suspicious_pairs(engine, START) == [ratings.Pair("boris", "anna", 3, START + 2)]
    assert ratings.suspicious_pairs(engine, START + 1) == []


def test_the_leaderboard_is_paged_by_rating(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_ledger, "LISTED_GAMES", 2)
    finish(engine, "a", ("anna", "boris"))
    finish(engine, "b", ("anna", "carl"))
    finish(engine, "c", ("carl", "boris"))
    finish(engine, "d", ("carl", "dora"))
    rate_finished(engine)
    assert ratings.leaderboard(engine, "13-days") == [], "their profiles are private"
    with engine.begin() as connection:
        for person in ("anna", "boris", "carl"):
            connection.execute(public_profiles.insert().values(person_id=person, since=1.0))
    board = ratings.leaderboard(engine, "13-days")
    assert [(row.rank, row.person_id, row.games) for row in board] == [(1, "anna", 2), (2, "carl", 3), (3, "boris", 2)]
    assert ratings.leaderboard(engine, "13-days", limit=1) == board[:1]
    assert ratings.leaderboard(engine, "13-days", "anna", 1) == board[1:2]
    assert ratings.leaderboard(engine, "13-days", "nobody") == []
    with engine.begin() as connection:
        connection.execute(update(people).where(people.c.id == "anna").values(login=None, left_at=1.0, name=""))
    assert [row.name for row in ratings.leaderboard(engine, "13-days")] == ["Carl", "Boris"]
