"""Requests that are malformed in a known way: 400 and a clear sentence, on either database, and nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy.exc import DataError
from starlette.testclient import TestClient

from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import Settings
from support.databases import KINDS, fresh_database
from support.visitors import Visitor


@pytest.fixture(scope="module", params=KINDS)
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with (
        fresh_database(request.param, tmp_path_factory.mktemp("malformed")) as url,
        TestClient(create_app(Settings(database=url, requests_per_minute=1_000_000))) as client,
    ):
        yield client


@pytest.mark.parametrize("path", ["/t/a%00b", "/t/a?seat=%00", "/u/%00/replay", "/api/v1/tables/a%00b", "/cards/%00"])
def test_no_address_has_a_null_character(client: TestClient, path: str) -> None:
    answer = client.get(path, headers={"accept": "text/html", "authorization": "Bearer x"})
    assert answer.status_code == 400
    assert ("problem+json" in answer.headers["content-type"]) == path.startswith("/api/")


def test_no_text_has_a_null_character(anna: Visitor) -> None:
    table = anna.begin("computer")
    for path, fields in {
        f"{table}/note": {"text": "a\0b"},
        f"{table}/chat": {"text": "\0"},
        "/account/name": {"name": "An\0na"},
        "/account/register": {"login": "Anna\0", "password": "long enough"},
        "/account/sign-in": {"login": "\0", "password": "long enough"},
    }.items():
        answer = anna.post(path, csrf=anna.csrf, **fields)
        assert answer.status_code == 400, path
        assert "text/html" in answer.headers["content-type"]
    for path in (f"{table}/note", "/replay/upload"):
        sent: Any = {"text": (None, b"a\0b"), "file": ("game.brink", b"[brink 1]\n\0"), "csrf": (None, anna.csrf)}
        headers = {"cookie": f"session={anna.cookies['session']}", "accept": "text/html"}
        assert anna.client.post(path, files=sent, headers=headers).status_code == 400, path
    assert anna.get(table).count("a\0b") == 0


def test_no_json_has_a_null_character(client: TestClient) -> None:
    for body in (b'{"name": "An\\u0000na"}', b'{"name": "An\0na"}'):
        answer = client.post("/api/v1/tokens", content=body, headers={"content-type": "application/json"})
        assert answer.status_code == 400, body
        assert answer.headers["content-type"] == "application/problem+json"


def test_a_null_character_is_found_where_a_body_is_torn_in_two(client: TestClient) -> None:
    def torn() -> Iterator[bytes]:
        yield b"login=Anna%0"
        yield b"0&password=long+enough"

    headers = {"content-type": "application/x-www-form-urlencoded", "content-length": "34"}
    assert client.post("/account/sign-in", content=torn(), headers=headers).status_code == 400


def test_a_length_of_thousands_of_digits_is_too_large(client: TestClient) -> None:
    headers = {"content-type": "application/json", "content-length": "9" * 5000}
    assert client.post("/api/v1/tokens", content=b"{}", headers=headers).status_code == 413


@pytest.mark.parametrize("letter", "ßŉﬃ")  # one letter on the screen, two or three in lower case
def test_a_name_that_grows_when_its_case_is_folded_is_refused(anna: Visitor, letter: str) -> None:
    anna.begin("computer")
    answer = anna.post("/account/register", login=letter * 30, password="long enough", csrf=anna.csrf)
    assert 400 <= answer.status_code < 500
    assert anna.post("/account/sign-in", login=letter * 30, password="long enough").status_code == 422


def test_a_token_of_a_form_may_be_any_text(anna: Visitor) -> None:
    table = anna.begin("computer")
    for csrf in ("é", "٣" * 64, "\ufffd"):
        assert anna.post(f"{table}/chat", text="hello", csrf=csrf).status_code == 403
    headers = {"cookie": f"session={anna.cookies['session']}", "x-csrf-token": "é".encode()}
    assert anna.client.post(f"{table}/chat", data={"text": "hello"}, headers=headers).status_code == 403


@pytest.mark.parametrize("header", ["origin", "host"])
@pytest.mark.parametrize("value", ["http://[", "[", "http://[::1", "a b", "é", "http://x:y", "x/y", "http://", "a,b"])
def test_hosts_and_origins_are_well_formed(client: TestClient, header: str, value: str) -> None:
    sent = {header: value.encode(), "accept": "text/html"}
    data = {"game": "13-days", "mode": "computer", "name": "Anna"}
    answer = client.post("/tables", data=data, headers=sent, follow_redirects=False)
    assert answer.status_code == 400
    assert "text/html" in answer.headers["content-type"]


@pytest.mark.parametrize("origin", ["http://testserver", "null", "https://example.org:8443", "http://[2001:db8::1]:80"])
def test_origins_that_are_well_formed_are_compared(client: TestClient, origin: str) -> None:
    data = {"game": "13-days", "mode": "computer", "name": "Anna"}
    answer = client.post("/tables", data=data, headers={"origin": origin}, follow_redirects=False)
    assert answer.status_code == (303 if origin == "http://testserver" else 403)


@pytest.mark.parametrize("back", ["//[", "/[", "http://[", "/\\[", "/%00["])
def test_a_way_back_that_is_no_address_leads_home(anna: Visitor, back: str) -> None:
    answer = anna.post("/language", language="de", back=back)
    assert answer.status_code == 303
    assert answer.headers["location"] in ("/", back)
    assert not answer.headers["location"].startswith("//")


def test_what_only_the_database_finds_is_no_fault_of_the_server(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise DataError("INSERT", {}, ValueError("value too long"))

    monkeypatch.setattr(client.app.state.services.users, "add_guest", refuse)  # type: ignore[attr-defined]
    assert client.post("/api/v1/tokens", json={"name": "Anna"}).status_code == 400


@pytest.mark.parametrize("game", ["13-minutes", "ukrainian-crisis"])
def test_a_game_without_agendas_has_no_pictures_of_them(anna: Visitor, game: str) -> None:
    table = anna.begin("same", 0, game)
    assert anna.ask("GET", f"{table}/agenda/x").status_code == 404
    assert anna.ask("GET", f"{table}/card/nowhere").status_code == 404
