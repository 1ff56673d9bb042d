"""Announcements are queued once on all channels; quiet hours and daily e-mails end when their owner said."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, delete, event, insert, select

from brinkmanship.engine.message import Message, Ref
from brinkmanship.store import notices, schema
from brinkmanship.store.database import open_database
from brinkmanship.store.notices import EMAIL, NEWS, TURN, WEBHOOK, Preferences
from brinkmanship.web.accounts.contacts import ContactService, move_browser
from support.databases import KINDS, fresh_database

MINUTES = st.integers(0, 24 * 60 - 1)
MOMENTS = st.integers(1_700_000_000, 1_900_000_000)
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"])


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with fresh_database(request.param, tmp_path) as url:
        engine = open_database(url)
        with engine.begin() as connection:
            connection.execute(
                insert(schema.people), {"id": "anna", "name": "Anna", "language": "en", "created_at": 0.0}
            )
        yield engine
        engine.dispose()


def reach(engine: Engine, kind: str, place: str = "", confirmed_at: float | None = 1.0) -> None:
    row = {
        "person_id": "anna",
        "kind": kind,
        "place": place,
        "address": "a",
        "secret": "s",
        "confirmed_at": confirmed_at,
    }
    with engine.begin() as connection:
        connection.execute(insert(schema.contacts), {**row, "asked_at": 0.0, "present_at": 0.0})


def queued(engine: Engine) -> list[tuple[str, str, str]]:
    wanted = select(schema.deliveries.c.kind, schema.deliveries.c.place, schema.deliveries.c.purpose)
    with engine.connect() as connection:
        return sorted((row.kind, row.place, row.purpose) for row in connection.execute(wanted))


def test_an_announcement_is_queued_once_for_every_confirmed_contact(engine: Engine) -> None:
    reach(engine, EMAIL)
    reach(engine, "push", "phone")
    reach(engine, "push", "laptop")
    reach(engine, WEBHOOK, confirmed_at=None)
    said = Message("notices.title", {"n": 2, "of": (Ref("side", "us"), Message("nav.home")), "who": "Boris"})

    def tell(_: int) -> bool:
        with engine.begin() as connection:
            return notices.tell(connection, "anna", "challenge", said, "/t/abc")

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(tell, range(4))) == [False, False, False, True]
    assert queued(engine) == [("email", "", NEWS), ("push", "laptop", NEWS), ("push", "phone", NEWS)]
    with engine.connect() as connection:
        [id_] = connection.execute(select(schema.announcements.c.id)).scalars()
        found = notices.announcement(connection, id_)
    assert found is not None
    assert (found.message, found.path) == (said, "/t/abc")


def test_old_announcements_are_removed_with_their_deliveries(engine: Engine) -> None:
    reach(engine, EMAIL)
    with engine.begin() as connection:
        notices.tell(connection, "anna", "challenge", Message("notices.title"), "/t/abc")
        notices.remove_old_announcements(connection, time.time())
    assert len(queued(engine)) == 1
    with engine.begin() as connection:
        notices.remove_old_announcements(connection, time.time() + notices.KEPT_SECONDS + 1)
    assert queued(engine) == []


def test_the_webhook_of_a_table_replaces_the_general_one_there(engine: Engine) -> None:
    reach(engine, WEBHOOK)
    with engine.begin() as connection:
        table = {"id": "t1", "game": "13-days", "rules_version": 1, "options": {}, "secret": b"", "commitment": ""}
        connection.execute(insert(schema.tables), {**table, "created_at": 0.0, "status": "running"})
        connection.execute(insert(schema.tables), {**table, "id": "t2", "created_at": 0.0, "status": "running"})
    reach(engine, WEBHOOK, "t1")
    with engine.begin() as connection:
        for table_id in ("t1", "t2"):
            notices.queue(connection, "anna", TURN, 1.0, table_id=table_id)
        notices.tell(connection, "anna", "challenge", Message("notices.title"), "/")
    assert queued(engine) == [("webhook", "", NEWS), ("webhook", "", TURN), ("webhook", "t1", TURN)]


def test_muting_survives_and_ends(engine: Engine) -> None:
    with engine.begin() as connection:
        table = {"id": "t1", "game": "13-days", "rules_version": 1, "options": {}, "secret": b"", "commitment": ""}
        connection.execute(insert(schema.tables), {**table, "created_at": 0.0, "status": "running"})
        assert not notices.is_muted(connection, "t1", "anna")
        for is_muted in (True, True, False):
            notices.mute(connection, "t1", "anna", is_muted)
            assert notices.is_muted(connection, "t1", "anna") is is_muted


def test_server_processes_share_a_key(engine: Engine) -> None:
    with engine.begin() as connection:
        assert notices.server_key(connection, "vapid", b"1") == b"1"
        assert notices.server_key(connection, "vapid", b"2") == b"1"


def test_preferences_are_kept(engine: Engine) -> None:
    with engine.begin() as connection:
        assert notices.preferences_of(connection, "anna") == Preferences()
        for chosen in (Preferences(1320, 420, None, "Europe/Berlin"), Preferences(digest_at=480)):
            notices.keep_preferences(connection, "anna", chosen)
            assert notices.preferences_of(connection, "anna") == chosen


@given(MINUTES, MINUTES, MOMENTS, ZONES)
def test_notices_wait_for_the_end_of_quiet_hours_and_no_longer(begin: int, end: int, now: int, zone: str) -> None:
    hours = Preferences(begin, end, None, zone)
    free_at = hours.release("push", now, now)
    assert now <= free_at <= now + 25 * 3600
    if free_at > now:
        assert hours.release("push", now, free_at) == free_at
        assert begin != end


def test_quiet_hours_go_over_midnight_and_by_the_clock_of_their_owner() -> None:
    hours = Preferences(22 * 60, 7 * 60, None, "Europe/Berlin")
    berlin = ZoneInfo("Europe/Berlin")
    for now, free_at in (
        (datetime(2026, 1, 5, 23, 30, tzinfo=berlin), datetime(2026, 1, 6, 7, tzinfo=berlin)),
        (datetime(2026, 3, 29, 1, 30, tzinfo=berlin), datetime(2026, 3, 29, 7, tzinfo=berlin)),
        (datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=berlin), datetime(2026, 10, 25, 7, tzinfo=berlin)),
        (datetime(2026, 1, 6, 7, 0, tzinfo=berlin), datetime(2026, 1, 6, 7, 0, tzinfo=berlin)),
        (datetime(2026, 1, 6, 21, 59, tzinfo=berlin), datetime(2026, 1, 6, 21, 59, tzinfo=berlin)),
    ):
        at = now.timestamp()
        assert hours.release("webhook", at, at) == free_at.timestamp()


@given(MINUTES, MOMENTS, st.integers(0, 200_000), ZONES)
def test_an_e_mail_waits_for_the_next_daily_one(minute: int, made_at: int, later: int, zone: str) -> None:
    daily = Preferences(digest_at=minute, time_zone=zone)
    at = daily.release(EMAIL, made_at, made_at)
    assert made_at < at <= made_at + 25 * 3600
    assert daily.release(EMAIL, made_at, made_at + later) == max(at, made_at + later)
    assert daily.release("push", made_at, made_at) == made_at


def test_an_unknown_time_zone_is_utc() -> None:
    assert Preferences(0, 60, None, "../etc/passwd").release("push", 0, 1800) == 3600
    assert "Europe/Berlin" in notices.time_zones()


def test_no_question_about_notices_reads_a_whole_table(database: str) -> None:
    asked: list[tuple[str, object]] = []
    engine = open_database(database)

    @event.listens_for(engine, "before_cursor_execute")
    def _(_connection: object, _cursor: object, statement: str, parameters: object, *_more: object) -> None:
        asked.append((statement, parameters))

    service = ContactService(engine)
    with engine.begin() as connection:
        connection.execute(insert(schema.people), {"id": "anna", "name": "A", "language": "en", "created_at": 0.0})
        session = {"digest": "s", "person_id": "anna", "created_at": 0.0, "is_api_token": False, "label": ""}
        connection.execute(insert(schema.sessions), session)
        notices.tell(connection, "anna", "challenge", Message("notices.title"), "/")
        notices.announcement(connection, "x")
        notices.is_muted(connection, "t1", "anna")
        notices.preferences_of(connection, "anna")
        notices.remove_old_announcements(connection, 0)
        move_browser(connection, "a", "b")
        connection.execute(delete(schema.announcements))
    service.of("anna")
    service.give_browser("anna", "s", "https://example.org/", "a b", "Firefox")
    with engine.connect() as connection:
        for statement, parameters in asked.copy():
            if statement.startswith(("SELECT", "UPDATE contacts", "DELETE FROM announcements WHERE")):
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
                assert not any("SCAN" in row[3] for row in plan), (statement, plan)
    engine.dispose()
