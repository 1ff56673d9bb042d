"""Accounts: one name in every spelling, and what becomes of an account over time."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, text, update
from starlette.testclient import TestClient

from brinkmanship.store import moderation
from brinkmanship.store.database import MIGRATIONS, migrate, open_database
from brinkmanship.store.schema import sessions
from brinkmanship.web.accounts.account_service import HANDLE_LENGTH, MAX_TOKENS, AccountService, recovery_token
from brinkmanship.web.accounts.users import Person, UserService
from brinkmanship.web.support.display_names import LOGIN_LENGTH, login_key
from brinkmanship.web.support.errors import ForbiddenError, IllegalError
from brinkmanship.web.support.tokens import digest
from support.databases import KINDS, fresh_database
from support.overlapping import overlap
from support.visitors import Visitor, registered, signed_in

NAMES = ["Zoë", "Łukasz Żółć", "Пётр Чайковский", "Straße", "Ǆ", "①", "ﬁn", "Ａｎｎａ", "각", "ΣΊΣΥΦΟΣ", "İ"]
FORMS = ("NFC", "NFD", "NFKC", "NFKD")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_the_same_in_every_spelling(name: str) -> None:
    spellings = {unicodedata.normalize(form, name) for form in FORMS} | {f" {name}\u200b ", name.casefold()}
    assert len({login_key(spelling) for spelling in spellings}) == 1
    assert login_key("Anna") == login_key("ANNA") != login_key("Anne")


@pytest.mark.parametrize("name", ["", " ", "\0", "\u200b\u200e", "ß" * 30, "\ufdfa" * 30, "x" * 10_000])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(IllegalError):
        login_key(name)


def test_who_registers_with_letters_and_accents_apart_signs_in_with_either(anna: Visitor, boris: Visitor) -> None:
    registered(anna, unicodedata.normalize("NFD", "Zoë Żak"))
    for spelling in ("Zoë Żak", unicodedata.normalize("NFD", "ZOË ŻAK"), " zoë  żak "):
        visitor = Visitor(boris.client)
        assert visitor.post("/account/sign-in", login=spelling, password="long enough").status_code == 303
        assert "Zoë Żak" in visitor.get("/account")
    boris.begin("computer")
    taken = boris.post("/account/register", login="zoë żak", password="long enough", csrf=boris.csrf)
    assert taken.status_code == 422
    assert "This name already has an account" in taken.text


def test_registering_twice_says_so_and_changes_nothing(anna: Visitor, boris: Visitor) -> None:
    registered(anna, "Anna")
    again = anna.post("/account/register", login="Anna II", password="another one", csrf=anna.csrf)
    assert again.status_code == 422
    assert "You already have an account; nothing has been changed." in again.text
    assert boris.post("/account/sign-in", login="Anna II", password="another one").status_code == 403
    assert boris.post("/account/sign-in", login="Anna", password="another one").status_code == 403
    assert boris.post("/account/sign-in", login="Anna", password="long enough").status_code == 303


@pytest.mark.parametrize("login", ["\0", "", "x" * 60, "ß" * 30, "a\0b"])
def test_a_wrong_name_is_no_fault_of_the_server(anna: Visitor, login: str) -> None:
    anna.begin("computer")
    assert anna.post("/account/sign-in", login=login, password="long enough").status_code in (400, 403, 422)


def at_revision(url: str, revision: str) -> Engine:
    """A database as an earlier program left it."""
    engine = create_engine(url)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    return engine


@pytest.mark.parametrize("kind", KINDS)
def test_logins_of_an_older_program_are_spelled_alike(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # In the order they came: the third and fourth are the first in other letters, and the last one's name is taken.
    logins = ["fin", "ﬁnn", "ﬁn", "ｆｉｎ", None, "zoe\u0308", "fin-2"]
    with fresh_database(kind, tmp_path) as url:
        engine = at_revision(url, "0005")
        with engine.begin() as connection:
            for number, login in enumerate(logins):
                connection.execute(
                    text("INSERT INTO people (id, name, login, language, created_at) VALUES (:id, 'x', :n, 'en', :at)"),
                    {"id": f"p{number}", "n": login, "at": float(number)},
                )
            connection.execute(
                text(
                    "INSERT INTO contacts (person_id, kind, address, secret, site, asked_at, present_at)"
                    " VALUES ('p0', 'email', 'A@Example.org', 's', 'http://evil', 0, 0)"
                )
            )
        migrate(engine)
        with engine.connect() as connection:
            found = connection.execute(text("SELECT login FROM people ORDER BY created_at")).scalars().all()
            assert connection.execute(text("SELECT address FROM contacts")).scalar() == "a@example.org"
        engine.dispose()
    assert found == ["fin", "finn", "fin-2", "fin-3", None, "zoë", "fin-2-2"]
    assert all(login is None or (login_key(login) == login and len(login) <= LOGIN_LENGTH) for login in found)
    assert caplog.text.count("two accounts had the same name") == 3


# The password, and where one is signed in.

PHONE = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0"


def is_known(visitor: Visitor) -> bool:
    """Whether a browser is still signed in."""
    return "Sign out" in visitor.get("/account")


def program(visitor: Visitor, label: str) -> dict[str, str]:
    """The headers of a program that plays for somebody."""
    made = visitor.post("/account/token", label=label, csrf=visitor.csrf)
    token = re.search(r'value="([^"]+)" id="token"', made.text)
    assert token, made.text
    return {"authorization": f"Bearer {token[1]}"}


def handles(visitor: Visitor) -> dict[str, str]:
    """What can be ended on one's page: the names in its forms, by their labels."""
    found = re.findall(r'name="handle" value="(\w+)">\s*<button aria-label="Revoke: ([^"]*)"', visitor.get("/account"))
    return {label: handle for handle, label in found}


def test_a_changed_password_signs_out_all_other_browsers_and_no_program(client: TestClient, anna: Visitor) -> None:
    def change(old: str, new: str) -> int:
        status: int = anna.post("/account/password", old=old, password=new, csrf=anna.csrf).status_code
        return status

    registered(anna, "Anna")
    phone, bot = signed_in(client, "Anna"), program(anna, "my bot")
    assert change("not this one", "a new password") == 403
    assert change("long enough", "short") == 422
    assert is_known(phone)
    assert change("long enough", "a new password") == 200
    assert (is_known(anna), is_known(phone)) == (True, False)
    assert client.get("/api/v1/tables", headers=bot).status_code == 200
    assert phone.post("/account/sign-in", login="Anna", password="long enough").status_code == 403
    assert is_known(signed_in(client, "Anna", "a new password"))


def test_sessions_and_tokens_are_listed_and_ended(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    registered(anna, "Anna")
    phone, other, bot = (
        signed_in(client, "Anna", agent=PHONE),
        signed_in(client, "Anna", agent=LINUX),
        program(anna, "my <bot>"),
    )
    assert client.get("/api/v1/tables", headers=bot).status_code == 200
    ends = handles(anna)
    assert set(ends) == {"Chrome, Android", "Firefox, Linux", "my &lt;bot&gt;"}  # not the one she reads this in
    boris.begin("computer")
    assert boris.post("/account/revoke", handle=ends["my &lt;bot&gt;"], csrf=boris.csrf).status_code == 404
    assert anna.post("/account/revoke", handle=ends["my &lt;bot&gt;"], csrf=anna.csrf).status_code == 303
    assert client.get("/api/v1/tables", headers=bot).status_code == 401
    assert anna.post("/account/revoke", handle=ends["Chrome, Android"], csrf=anna.csrf).status_code == 303
    assert (is_known(phone), is_known(other), is_known(anna)) == (False, True, True)
    third = signed_in(client, "Anna")
    assert anna.post("/account/sign-out-others", csrf=anna.csrf).status_code == 303
    assert (is_known(other), is_known(third), is_known(anna)) == (False, False, True)
    assert handles(anna) == {}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    opened = open_database(f"sqlite:///{tmp_path / 'people.sqlite3'}")
    yield opened
    opened.dispose()


def test_a_session_that_is_ended_is_ended_in_every_process(engine: Engine) -> None:
    there = UserService(engine)
    here = UserService(engine, changed=there.forget)  # as the channel tells it
    person, first = here.add_guest("Anna", "en")
    second = here.open_session(person.id)
    assert there.by_token(second) == person
    AccountService(engine, here).sign_out_others(person.id, first)
    assert there.by_token(second) is None
    assert there.by_token(first) == person


@pytest.mark.parametrize("ends", ["its end", "a measure"])
def test_a_session_that_ends_while_it_is_looked_up_is_not_remembered(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    people = UserService(engine)
    accounts = AccountService(engine, people)
    person, token = people.add_guest("Anna", "en")
    look_up = people._by_token

    def then_it_ends(token: str, is_api_token: bool) -> Person | None:
        found = look_up(token, is_api_token)
        if ends == "its end":
            accounts.revoke(person.id, digest(token)[:HANDLE_LENGTH])
        else:
            with engine.begin() as connection:
                moderation.impose(connection, moderation.OPERATOR, person.id, moderation.CLOSED, "", "", None, 0.0)
            people.forget_everywhere(person.id)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(people, "_by_token", then_it_ends)
        assert people.by_token(token) == person, "the request came before the end"
    assert people.by_token(token) is None


def test_only_so_many_sessions_are_remembered(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brinkmanship.web.accounts.users.MAX_REMEMBERED", 2)
    people = UserService(engine)
    tokens = [people.add_guest("Anna", "en")[1] for _ in range(3)]
    for token in tokens:
        people.by_token(token)
    assert [people.remembered(token) is None for token in tokens] == [True, False, False]


def account(people: UserService, password: str) -> tuple[Person, str]:
    """An account called Anna, with the token of a session."""
    guest, token = people.add_guest("Anna", "en")
    return people.register(guest, "Anna", password), token


def with_link(engine: Engine, person: Person) -> str:
    """The token of a link by which somebody may set a new password."""
    with engine.begin() as connection:
        return recovery_token(connection, person.id)


@pytest.mark.parametrize("change", ["change", "recover", "leave"])
def test_an_old_password_opens_nothing_once_it_has_changed(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    people = UserService(engine)
    accounts = AccountService(engine, people)
    person, token = account(people, "the old one")
    changes: dict[str, Callable[[], object]] = {
        "change": lambda: accounts.change_password(person.id, "the old one", "the new one", token),
        "recover": lambda: accounts.recover(with_link(engine, person), "the new one"),
        "leave": lambda: accounts.leave(person.id),
    }
    check = people.is_password

    def then_it_changes(stored: str, password: str) -> bool:
        is_right = check(stored, password)
        monkeypatch.setattr(people, "is_password", check)
        changes[change]()
        return is_right

    monkeypatch.setattr(people, "is_password", then_it_changes)
    with pytest.raises(ForbiddenError):
        people.sign_in("Anna", "the old one")


def test_a_recovered_session_ends_with_a_change_right_after_it(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    people = UserService(engine)
    accounts = AccountService(engine, people)
    person, token = account(people, "the old one")
    forget = people.forget_everywhere

    def then_it_changes(person_id: str) -> None:
        monkeypatch.setattr(people, "forget_everywhere", forget)
        forget(person_id)
        accounts.change_password(person_id, "the new one", "the newest one", token)

    link = with_link(engine, person)
    monkeypatch.setattr(people, "forget_everywhere", then_it_changes)
    _, recovered = accounts.recover(link, "the new one")
    assert people.by_token(recovered) is None


def test_a_sign_in_by_other_ways_opens_nothing_once_the_account_is_deleted(engine: Engine) -> None:
    people = UserService(engine)
    person, _ = account(people, "the old one")
    AccountService(engine, people).leave(person.id)
    assert people.by_token(people.open_session(person.id)) is None


@pytest.mark.parametrize("change", ["change", "recover"])
def test_a_sign_in_under_way_is_ended_by_a_change(tmp_path: Path, change: str) -> None:
    with fresh_database("postgresql", tmp_path) as url:
        engine = open_database(url)
        people = UserService(engine)
        accounts = AccountService(engine, people)
        person, token = account(people, "the old one")
        link = with_link(engine, person)
        opened: list[str] = []

        def sign_in() -> None:
            opened.append(people.sign_in("Anna", "the old one")[1])

        def change_it() -> None:
            if change == "change":
                accounts.change_password(person.id, "the old one", "the new one", token)
            else:
                accounts.recover(link, "the new one")

        overlap(engine, sign_in, change_it)
        assert people.by_token(opened[0]) is None
        engine.dispose()


def test_when_a_session_was_last_used_is_noted(engine: Engine) -> None:
    people = UserService(engine)
    person, token = people.add_guest("Anna", "en")
    with engine.begin() as connection:
        connection.execute(update(sessions).values(used_at=time.time() - 10**6))
    before = time.time()
    people.by_token(token)
    [session] = AccountService(engine, people).sessions_of(person.id, token)
    assert session.used_at is not None
    assert before <= session.used_at <= time.time()
    assert session.is_this


def test_tokens_are_not_made_without_end(anna: Visitor) -> None:
    anna.begin("computer")
    for number in range(MAX_TOKENS):
        program(anna, str(number))
    refused = anna.post("/account/token", label="one more", csrf=anna.csrf)
    assert refused.status_code == 422
    assert "Revoke one first" in refused.text


def test_a_stranger_creates_an_account_without_being_a_guest_before(anna: Visitor) -> None:
    stranger = Visitor(anna.client)
    assert 'action="/account/register"' in stranger.get("/account")
    short = stranger.post("/account/register", login="Newcomer", password="short", csrf=stranger.csrf)
    assert short.status_code == 422
    assert stranger.cookies["session"], "they stay as a guest, and may try again"
    made = stranger.post("/account/register", login="Newcomer", password="long enough", csrf=stranger.csrf)
    assert made.status_code == 200
    other = Visitor(anna.client)
    assert other.post("/account/register", login="Second", password="long enough").status_code == 200
    assert "Second" in other.get("/account")
    forged = other.post("/account/register", login="Third", password="long enough", csrf="wrong")
    assert forged.status_code == 403, "of someone with a session the form needs its token"
