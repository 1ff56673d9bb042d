"""Passkeys: what is accepted, what is refused, and that no one locks themselves out."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from brinkmanship.store import moderation, schema
from brinkmanship.web.accounts.passkeys import CODES, site_of
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import Settings
from support.authenticator import Authenticator
from support.visitors import Visitor, registered, signed_in

ORIGIN = "https://brink.example.org"


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(replace(settings, public_url=ORIGIN))) as client:
        yield client


@pytest.fixture
def device() -> Authenticator:
    return Authenticator(ORIGIN)


def options(visitor: Visitor, path: str = "") -> dict[str, Any]:
    answer = visitor.post(f"/account/passkeys{path}/options", csrf=visitor.csrf)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = json.loads(answer.text)
    return found


def add(visitor: Visitor, device: Authenticator, **fields: str) -> Any:
    credential = device.create(options(visitor))
    return visitor.post("/account/passkeys", credential=credential, csrf=visitor.csrf, **fields)


def sign_in(visitor: Visitor, device: Authenticator, **fields: str) -> Any:
    credential = device.get(options(visitor, "/sign-in"))
    return visitor.post("/account/passkeys/sign-in", credential=credential, **fields)


def is_signed_in(visitor: Visitor, login: str) -> bool:
    return f"You are signed in as {login}" in html.unescape(visitor.get("/account"))


def codes_in(page: str) -> list[str]:
    return re.findall(r"<li><code>([-\w]+)</code>", page)


def account_with_passkey(visitor: Visitor, device: Authenticator, name: str = "Anna") -> list[str]:
    """The visitor, a guest, has an account without a password; return its recovery codes."""
    visitor.begin("computer")
    made = add(visitor, device, login=name)
    assert made.status_code == 200, made.text
    return codes_in(made.text)


@pytest.mark.parametrize("url", ["", "http://127.0.0.1:8000", "http://[::1]:8000"])
def test_a_server_without_a_host_name_has_no_passkeys(url: str) -> None:
    assert site_of(url) is None


def test_the_site_is_the_host_of_the_public_url() -> None:
    assert site_of("https://example.org:8443") == ("example.org", "https://example.org:8443")


def test_a_guest_becomes_an_account_and_signs_in_without_a_name(
    client: TestClient, anna: Visitor, device: Authenticator
) -> None:
    before = anna.cookies.get("session")
    codes = account_with_passkey(anna, device)
    assert len(set(codes)) == CODES
    assert anna.cookies["session"] != before
    assert is_signed_in(anna, "Anna")
    phone = Visitor(client)
    assert sign_in(phone, device).status_code == 303
    assert is_signed_in(phone, "Anna")
    assert sign_in(Visitor(client), device).status_code == 303  # with the counter still at 0


def test_no_password_opens_an_account_without_one(client: TestClient, anna: Visitor, device: Authenticator) -> None:
    account_with_passkey(anna, device)
    for password in ("", "None", "long enough"):
        refused = Visitor(client).post("/account/sign-in", login="Anna", password=password)
        assert refused.status_code in (400, 403)


def test_a_key_for_another_site_is_refused(client: TestClient, anna: Visitor, device: Authenticator) -> None:
    anna.begin("computer")
    refused = add(anna, Authenticator("https://evil.example.org"), login="Anna")
    assert (refused.status_code, "was not accepted" in refused.text) == (403, True)
    account_with_passkey(anna, device)
    device.origin = "https://evil.example.org"
    assert sign_in(Visitor(client), device).status_code == 403


def test_a_challenge_is_good_once_and_in_one_browser(client: TestClient, anna: Visitor, device: Authenticator) -> None:
    account_with_passkey(anna, device)
    phone = Visitor(client)
    credential = device.get(options(phone, "/sign-in"))
    other = Visitor(client)
    options(other, "/sign-in")
    assert other.post("/account/passkeys/sign-in", credential=credential).status_code == 403
    cookie = phone.cookies["passkey"]
    assert phone.post("/account/passkeys/sign-in", credential=credential).status_code == 303
    again = Visitor(client)
    again.cookies["passkey"] = cookie
    assert again.post("/account/passkeys/sign-in", credential=credential).status_code == 403
    registering = device.create(options(anna))  # a challenge to register is none to sign in
    anna.cookies.pop("session")
    assert anna.post("/account/passkeys/sign-in", credential=registering).status_code == 403


def test_a_challenge_expires(client: TestClient, anna: Visitor, device: Authenticator) -> None:
    account_with_passkey(anna, device)
    phone = Visitor(client)
    credential = device.get(options(phone, "/sign-in"))
    app: Any = client.app
    with app.state.services.engine.begin() as connection:
        connection.execute(update(schema.passkey_challenges).values(expires_at=1.0))
    assert phone.post("/account/passkeys/sign-in", credential=credential).status_code == 403


def test_a_foreign_key_with_a_known_id_is_refused(client: TestClient, anna: Visitor, device: Authenticator) -> None:
    account_with_passkey(anna, device)
    forged = Authenticator(ORIGIN)
    forged.create({"user": {"id": "AA"}, "rp": {"id": "x"}, "challenge": "x"})
    (key_id,), ((key, owner),) = device.keys, forged.keys.values()
    forged.keys = {key_id: (key, owner)}
    assert sign_in(Visitor(client), forged).status_code == 403
    forged.keys = {b"unknown": (key, owner)}
    assert sign_in(Visitor(client), forged).status_code == 403


@pytest.mark.parametrize("credential", ["{}", "[]", "[" * 5000, "null", "\u2028", '{"id": 5}', '{"rawId": "é"}'])
def test_what_is_no_credential_is_refused(client: TestClient, anna: Visitor, credential: str) -> None:
    anna.begin("computer")
    stranger = Visitor(client)
    options(stranger, "/sign-in")
    assert stranger.post("/account/passkeys/sign-in", credential=credential).status_code == 403
    options(anna)
    refused = anna.post("/account/passkeys", credential=credential, login="Anna", csrf=anna.csrf)
    assert refused.status_code == 403


def test_a_key_is_added_only_with_the_password_and_the_last_way_in_stays(
    client: TestClient, anna: Visitor, device: Authenticator
) -> None:
    registered(anna, "Anna")
    assert add(anna, device, name="Phone", password="not this one").status_code == 403
    assert add(anna, device, name="Phone", password="long enough").status_code == 303
    assert sign_in(Visitor(client), device).status_code == 303
    assert is_known(signed_in(client, "Anna"))
    handle = re.search(r'name="handle" value="(\w+)"><button aria-label="Remove: Phone"', anna.get("/account"))
    assert handle
    assert anna.post("/account/passkeys/remove", handle=handle[1], csrf=anna.csrf).status_code == 303
    assert sign_in(Visitor(client), device).status_code == 403


def is_known(visitor: Visitor) -> bool:
    return "Sign out" in visitor.get("/account")


def test_the_last_key_of_an_account_without_a_password_stays(anna: Visitor, device: Authenticator) -> None:
    account_with_passkey(anna, device)
    handle = re.search(r'name="handle" value="(\w+)"><button aria-label="Remove', anna.get("/account"))
    assert handle
    refused = anna.post("/account/passkeys/remove", handle=handle[1], csrf=anna.csrf)
    assert (refused.status_code, "only way to sign in" in refused.text) == (422, True)
    done = anna.post("/account/password", password="a first password", csrf=anna.csrf)
    assert done.status_code == 200
    assert anna.post("/account/passkeys/remove", handle=handle[1], csrf=anna.csrf).status_code == 303
    wrong = anna.post("/account/password", password="a second password", csrf=anna.csrf)
    assert wrong.status_code == 403  # now there is an old one to give


def test_a_recovery_code_signs_in_once(client: TestClient, anna: Visitor, device: Authenticator) -> None:
    first, second, *_ = account_with_passkey(anna, device)
    use = {"login": "ANNA", "code": first.upper().replace("-", " ")}
    assert Visitor(client).post("/account/passkeys/code", login="Boris", code=first).status_code == 403
    assert Visitor(client).post("/account/passkeys/code", **use).status_code == 303
    assert Visitor(client).post("/account/passkeys/code", **use).status_code == 403
    assert "9 codes are left" in anna.get("/account")
    new = codes_in(anna.post("/account/passkeys/codes", csrf=anna.csrf).text)
    assert Visitor(client).post("/account/passkeys/code", login="Anna", code=second).status_code == 403
    assert Visitor(client).post("/account/passkeys/code", login="Anna", code=new[0]).status_code == 303


def test_an_account_without_a_password_is_deleted_with_its_keys(
    client: TestClient, anna: Visitor, device: Authenticator
) -> None:
    account_with_passkey(anna, device)
    assert anna.post("/account/delete", sure="true", csrf=anna.csrf).status_code == 200
    assert sign_in(Visitor(client), device).status_code == 403


def test_a_closed_account_is_told_why_by_passkey_too(client: TestClient, anna: Visitor, device: Authenticator) -> None:
    account_with_passkey(anna, device)
    app: Any = client.app
    person = app.state.services.users.by_token(anna.cookies["session"])
    with app.state.services.engine.begin() as connection:
        moderation.impose(connection, moderation.OPERATOR, person.id, "closed", "Cheating", "", None, 1.0)
    refused = sign_in(Visitor(client), device)
    assert (refused.status_code, "Cheating" in refused.text) == (403, True)


@pytest.mark.parametrize(
    ("language", "word"),
    [("de", "Wiederherstellungscodes"), ("ru", "Коды восстановления"), ("pl", "Kody odzyskiwania")],
)
def test_the_page_is_in_all_languages(anna: Visitor, device: Authenticator, language: str, word: str) -> None:
    account_with_passkey(anna, device)
    anna.cookies["language"] = language
    assert word in anna.get("/account")
