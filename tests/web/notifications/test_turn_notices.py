"""Turn notices: who is told, when, once; by mails a real SMTP server takes, and by webhooks a real receiver checks."""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import OperationalError
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
from starlette.testclient import TestClient

from brinkmanship.store import notices
from brinkmanship.store.database import open_database
from brinkmanship.store.schema import contacts, deliveries, mails, people, recoveries
from brinkmanship.text import LANGUAGES
from brinkmanship.web.accounts import mail_rate_limit
from brinkmanship.web.accounts.contacts import ContactService
from brinkmanship.web.notifications.notifier import WAIT_AFTER_FAILURE
from brinkmanship.web.notifications.turn import turn_of
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.errors import TooManyError
from brinkmanship.web.support.settings import SettingError, Settings, from_environment
from brinkmanship.web.support.tokens import digest
from support.browsing import form_of, start_game, wait_for
from support.databases import KINDS, fresh_database
from support.notice_house import SITE, House, Postbox, Receiver, act, body, confirmed, link, two, until_asked
from support.visitors import Visitor, invited, live


def test_nothing_is_sent_to_an_address_that_was_not_confirmed(house: House, postbox: Postbox) -> None:
    anna, boris, table = two(house)
    boris.post("/notices/email", address="boris@example.org", csrf=boris.csrf)
    house.tick()
    assert [mail["Subject"] for mail in postbox.mails] == ["Brinkmanship: confirm your address"]
    until_asked(house, (anna, boris), table, 1)
    house.later()
    house.tick()
    assert len(postbox.mails) == 1
    assert "confirm" in boris.get("/account")
    path = link(postbox.mails[0], "confirm")
    assert "Send turn notifications to" in boris.get(path)  # looking at the link confirms nothing
    house.tick()
    assert len(postbox.mails) == 1
    assert boris.ask("POST", path[:-1] + "0" * (path[-1] != "0") + "1" * (path[-1] == "0")).status_code == 403
    boris.post(path)
    house.later()
    house.tick()
    assert [mail["To"] for mail in postbox.mails] == ["boris@example.org"] * 2


def test_a_turn_that_the_database_refused_to_queue_is_told_later(
    house: House, postbox: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, boris, table = two(house)
    confirmed(house, postbox, boris)
    until_asked(house, (anna, boris), table, 1)
    house.later()

    def refuse(*_: object, **__: object) -> None:
        raise OperationalError("INSERT", {}, Exception("the database is locked"))

    with monkeypatch.context() as now:
        now.setattr(notices, "queue", refuse)
        with pytest.raises(OperationalError):
            house.tick()
    house.tick()
    assert len(postbox.mails) == 1


def test_a_turn_is_told_once(house: House, postbox: Postbox) -> None:
    anna, boris, table = two(house)
    confirmed(house, postbox, boris)
    until_asked(house, (anna, boris), table, 1)
    house.later()
    for _ in range(3):
        house.tick()
    [mail] = postbox.mails
    assert mail["Subject"] == "Your turn: 13 Days: The Cuban Missile Crisis"
    assert f"{SITE}{table}" in body(mail)
    assert "Anna" in body(mail)
    game = live(house.client, table)
    hand = game.game.known_state(game.view(1), 1)["cards"]["hand"]
    assert not any(card in body(mail) for card in hand)
    # What he does himself, and is asked again for, is no new turn; the next one of his is.
    act(house, boris, table, 1)
    house.later()
    house.tick()
    assert len(postbox.mails) == 1
    if turn_of(game, 1) is None and game.to_move == [1]:
        while game.to_move == [1]:
            act(house, boris, table, 1)
    until_asked(house, (anna, boris), table, 1)
    house.later()
    house.tick()
    assert len(postbox.mails) == 2


def test_a_second_process_and_a_restart_tell_nothing_again(house: House, postbox: Postbox) -> None:
    anna, boris, table = two(house)
    confirmed(house, postbox, boris)
    until_asked(house, (anna, boris), table, 1)
    house.later()
    other = House(house.client)
    postbox.closed = True
    house.tick()  # claimed, but the mail was not taken
    assert postbox.mails == []
    postbox.closed = False
    house.later()
    other.tick()  # a process that knows only the database
    house.tick()
    House(house.client).tick()
    assert len(postbox.mails) == 1
    assert house.waiting() == 0


def test_who_is_looking_is_not_told(house: House, postbox: Postbox) -> None:
    anna, boris, table = two(house)
    confirmed(house, postbox, boris)
    until_asked(house, (anna, boris), table, 1)
    house.later()
    person = live(house.client, table).seats[1].person_id
    with house.app.state.services.presence.looking(person):
        house.tick()
    house.tick()  # he has seen it, and is away now
    assert postbox.mails == []


def test_a_tab_that_lies_open_is_nobody_looking(house: House, postbox: Postbox) -> None:
    anna, boris, table = two(house)
    confirmed(house, postbox, boris)
    until_asked(house, (anna, boris), table, 1)
    house.later()
    presence, person = house.app.state.services.presence, live(house.client, table).seats[1].person_id
    with presence.looking(person):
        presence._alive[person] -= 31 * 60
        house.tick()
        assert len(postbox.mails) == 1
        presence.sign_of_life(person)
        assert presence.among([person]) == [person]


def test_a_secret_choice_of_the_other_is_told_to_nobody(house: House, postbox: Postbox) -> None:
    anna, boris, table = two(house)
    confirmed(house, postbox, boris)
    house.tick()
    house.later()
    house.tick()
    assert len(postbox.mails) == 1  # the game has begun: he may choose his agenda
    act(house, anna, table, 0)
    house.later()
    house.tick()
    assert len(postbox.mails) == 1
    assert turn_of(live(house.client, table), 1) == 0


def test_a_notice_does_not_wait_for_a_secret_choice_of_the_other(house: House, postbox: Postbox) -> None:
    anna, boris, table = two(house)
    confirmed(house, postbox, boris)
    house.later()
    house.client.app.state.services.tables._live.clear()  # type: ignore[attr-defined]
    anna.get(table)  # it is read again
    act(house, anna, table, 0)  # a moment ago: it puts off no notice
    with house.engine.begin() as connection:
        connection.execute(update(contacts).values(present_at=0))
    house.notifier._settings = replace(house.notifier._settings, notice_after_seconds=600)
    house.tick()
    assert len(postbox.mails) == 1


def test_a_mail_that_fails_is_tried_again_and_at_last_given_up(
    house: House, postbox: Postbox, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    anna, boris, table = two(house)
    confirmed(house, postbox, boris)
    until_asked(house, (anna, boris), table, 1)
    house.later()
    postbox.closed = True
    for left in (*([1] * len(WAIT_AFTER_FAILURE)), 0):
        house.tick()
        assert house.waiting() == left
        house.tick()  # not due yet
        house.later()
    assert postbox.mails == []
    with house.engine.connect() as connection:
        secret = connection.execute(select(contacts.c.secret)).scalar_one()
    assert "a turn notification was dropped" in caplog.text
    ours = "".join(str(vars(record)) for record in caplog.records if record.name.startswith("brinkmanship"))
    assert "boris@example.org" not in ours
    assert secret not in ours


def test_a_turn_that_has_passed_is_not_told(house: House, postbox: Postbox) -> None:
    anna, boris, table = two(house)
    confirmed(house, postbox, boris)
    until_asked(house, (anna, boris), table, 1)
    house.later()
    postbox.closed = True
    house.tick()
    postbox.closed = False
    act(house, boris, table, 1)
    house.later()
    house.tick()
    assert postbox.mails == []
    assert house.waiting() == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_mails_are_in_the_readers_language(house: House, postbox: Postbox, language: str) -> None:
    anna, boris = Visitor(house.client), Visitor(house.client)
    boris.cookies["language"] = language
    table = invited(anna, boris)
    confirmed(house, postbox, boris)
    until_asked(house, (anna, boris), table, 1)
    house.later()
    house.tick()
    subjects = {"en": "Your turn", "ru": "Ваш ход", "de": "Du bist am Zug", "pl": "Twoja kolej"}
    assert postbox.mails[0]["Subject"].startswith(subjects[language])


def test_every_mail_can_be_stopped_by_its_link(house: House, postbox: Postbox) -> None:
    anna, boris, table = two(house)
    confirmed(house, postbox, boris)
    until_asked(house, (anna, boris), table, 1)
    house.later()
    house.tick()
    mail = postbox.mails.pop()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert link(mail, "stop") in mail["List-Unsubscribe"]
    stranger = Visitor(house.client)
    assert "Yes, stop" in stranger.get(link(mail, "stop"))
    assert stranger.post(link(mail, "stop")).status_code == 200  # mail programs do it without a session
    assert "boris@example.org" not in boris.get("/account")
    assert stranger.post(link(mail, "stop")).status_code == 403
    house.later()
    house.tick()
    assert postbox.mails == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_headers_reach_the_mail_server_as_programs_read_them(house: House, postbox: Postbox, language: str) -> None:
    anna, boris = Visitor(house.client), Visitor(house.client)
    boris.cookies["language"] = language
    invited(anna, boris)
    boris.post("/notices/email", address="Boris@Example.ORG", csrf=boris.csrf)
    house.tick()
    head, _, _ = postbox.raw[0].partition(b"\r\n\r\n")
    lines = head.decode("ascii").split("\r\n")
    stop = SITE + link(postbox.mails[0], "stop")
    assert f"List-Unsubscribe: <{stop}>" in lines  # one line, nothing encoded: long though it is
    assert len(stop) > 78
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in lines
    assert "To: boris@example.org" in lines
    assert "Auto-Submitted: auto-generated" in lines
    assert all(len(line) <= 78 for line in lines if not line.startswith("List-Unsubscribe:"))


def test_forgetting_an_address_does_not_fill_a_mailbox(house: House, postbox: Postbox) -> None:
    statuses = []
    for spelling in ("x@example.org", "X@example.org", "x@Example.Org", "x@example.ORG", "x@example.org"):
        guest = Visitor(house.client)
        guest.begin("computer")
        statuses.append(guest.post("/notices/email", address=spelling, csrf=guest.csrf).status_code)
        house.tick()
        guest.post("/notices/forget/email", csrf=guest.csrf)
    assert statuses == [303, 303, 303, 429, 429]
    assert [mail["To"] for mail in postbox.mails] == ["x@example.org"] * 3
    again = guest.post("/notices/email", address="other@example.org", csrf=guest.csrf)
    assert again.status_code == 303
    guest.post("/notices/forget/email", csrf=guest.csrf)
    again = guest.post("/notices/email", address="third@example.org", csrf=guest.csrf)
    assert again.status_code == 429  # who asks is counted too
    assert "Wait a minute" in again.text
    with house.engine.begin() as connection:
        connection.execute(update(mails).values(at=mails.c.at - 25 * 3600))
    guest = Visitor(house.client)
    guest.begin("computer")
    assert guest.post("/notices/email", address="x@example.org", csrf=guest.csrf).status_code == 303
    mail_rate_limit.forget_old(house.engine, time.time())
    with house.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(mails)).scalar() == 3  # mailbox, person, address


@pytest.mark.parametrize("kind", KINDS)
def test_of_many_who_ask_at_once_only_so_many_are_sent_a_mail(kind: str, tmp_path: Path) -> None:
    def ask(number: int) -> bool:
        together.wait()
        try:
            service.give_email(f"p{number}", "x@example.org")
        except TooManyError:
            return False
        return True

    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        service = ContactService(engine)
        together = threading.Barrier(8)
        with engine.begin() as connection:
            row = {"name": "Anna", "language": "en", "created_at": 0.0}
            connection.execute(insert(people), [{"id": f"p{number}", **row} for number in range(8)])
        with ThreadPoolExecutor(8) as threads:
            taken = list(threads.map(ask, range(8)))
        with engine.connect() as connection:
            waiting = connection.execute(select(func.count()).select_from(deliveries)).scalar()
        assert 1 <= sum(taken) <= 3
        assert waiting == sum(taken)
        engine.dispose()


def test_a_mailbox_is_not_flooded_with_confirmations(house: House) -> None:
    first = Visitor(house.client)
    first.begin("computer")
    assert first.post("/notices/email", address="x@example.org", csrf=first.csrf).status_code == 303
    assert first.post("/notices/email", address="y@example.org", csrf=first.csrf).status_code == 429
    statuses = []
    for _ in range(3):
        guest = Visitor(house.client)
        guest.begin("computer")
        statuses.append(guest.post("/notices/email", address="x@example.org", csrf=guest.csrf).status_code)
    assert statuses == [303, 303, 429]
    for address in ("nobody", "a@b", "a b@example.org", "a@example.org\nBcc: c@example.org"):
        guest = Visitor(house.client)
        guest.begin("computer")
        assert guest.post("/notices/email", address=address, csrf=guest.csrf).status_code == 422


# The way back to an account.


def has_account(house: House, postbox: Postbox, name: str) -> Visitor:
    """Somebody with an account and a confirmed address."""
    visitor = Visitor(house.client)
    visitor.begin("computer")
    visitor.post("/account/register", login=name, password="long enough", csrf=visitor.csrf)
    confirmed(house, postbox, visitor)
    return visitor


def asks(house: House, address: str) -> Any:
    """What is answered to who asks for a link."""
    return Visitor(house.client).post("/account/recover", address=address)


def way_back(house: House, postbox: Postbox) -> str:
    """Where the link in a new mail leads."""
    with house.engine.begin() as connection:
        connection.execute(delete(mails))  # the limit is for other tests
    assert asks(house, " BORIS@example.org ").status_code == 200
    house.tick()
    found = re.search(rf"{SITE}(/account/recover/\S+)", body(postbox.mails.pop()))
    assert found
    return found[1]


def test_a_forgotten_password_is_set_anew_with_a_link_that_works_once(house: House, postbox: Postbox) -> None:
    def signs_in(password: str) -> bool:
        answer = Visitor(house.client).post("/account/sign-in", login="Boris", password=password)
        return bool(answer.status_code == 303)

    boris = has_account(house, postbox, "Boris")
    token = re.search(r'value="([^"]+)" id="token"', boris.post("/account/token", csrf=boris.csrf).text)
    assert token
    path = way_back(house, postbox)
    with house.engine.connect() as connection:
        kept = str(connection.execute(select(recoveries)).all())
    assert digest(path.rpartition("/")[2]) in kept
    assert path.rpartition("/")[2] not in kept  # only its digest is kept
    stranger = Visitor(house.client)
    for _ in range(2):  # looking uses nothing up
        assert "boris" in stranger.get(path)
    short = stranger.post(path, password="short")
    assert short.status_code == 422
    assert "too short" in short.text
    assert stranger.post(path, password="another password").status_code == 303
    assert "Sign out" in stranger.get("/account")
    assert "Sign out" not in boris.get("/account")
    bearer = {"authorization": f"Bearer {token[1]}"}
    assert house.client.get("/api/v1/tables", headers=bearer).status_code == 401
    again = Visitor(house.client).post(path, password="a third password")
    assert again.status_code == 403
    assert "has expired" in again.text
    assert Visitor(house.client).ask("GET", path).status_code == 403
    assert [signs_in(password) for password in ("long enough", "another password")] == [False, True]


def test_a_way_back_ends_with_its_time_with_a_new_password_and_with_the_address(house: House, postbox: Postbox) -> None:
    def is_good(path: str) -> bool:
        return bool(Visitor(house.client).ask("GET", path).status_code == 200)

    boris = has_account(house, postbox, "Boris")
    late = way_back(house, postbox)
    assert is_good(late)
    with house.engine.begin() as connection:
        connection.execute(update(recoveries).values(expires_at=time.time() - 1))
    assert not is_good(late)
    assert Visitor(house.client).post(late, password="long enough").status_code == 403
    other = way_back(house, postbox)
    boris.post("/account/password", old="long enough", password="long enough too", csrf=boris.csrf)
    assert not is_good(other)
    third = way_back(house, postbox)
    boris.post("/notices/forget/email", csrf=boris.csrf)
    assert not is_good(third)


def test_nobody_learns_whether_an_account_has_an_address(house: House, postbox: Postbox) -> None:
    has_account(house, postbox, "Boris")
    unconfirmed, guest = Visitor(house.client), Visitor(house.client)
    for visitor, address in ((unconfirmed, "later@example.org"), (guest, "guest@example.org")):
        visitor.begin("computer")
        visitor.post("/notices/email", address=address, csrf=visitor.csrf)
    unconfirmed.post("/account/register", login="Later", password="long enough", csrf=unconfirmed.csrf)
    house.tick()
    [to_guest] = [mail for mail in postbox.mails if mail["To"] == "guest@example.org"]
    guest.post(link(to_guest, "confirm"))
    postbox.mails.clear()
    addresses = ("boris@example.org", "later@example.org", "guest@example.org", "nobody@example.org")
    assert len({asks(house, address).text for address in addresses}) == 1
    house.tick()
    # The guest may be told at that moment that it is his turn against the computer.
    mails = [mail for mail in postbox.mails if "password" in mail["Subject"]]
    assert [mail["To"] for mail in mails] == ["boris@example.org"]
    for address in ("boris@example.org", "nobody@example.org"):
        assert [asks(house, address).status_code for _ in range(3)] == [200, 200, 429]
    assert asks(house, "none").status_code == 422


def test_a_server_without_mail_says_so_where_a_password_is_forgotten(client: TestClient) -> None:
    stranger = Visitor(client)
    assert "/account/recover" not in stranger.get("/account")
    assert "This server does not send e-mail." in stranger.get("/account/recover")
    assert stranger.post("/account/recover", address="boris@example.org").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_mail_with_the_way_back_is_in_the_readers_language(house: House, postbox: Postbox, language: str) -> None:
    boris = has_account(house, postbox, "Boris")
    boris.post("/language", language=language)
    asks(house, "boris@example.org")
    house.tick()
    subjects = {"en": "set a new password", "ru": "новый пароль", "de": "neues Passwort setzen", "pl": "nowe hasło"}
    assert postbox.mails[0]["Subject"] == f"Brinkmanship: {subjects[language]}"


# Webhooks.


def test_a_webhook_is_signed_with_the_secret_that_was_shown_once(house: House, receiver: Receiver) -> None:
    anna, boris, table = two(house)
    url = f"http://127.0.0.1:{receiver.server_port}/turns?x=1"
    shown = boris.post("/notices/webhook", address=url, csrf=boris.csrf)
    secret = re.search(r'value="(whsec_[\w+/=]{40,})" id="secret"', shown.text)
    assert secret
    assert secret[1] not in boris.get("/account")
    until_asked(house, (anna, boris), table, 1)
    house.later()
    house.tick()
    house.tick()
    [(headers, content)] = receiver.got
    told = Webhook(secret[1]).verify(content, headers)  # as receivers do it
    assert headers["webhook-id"].startswith("msg_")
    with pytest.raises(WebhookVerificationError):
        Webhook(secret[1]).verify(content + b" ", headers)
    assert told == json.loads(content)
    assert told["event"] == "turn"
    assert told["title"] == "13 Days: The Cuban Missile Crisis"
    assert (told["table"], told["side"], told["opponent"]) == (table.removeprefix("/t/"), "ussr", "Anna")
    boris.post("/notices/forget/webhook", csrf=boris.csrf)
    assert url not in boris.get("/account")


def test_a_receiver_that_sends_elsewhere_is_not_followed(house: House, receiver: Receiver) -> None:
    anna, boris, table = two(house)
    boris.post("/notices/webhook", address=f"http://127.0.0.1:{receiver.server_port}/", csrf=boris.csrf)
    until_asked(house, (anna, boris), table, 1)
    house.later()
    receiver.answer = 302
    house.tick()
    assert len(receiver.got) == 1
    assert house.waiting() == 1  # a failure, to be tried again
    receiver.answer = 200
    house.later()
    house.tick()
    assert (len(receiver.got), house.waiting()) == (2, 0)
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1


@pytest.mark.parametrize(
    "url", ["http://example.org/", "https://", "file:///etc/passwd", "https://a:b@example.org/", "https://x:99999999/"]
)
def test_a_webhook_is_an_https_url(settings: Settings, url: str) -> None:
    with TestClient(create_app(settings)) as client:
        visitor = Visitor(client)
        visitor.begin("computer")
        assert visitor.post("/notices/webhook", address=url, csrf=visitor.csrf).status_code == 422
        assert visitor.post("/notices/email", address="a@example.org", csrf=visitor.csrf).status_code == 404


def test_without_a_public_address_no_mail_is_sent(
    settings: Settings, postbox: Postbox, caplog: pytest.LogCaptureFixture
) -> None:
    settings = replace(settings, smtp_host="127.0.0.1", smtp_port=postbox.port, smtp_from="brink@example.org")
    with TestClient(create_app(settings)) as client:
        visitor = Visitor(client)
        visitor.begin("computer")
        assert "This server does not send e-mail." in visitor.get("/account", host="evil.example.org")
        given = visitor.ask("POST", "/notices/email", {"address": "a@example.org", "csrf": visitor.csrf}, host="evil")
        assert given.status_code == 404
    assert "BRINK_PUBLIC_URL is not" in caplog.text


@pytest.mark.parametrize("wrong", ["example.org", "ftp://example.org", "https://", "https://a b", "https://a/?x=1"])
def test_the_public_address_is_one(wrong: str) -> None:
    with pytest.raises(SettingError, match=r"like https://example\.org"):
        from_environment({"BRINK_PUBLIC_URL": wrong})
    assert from_environment({"BRINK_PUBLIC_URL": "https://example.org/"}).public_url == "https://example.org"


def test_settings_of_mail_are_checked_and_the_password_is_not_shown() -> None:
    given = {"BRINK_SMTP_HOST": "mail", "BRINK_SMTP_FROM": "a@b.org", "BRINK_SMTP_PASSWORD": "hush"}
    assert "hush" not in repr(from_environment(given))
    for wrong in ({"BRINK_SMTP_HOST": "mail"}, {**given, "BRINK_SMTP_SECURITY": "maybe"}):
        with pytest.raises(SettingError):
            from_environment(wrong)


# In the browser.


def test_the_browser_is_told_of_tables_that_wait(house: House) -> None:
    anna, boris, table = two(house)
    until_asked(house, (anna, boris), table, 1)
    [told] = boris.ask("GET", "/notices/turns").json()
    assert told["table"] == table.removeprefix("/t/")
    assert told["turn"] == turn_of(live(house.client, table), 1)
    assert anna.ask("GET", "/notices/turns").json() == []
    assert Visitor(house.client).ask("GET", "/notices/turns").json() == []


def test_a_browser_notifies_once_and_asks_only_on_a_click(visit: Callable[..., Any], server: Any) -> None:
    page = visit()
    page.context.grant_permissions([])
    page.add_init_script(
        """window.rung = []; window.asked = 0;
        window.Notification = class extends EventTarget {
          constructor(title, more) { super(); window.rung.push([title, more.body, more.tag]); }
          close() {}
          static permission = localStorage.getItem("may") ?? "default";
          static async requestPermission() {
            window.asked += 1; localStorage.setItem("may", "granted"); return (this.permission = "granted");
          }
        };"""
    )
    form = form_of(page, "13-days")
    form.locator("input[name=name]").fill("Anna")
    start_game(form, "friend")
    page.wait_for_selector("#state")
    link = page.input_value("#invitation")
    page.goto(server.url + "/account")
    assert page.evaluate("window.asked") == 0
    page.click("[data-notify]")
    assert page.evaluate("window.asked") == 1
    page.wait_for_selector("[data-notify]:disabled")
    other = visit(link.removeprefix(server.url))
    other.fill("input[name=name]", "Boris")
    other.click("button.primary")
    other.wait_for_selector("#state[data-dealing]:not(:has(#deal))")  # Boris's bytes are there, Anna's are not
    for _ in range(2):
        page.evaluate("window.bell.look()")
    wait_for(page, "window.rung.length > 0")
    page.reload()
    page.evaluate("window.bell.look()")
    assert page.evaluate("window.rung.length") == 0  # all tabs know that it was told
