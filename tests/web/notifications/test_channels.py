"""Notices by web push, announcements, quiet hours, daily e-mails, and what a player wants to hear of one table."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select, update
from starlette.testclient import TestClient

from brinkmanship.engine.message import Message
from brinkmanship.store.notices import tell
from brinkmanship.store.schema import announcements, contacts, tables
from brinkmanship.text import LANGUAGES
from brinkmanship.web.accounts.contacts import MAX_DEVICES, remove_webhooks_of_finished
from brinkmanship.web.notifications import notifier
from brinkmanship.web.server import housekeeping
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import Settings
from support.databases import KINDS, fresh_database
from support.notice_house import (
    Browser,
    House,
    Postbox,
    Receiver,
    act,
    body,
    confirmed,
    link,
    two,
    until_asked,
)
from support.visitors import Visitor, invited, live, registered, signed_in

HOUR = 3600
DAY = 24 * HOUR


@pytest.fixture
def browser(receiver: Receiver) -> Browser:
    return Browser(receiver)


def asked(house: House, people: tuple[Visitor, Visitor], table: str) -> None:
    """It is Boris's turn for a while."""
    until_asked(house, people, table, 1)
    house.later()


def browsers(house: House) -> int:
    with house.engine.connect() as connection:
        return len(connection.execute(select(contacts.c.place).where(contacts.c.kind == "push")).all())


def person(house: House, table: str) -> str:
    found = live(house.client, table).seats[1].person_id
    assert found
    return found


# Web push.


def test_a_browser_is_told_of_a_turn_while_no_page_is_open(house: House, browser: Browser) -> None:
    anna, boris, table = two(house)
    assert browser.subscribe(boris).status_code == 204
    assert "This device gets notifications" in boris.get("/account")
    asked(house, (anna, boris), table)
    house.tick()
    house.tick()
    [told] = browser.read()
    [(headers, _)] = browser.push_service.got
    assert told["title"] == "Your turn"
    assert told["body"].startswith("It is your turn in 13 Days")
    assert (told["path"], told["tag"]) == (table, table.removeprefix("/t/"))
    assert (headers["TTL"], headers["Urgency"], headers["Topic"]) == ("43200", "normal", table.removeprefix("/t/"))
    assert boris.ask("GET", "/notices/push").json()["key"] in headers["Authorization"]
    game = live(house.client, table)
    hand = game.game.known_state(game.view(1), 1)["cards"]["hand"]
    assert not any(card in json.dumps(told) for card in hand)


def test_a_message_is_urgent_where_minutes_count(house: House, browser: Browser) -> None:
    anna, boris = Visitor(house.client), Visitor(house.client)
    path = anna.begin("friend", clock="live 30 10")
    join = anna.get(path).split('id="invitation"')[0].rpartition("/join/")[2].partition('"')[0]
    boris.post(f"/join/{join}", name="Boris")
    browser.subscribe(boris)
    asked(house, (anna, boris), path)
    house.tick()
    [(headers, _)] = browser.push_service.got
    assert headers["Urgency"] == "high"


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(house: House, browser: Browser, status: int) -> None:
    anna, boris, table = two(house)
    browser.subscribe(boris)
    browser.push_service.answer = status
    asked(house, (anna, boris), table)
    house.tick()
    assert (browsers(house), house.waiting()) == (0, 0)


def test_a_browser_is_forgotten_when_its_service_refuses_on_three_days(house: House, browser: Browser) -> None:
    _, boris, table = two(house)
    browser.subscribe(boris)
    house.ahead = DAY - time.time() % DAY + 3600  # not at midnight

    def day_with(status: int) -> int:
        browser.push_service.answer = status
        for _ in range(2):
            with house.engine.begin() as connection:
                tell(connection, person(house, table), "challenge", Message("notices.title"), "/", str(house.ahead))
            house.ahead += 60
            house.tick()
        house.ahead += DAY
        return browsers(house)

    assert [day_with(status) for status in (403, 403, 201, 403, 403, 403)] == [1, 1, 1, 1, 1, 0]


def test_a_message_that_fails_is_sent_again(house: House, browser: Browser) -> None:
    anna, boris, table = two(house)
    browser.subscribe(boris)
    browser.push_service.answer = 503
    asked(house, (anna, boris), table)
    house.tick()
    assert (browsers(house), house.waiting()) == (1, 1)
    browser.push_service.answer = 201
    house.later()
    house.tick()
    assert (len(browser.read()), house.waiting()) == (2, 0)


def test_signing_out_ends_the_notifications_of_a_browser(house: House, browser: Browser) -> None:
    boris = registered(Visitor(house.client), "Boris")
    browser.subscribe(boris)
    boris.post("/account/sign-out", csrf=boris.csrf)
    assert browsers(house) == 0
    again = signed_in(house.client, "Boris")
    browser.subscribe(again)
    again.post("/account/password", old="long enough", password="another one", csrf=again.csrf)
    assert browsers(house) == 1


def test_a_guest_who_registers_keeps_the_notifications(house: House, browser: Browser) -> None:
    boris = Visitor(house.client)
    boris.begin("computer")
    browser.subscribe(boris)
    boris.post("/account/register", login="Boris", password="long enough", csrf=boris.csrf)
    assert "This device gets notifications" in boris.get("/account")


def test_a_browser_belongs_to_one_user_at_a_time(house: House, browser: Browser) -> None:
    anna, boris = Visitor(house.client), Visitor(house.client)
    for visitor in (anna, boris):
        visitor.begin("computer")
        for _ in range(2):
            assert browser.subscribe(visitor).status_code == 204
    assert browsers(house) == 1
    assert "Devices that get notifications" not in anna.get("/account")
    assert "Devices that get notifications" in boris.get("/account")


def test_of_many_browsers_the_oldest_are_forgotten(house: House, receiver: Receiver) -> None:
    boris = Visitor(house.client)
    boris.begin("computer")
    for number in range(MAX_DEVICES + 2):
        Browser(receiver, str(number)).subscribe(boris)
    with house.engine.connect() as connection:
        kept = set(connection.execute(select(contacts.c.address).where(contacts.c.kind == "push")).scalars())
    assert kept == {f"{receiver.url}/{number}" for number in range(2, MAX_DEVICES + 2)}


def test_a_browser_is_removed_on_the_account_page(house: House, browser: Browser) -> None:
    boris, anna = Visitor(house.client), Visitor(house.client)
    for visitor in (anna, boris):
        visitor.begin("computer")
    browser.subscribe(boris)
    place = boris.get("/account").partition('name="place" value="')[2].partition('"')[0]
    anna.post("/notices/forget/push", place=place, csrf=anna.csrf)
    assert browsers(house) == 1
    boris.post("/notices/forget/push", place=place, csrf=boris.csrf)
    assert browsers(house) == 0


def test_only_known_push_services_and_users_are_accepted(house: House, browser: Browser) -> None:
    boris = Visitor(house.client)
    assert boris.ask("GET", "/notices/push").status_code == 401
    boris.begin("computer")
    browser.endpoint = "https://example.org/1"
    assert browser.subscribe(boris).status_code == 422
    assert boris.post("/notices/push", endpoint="a", csrf=boris.csrf).status_code == 400


def test_without_an_address_of_the_operator_there_is_no_push(anna: Visitor) -> None:
    anna.begin("computer")
    assert anna.ask("GET", "/notices/push").status_code == 404
    assert "data-push" not in anna.get("/account")


# Announcements.


def test_an_announcement_goes_to_all_channels_once(house: House, postbox: Postbox, browser: Browser) -> None:
    _, boris, table = two(house)
    confirmed(house, postbox, boris)
    browser.subscribe(boris)
    other = House(house.client)
    for _ in range(2):
        with house.engine.begin() as connection:
            tell(
                connection, person(house, table), "challenge", Message("notices.confirm.done", {"address": "x"}), table
            )
    house.ahead = other.ahead = 60
    house.tick()
    other.tick()
    [mail] = postbox.mails
    assert mail["Subject"] == "Turn notifications will be sent to x."
    assert link(mail, "stop")
    assert table in body(mail)
    [told] = browser.read()
    assert (told["title"], told["body"]) == ("Brinkmanship", "Turn notifications will be sent to x.")
    assert told["path"] == table


def test_who_is_here_needs_no_announcement(house: House, browser: Browser) -> None:
    _, boris, table = two(house)
    browser.subscribe(boris)
    with house.engine.begin() as connection:
        tell(connection, person(house, table), "challenge", Message("notices.title"), table)
    with house.app.state.services.presence.looking(person(house, table)):
        house.ahead = 5
        house.tick()
    house.ahead = 60
    house.tick()
    assert (browser.read(), house.waiting()) == ([], 0)


def test_a_webhook_names_the_purpose_of_an_announcement(house: House, receiver: Receiver) -> None:
    _, boris, table = two(house)
    boris.post("/notices/webhook", address=receiver.url, csrf=boris.csrf)
    with house.engine.begin() as connection:
        tell(connection, person(house, table), "challenge", Message("notices.title"), "/seeks")
    house.ahead = 60
    house.tick()
    [(_, content)] = receiver.got
    told = json.loads(content)
    assert (told["event"], told["text"]) == ("challenge", "Turn notifications")
    assert told["url"].endswith("/table/seeks")


# Quiet hours and daily e-mails.


def clock_of(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%H:%M")


def test_notices_wait_for_the_end_of_quiet_hours_and_come_as_one(
    house: House, postbox: Postbox, browser: Browser
) -> None:
    anna, boris, first = two(house)
    second = invited(anna, boris, "13-minutes")
    browser.subscribe(boris)
    now = time.time()
    times = {"quiet_from": clock_of(now - HOUR), "quiet_to": clock_of(now + 2 * HOUR), "zone": "UTC"}
    assert boris.post("/notices/times", csrf=boris.csrf, **times).status_code == 303
    confirmed(house, postbox, boris)  # an e-mail that one asks for comes at once
    for table in (first, second):
        until_asked(house, (anna, boris), table, 1)
    house.later()
    house.tick()
    house.ahead = HOUR
    house.tick()
    assert (len(postbox.mails), len(browser.read())) == (0, 0)
    house.ahead = 2 * HOUR + 60
    house.tick()
    [mail] = postbox.mails
    assert mail["Subject"] == "Brinkmanship: 2 notifications"
    [told] = browser.read()
    assert told["title"] == "2 notifications"
    assert "13 Days" in told["body"]
    assert "13 Minutes" in told["body"]
    assert house.waiting() == 0


def test_a_change_of_quiet_hours_frees_what_waits(house: House, browser: Browser) -> None:
    anna, boris, table = two(house)
    browser.subscribe(boris)
    now = time.time()
    quiet = {"quiet_from": clock_of(now - HOUR), "quiet_to": clock_of(now + 2 * HOUR)}
    boris.post("/notices/times", csrf=boris.csrf, **quiet)
    asked(house, (anna, boris), table)
    house.tick()
    assert (len(browser.read()), house.waiting()) == (0, 1)
    boris.post("/notices/times", csrf=boris.csrf)
    house.tick()
    assert (len(browser.read()), house.waiting()) == (1, 0)


def test_a_change_of_quiet_hours_does_not_send_again_what_is_being_sent(house: House, browser: Browser) -> None:
    anna, boris, table = two(house)
    browser.subscribe(boris)
    asked(house, (anna, boris), table)
    house.notifier._look([])
    assert len(house.notifier._take_due(Counter())) == 1
    boris.post("/notices/times", csrf=boris.csrf, zone="Europe/Berlin")
    assert house.notifier._take_due(Counter()) == [], "it is under way"
    house.ahead = notifier.LEASE_SECONDS + 60  # its process has ended
    house.tick()
    assert (len(browser.read()), house.waiting()) == (1, 0)


def test_a_daily_e_mail_has_all_games_that_still_wait(house: House, postbox: Postbox) -> None:
    anna, boris, first = two(house)
    second, third = invited(anna, boris, "13-minutes"), invited(anna, boris, "ukrainian-crisis")
    confirmed(house, postbox, boris)
    now = time.time()
    boris.post("/notices/times", csrf=boris.csrf, digest_at=clock_of(now + 5 * HOUR))
    for table in (first, second, third):
        until_asked(house, (anna, boris), table, 1)
    house.later()
    house.tick()
    assert postbox.mails == []
    act(house, boris, first, 1)
    house.ahead = 5 * HOUR + 60
    house.tick()
    [mail] = postbox.mails
    assert mail["Subject"] == "Brinkmanship: 2 notifications"
    assert first not in body(mail)
    assert second in body(mail)
    assert third in body(mail)
    assert link(mail, "stop")


@pytest.mark.parametrize(
    "wrong",
    [
        {"quiet_from": "25:00", "quiet_to": "07:00"},
        {"quiet_from": "22:00"},
        {"quiet_to": "22:00"},
        {"digest_at": "8"},
        {"zone": "Mars/Olympus"},
        {"zone": "../../etc/passwd"},
    ],
)
def test_times_that_are_none_are_refused(anna: Visitor, wrong: dict[str, str]) -> None:
    anna.begin("computer")
    answer = anna.post("/notices/times", csrf=anna.csrf, **wrong)
    assert answer.status_code == 422
    assert "such as" in answer.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_account_page_shows_what_was_chosen(house: House, language: str) -> None:
    boris = Visitor(house.client)
    boris.cookies["language"] = language
    boris.begin("computer")
    assert "data-time-zone" in boris.get("/account")
    times = {"quiet_from": "22:30", "quiet_to": "07:00", "digest_at": "08:15", "zone": "Europe/Warsaw"}
    boris.post("/notices/times", csrf=boris.csrf, **times)
    page = boris.get("/account")
    assert all(f'value="{value}"' in page for value in times.values())
    assert "data-time-zone" not in page
    said = {"en": "Quiet hours need both", "ru": "нужны и начало, и конец", "de": "brauchen Anfang", "pl": "wymagają"}
    refused = boris.post("/notices/times", csrf=boris.csrf, quiet_from="22:00")
    assert said[language] in refused.text


# One table.


def test_a_muted_table_is_not_told_of_until_it_is_heard_again(house: House, browser: Browser) -> None:
    anna, boris, table = two(house)
    browser.subscribe(boris)
    number = table.removeprefix("/t/")
    assert boris.post(f"/notices/mute/{number}", muted="true", csrf=boris.csrf).status_code == 303
    assert "You get no notifications for this table" in boris.get(table)
    asked(house, (anna, boris), table)
    house.tick()
    assert boris.ask("GET", "/notices/turns").json() == []
    assert browser.read() == []
    boris.post(f"/notices/mute/{number}", muted="false", csrf=boris.csrf)
    assert len(boris.ask("GET", "/notices/turns").json()) == 1
    house.notifier._settled.clear()
    house.later()
    house.tick()
    assert len(browser.read()) == 1


def test_a_webhook_of_one_table_gets_its_turns_only(house: House, receiver: Receiver) -> None:
    anna, boris, first = two(house)
    second = invited(anna, boris, "13-minutes")
    number = first.removeprefix("/t/")
    shown = boris.post("/notices/webhook", address=f"{receiver.url}/one", table=number, csrf=boris.csrf)
    assert "whsec_" in shown.text
    assert f"{receiver.url}/one" in boris.get(first)
    assert f"{receiver.url}/one" not in boris.get(second) + boris.get("/account")
    for table in (first, second):
        until_asked(house, (anna, boris), table, 1)
    house.later()
    house.tick()
    [(_, content)] = receiver.got
    assert json.loads(content)["title"] == "13 Days: The Cuban Missile Crisis"
    boris.post("/notices/forget/webhook", place=number, back=first, csrf=boris.csrf)
    assert f"{receiver.url}/one" not in boris.get(first)


def test_only_players_choose_for_a_table(house: House, receiver: Receiver) -> None:
    _, _, table = two(house)
    stranger = Visitor(house.client)
    stranger.begin("computer")
    number = table.removeprefix("/t/")
    hook = {"address": receiver.url, "table": number}
    assert stranger.post("/notices/webhook", csrf=stranger.csrf, **hook).status_code == 403
    assert stranger.post(f"/notices/mute/{number}", muted="true", csrf=stranger.csrf).status_code == 403
    assert stranger.post("/notices/mute/nowhere", muted="true", csrf=stranger.csrf).status_code == 404


def test_housekeeping_removes_webhooks_of_finished_tables_and_old_announcements(
    house: House, receiver: Receiver
) -> None:
    _, boris, table = two(house)
    number = table.removeprefix("/t/")
    boris.post("/notices/webhook", address=receiver.url, csrf=boris.csrf)
    boris.post("/notices/webhook", address=receiver.url, table=number, csrf=boris.csrf)
    with house.engine.begin() as connection:
        tell(connection, person(house, table), "challenge", Message("notices.title"), "/")
        remove_webhooks_of_finished(connection)
        assert len(connection.execute(select(contacts.c.place)).all()) == 2
        connection.execute(update(tables).where(tables.c.id == number).values(finished_at=1.0))
    housekeeping._forget_notices(house.engine, time.time() + 31 * DAY)
    with house.engine.connect() as connection:
        assert connection.execute(select(contacts.c.place)).scalars().all() == [""]
        assert connection.execute(select(announcements.c.id)).all() == []


@pytest.mark.parametrize("kind", KINDS)
def test_servers_on_one_database_send_each_notice_once(
    kind: str, settings: Settings, receiver: Receiver, tmp_path: Path
) -> None:
    with fresh_database(kind, tmp_path) as url:
        shared = replace(settings, database=url, webhooks_to_private=True, notice_after_seconds=0)
        with TestClient(create_app(shared)) as first, TestClient(create_app(shared)) as second:
            houses = House(first), House(second)
            anna, boris, table = two(houses[0])
            boris.post("/notices/webhook", address=receiver.url, csrf=boris.csrf)
            boris.post("/notices/times", csrf=boris.csrf, quiet_from="00:00", quiet_to="00:00")
            until_asked(houses[0], (anna, boris), table, 1)
            houses[0].later()
            for house in houses:
                with house.engine.begin() as connection:
                    tell(connection, person(houses[0], table), "challenge", Message("notices.title"), "/")
                house.ahead = 60
            for house in (*houses, *houses):
                house.tick()
            assert sorted(json.loads(content)["event"] for _, content in receiver.got) == ["challenge", "turn"]
            assert houses[1].waiting() == 0
