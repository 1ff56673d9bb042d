"""Finished games are counted once, with what profiles and statistics need of them."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, update
from starlette.testclient import TestClient

from brinkmanship.analysis.pipeline import analyse
from brinkmanship.store import game_results, profiles, schema
from brinkmanship.store.analyses import AnalysisSubject
from brinkmanship.store.background_jobs import JobStore
from brinkmanship.store.database import open_database
from brinkmanship.store.schema import results_progress, tables
from brinkmanship.web.profiles import counting
from brinkmanship.web.tables.statuses import RUNNING
from support.databases import KINDS, fresh_database
from support.overlapping import overlap
from support.played_games import counted, played, played_by_invitation, resign, services_of, table_id
from support.visitors import Visitor, live, registered


def rows_of(client: TestClient, table: str) -> list[dict[str, object]]:
    """Return the results of a table's game by side."""
    wanted = select(schema.game_results).where(schema.game_results.c.table_id == table_id(table))
    with services_of(client).engine.connect() as connection:
        return [dict(row) for row in connection.execute(wanted.order_by(schema.game_results.c.side)).mappings()]


def play_to_the_end(client: TestClient, anna: Visitor, boris: Visitor, path: str) -> None:
    """Play the first legal choice until the game is over."""
    table = live(client, path)
    tokens = (anna.csrf, boris.csrf)
    while table.status == RUNNING:
        side = table.to_move[0]
        action = table.match.legal(side)[0].action
        sent = {"side": side, "version": table.version(side), "action": action, "csrf": tokens[side]}
        assert (anna, boris)[side].post(f"{path}/act", **sent).status_code == 303


def test_each_side_of_a_finished_game_gets_its_result_once(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    registered(anna, "Anna")
    table = played(anna, boris)
    assert counted(client) == 1
    assert counted(client) == 0
    first, second = rows_of(client, table)
    assert (first["score"], second["score"]) == (1, -1)
    assert (first["ending"], first["turns"], first["is_open"], first["rated"]) == ("resignation", 0, True, False)
    assert (first["opponent_id"], first["opponent_key"]) == (second["person_id"], "boris")
    assert second["opponent_key"] == "anna"


def test_a_game_to_the_end_tells_its_length_and_the_agendas_kept_first(
    client: TestClient, anna: Visitor, boris: Visitor
) -> None:
    path = anna.begin("open")
    boris.post(path.replace("/t/", "/join/"), name="Boris", csrf=boris.csrf)
    agendas = [live(client, path).match.legal(side)[0].text.removeprefix("keep ") for side in (0, 1)]
    play_to_the_end(client, anna, boris, path)
    counted(client)
    first, second = rows_of(client, path)
    assert [first["agenda"], second["agenda"]] == agendas
    assert first["turns"] == second["turns"] == sum(entry.actor < 2 for entry in live(client, path).match.entries)
    assert first["ending"] in ("points", "war")
    assert first["score"] == -second["score"]  # type: ignore[operator]


def test_games_of_one_person_on_one_screen_are_not_counted(client: TestClient, anna: Visitor) -> None:
    table = anna.begin("same")
    resign(anna, table, 0)
    assert counted(client) == 0


def test_a_game_that_cannot_be_read_is_counted_by_its_result(
    client: TestClient, anna: Visitor, boris: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = played(anna, boris)
    monkeypatch.setattr(services_of(client).tables.loader, "read", lambda _: 1 / 0)
    assert counted(client) == 1
    first, _ = rows_of(client, table)
    assert (first["score"], first["turns"], first["agenda"]) == (1, None, None)


def test_old_games_are_counted_piece_by_piece(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    paths = [played_by_invitation(anna, boris) for _ in range(3)]
    services = services_of(client)
    with services.engine.begin() as connection:  # years apart
        for number, path in enumerate(paths):
            moved = update(tables).where(tables.c.id == table_id(path)).values(finished_at=1e8 * (number + 1))
            connection.execute(moved)
    assert game_results.take_turn(services.engine, 0.0)  # makes the row of progress
    for number in range(3):
        assert counting.count_now(services.engine, services.tables, 1) == 1
        with services.engine.connect() as connection:
            assert connection.execute(select(results_progress.c.through)).scalar() == 1e8 * (number + 1)
    assert counting.count_now(services.engine, services.tables, 1) == 0


def test_a_game_that_ended_again_is_counted_again(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    table = played(anna, boris)
    counted(client)
    with services_of(client).engine.begin() as connection:
        changed = {"finished_at": tables.c.finished_at + 1, "result": "ussr by time"}
        connection.execute(update(tables).where(tables.c.id == table_id(table)).values(changed))
    assert counted(client) == 1
    first, second = rows_of(client, table)
    assert (first["score"], second["score"], first["ending"]) == (-1, 1, "time")


def analysed_game(client: TestClient, anna: Visitor, boris: Visitor) -> tuple[str, str, bytes, list[Any]]:
    """Play a game, and return its path, the id and the report of its analysis, and both results without luck."""
    path = anna.begin("open")
    boris.post(path.replace("/t/", "/join/"), name="Boris", csrf=boris.csrf)
    play_to_the_end(client, anna, boris, path)
    table = live(client, path)
    found = analyse(table.match, playouts=8)
    about = AnalysisSubject(table.id, len(table.records)).about
    return path, about, zlib.compress(found.to_json()), [pytest.approx(found.luck_adjusted(side)) for side in (0, 1)]


def test_results_without_luck_come_from_analyses_made_before_and_after(
    client: TestClient, anna: Visitor, boris: Visitor
) -> None:
    path, about, report, expected = analysed_game(client, anna, boris)
    services = services_of(client)
    with services.engine.begin() as connection:
        kept = {"about": about, "table_id": table_id(path), "report": report}
        connection.execute(schema.analyses.insert().values(kept))
    counted(client)
    assert [row["luck_adjusted"] for row in rows_of(client, path)] == expected
    with services.engine.begin() as connection:
        connection.execute(update(schema.game_results).values(luck_adjusted=None))

    async def write() -> None:
        await services.analyses._writer.write(*services.analyses._further(about, report))

    assert client.portal is not None
    client.portal.call(write)
    assert [row["luck_adjusted"] for row in rows_of(client, path)] == expected


def test_the_analysis_of_a_game_may_end_while_the_game_is_counted(
    client: TestClient, anna: Visitor, boris: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, about, report, expected = analysed_game(client, anna, boris)
    services = services_of(client)
    assert services.analyses._kept.take(about, table_id=table_id(path))
    read = game_results.latest_reports

    async def write() -> None:
        further = services.analyses._further(about, report)
        await services.analyses._writer.write(services.analyses._kept.reporting(about, report), *further)

    def then_it_ends(*given: Any) -> dict[str, bytes]:
        reports = read(*given)
        assert client.portal is not None
        client.portal.call(write)
        return reports

    monkeypatch.setattr(game_results, "latest_reports", then_it_ends)
    assert counted(client) == 1
    assert [row["luck_adjusted"] for row in rows_of(client, path)] == expected


def test_games_may_be_looked_at_again(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    old, new = played(anna, boris), played(anna, boris)
    services = services_of(client)
    with services.engine.begin() as connection:
        connection.execute(update(tables).where(tables.c.id == table_id(old)).values(finished_at=5e8, status="closed"))
    assert game_results.take_turn(services.engine, 0.0)
    assert counted(client) == 1
    with services.engine.begin() as connection:
        connection.execute(update(tables).where(tables.c.id == table_id(old)).values(status="over"))
    assert counted(client) == 0  # long before the games that are looked at
    with services.engine.begin() as connection:
        game_results.look_again(connection, 5e8)
    assert counted(client) == 1
    assert rows_of(client, old)
    with services.engine.connect() as connection:
        latest = connection.execute(select(tables.c.finished_at).where(tables.c.id == table_id(new))).scalar()
        counting.count_now(services.engine, services.tables, 50)
        assert connection.execute(select(results_progress.c.through)).scalar() == latest


@pytest.mark.parametrize("counted_before", [True, False])
def test_a_game_revealed_while_others_are_counted_is_counted_next(
    client: TestClient, anna: Visitor, boris: Visitor, monkeypatch: pytest.MonkeyPatch, counted_before: bool
) -> None:
    old, new = played(anna, boris), played(anna, boris)
    services = services_of(client)
    assert game_results.take_turn(services.engine, 0.0)
    with services.engine.begin() as connection:
        connection.execute(update(tables).where(tables.c.id == table_id(old)).values(finished_at=5e8, sealed=True))
    if counted_before:  # then counting has already come past the time of the sealed game
        assert counted(client) == 1
        with services.engine.begin() as connection:
            connection.execute(schema.game_results.delete())
    read = game_results.uncounted

    def then_reveal(*given: Any) -> list[game_results.FinishedGame]:
        found = read(*given)
        with services.engine.begin() as connection:  # as another process does at the end of a day or a round
            connection.execute(update(tables).where(tables.c.id == table_id(old)).values(sealed=False))
            game_results.look_again(connection, 5e8)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(game_results, "uncounted", then_reveal)
        assert counting.count_now(services.engine, services.tables, 50) == 1
    assert counting.count_now(services.engine, services.tables, 50) == 1
    assert rows_of(client, old)
    assert rows_of(client, new)
    assert counting.count_now(services.engine, services.tables, 50) == 0


@pytest.mark.skipif("sealed" not in tables.c, reason="no table is sealed here")
def test_a_sealed_game_is_not_counted_before_its_deal_is_open(
    client: TestClient, anna: Visitor, boris: Visitor
) -> None:
    table = played(anna, boris)
    with services_of(client).engine.begin() as connection:
        connection.execute(update(tables).where(tables.c.id == table_id(table)).values(sealed=True))
    assert counted(client) == 0
    with services_of(client).engine.begin() as connection:
        connection.execute(update(tables).where(tables.c.id == table_id(table)).values(sealed=False))
    assert counted(client) == 1


def test_what_a_guest_has_played_goes_to_their_account(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    table = played(anna, boris)
    counted(client)
    first, second = (str(row["person_id"]) for row in rows_of(client, table))
    engine = services_of(client).engine
    person = {"id": "account", "name": "Account", "language": "en", "created_at": 1.0}
    for lesson in ("first", "second"):
        profiles.keep_lesson(engine, second, "13-days", lesson)
    with engine.begin() as connection:
        connection.execute(schema.people.insert().values(person))
        connection.execute(schema.lessons_done.insert().values(person_id="account", game="13-days", lesson="first"))
        profiles.bring(connection, second, "account", [table_id(table)])
    rows = rows_of(client, table)
    assert [(row["person_id"], row["opponent_id"]) for row in rows] == [(first, "account"), ("account", first)]
    assert profiles.lessons_of(engine, "account") == {"13-days": {"first", "second"}}


@pytest.mark.parametrize("kind", KINDS)
def test_one_process_counts_at_a_time(kind: str, tmp_path: Path) -> None:
    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        assert game_results.take_turn(engine, 60.0)
        assert not game_results.take_turn(engine, 60.0)
        game_results.end_turn(engine)
        assert game_results.take_turn(engine, 60.0)
        engine.dispose()


def facts_of_a_game(engine: Engine) -> game_results.GameFacts:
    """Store a finished game without its records, and return what is counted of it."""
    row = {"id": "t", "game": "13-days", "rules_version": 1, "options": {}, "secret": b"", "commitment": ""}
    with engine.begin() as connection:
        person = {"id": "p", "name": "P", "language": "en", "created_at": 1.0}
        connection.execute(schema.people.insert().values(person))
        over = {"created_at": 1.0, "status": "over", "result": "us by prestige", "finished_at": 5.0}
        connection.execute(tables.insert().values(**row, **over, clock={"kind": "days", "days": 1}))
        seats = [
            {"table_id": "t", "side": 0, "person_id": "p", "computer": None, "name": "Äpfel"},
            {"table_id": "t", "side": 1, "person_id": None, "computer": "level:1", "name": ""},
        ]
        connection.execute(schema.seats.insert(), seats)
    assert game_results.take_turn(engine, 60.0)
    (game,) = game_results.uncounted(engine, ["13-days"], 10)
    sides = (game_results.SideFacts(1, None, None), game_results.SideFacts(-1, None, None))
    return game_results.GameFacts(game, "points", 7, sides)


def test_an_analysis_that_is_being_stored_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "luck_adjusted", lambda _: (0.25, -0.25))
    with fresh_database("postgresql", tmp_path) as url:
        engine = open_database(url)
        facts = facts_of_a_game(engine)
        analyses = JobStore(engine, schema.analyses)
        assert analyses.take("t.t.1", table_id="t")

        def end_analysis() -> None:
            with engine.begin() as connection:
                for each in (analyses.reporting("t.t.1", b"report"), *game_results.luck_statements("t", (0.25, -0.25))):
                    connection.execute(each.sql, each.row)

        def count() -> None:
            game_results.count(engine, [facts], 0.0, True)
            counting._set_luck(engine, "t")

        overlap(engine, end_analysis, count)
        with engine.connect() as connection:
            luck = connection.execute(select(schema.game_results.c.luck_adjusted)).scalars().all()
            assert sorted(luck) == [-0.25, 0.25]
        engine.dispose()


@pytest.mark.parametrize("kind", KINDS)
def test_counting_works_on_both_databases_and_twice_is_once(kind: str, tmp_path: Path) -> None:
    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        facts = facts_of_a_game(engine)
        for _ in range(2):
            game_results.count(engine, [facts], game_results.progress(engine), True)
        assert game_results.uncounted(engine, ["13-days"], 10) == []
        with engine.connect() as connection:
            assert connection.execute(select(func.count()).select_from(schema.game_results)).scalar() == 2
        for since in (0.0, 1.0, 2.0):  # before, at and after the time that it is set back to
            before = game_results.progress(engine)
            assert before is not None
            with engine.begin() as connection:
                game_results.look_again(connection, since)
            game_results.count(engine, [], before, True)
            after = game_results.progress(engine)
            assert after is not None
            assert after < before, "a run that has read the games before moves nothing"
            assert after <= since
        game_results.count(engine, [], after, True)
        assert game_results.progress(engine) == 5.0
        assert game_results.groups(engine) == [game_results.Group("13-days", None, "level:1", False, "points", 1, 1)]
        assert [length.pace for length in game_results.lengths(engine, ["time"])] == ["days"]
        game_results.keep_statistics(engine, b"1")
        game_results.keep_statistics(engine, b"2")
        assert game_results.statistics(engine) == b"2"
        assert not game_results.statistics_due(engine, 60.0)
        engine.dispose()
