"""The head of every answer: how long it may be kept, whom it trusts, and which forms are taken."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from brinkmanship.web.pages import routes
from brinkmanship.web.server.app import create_app
from brinkmanship.web.server.static_files import STATIC
from brinkmanship.web.support.settings import Settings
from support.visitors import Visitor

FILE = "css/app.css"
FOR_EVER = "public, max-age=31536000, immutable"


# ---- Static files.


def kept(client: TestClient, address: str) -> str:
    return client.get(address).headers["cache-control"]


def test_a_static_file_is_kept_for_ever_only_under_its_own_hash(client: TestClient) -> None:
    own = hashlib.sha256((STATIC / FILE).read_bytes()).hexdigest()[:10]
    assert kept(client, f"/static/{FILE}?{own}") == FOR_EVER
    for query in ("", "?", "?0000000000", f"?{own}0", f"?{own[:-1]}", f"?x={own}"):
        assert kept(client, f"/static/{FILE}{query}") == "no-cache", query
    assert kept(client, f"/static/{FILE.replace('app', 'none')}?{own}") == "no-store"


def test_every_file_that_pages_and_styles_name_is_named_by_its_hash(anna: Visitor) -> None:
    pages = [anna.get(path) for path in ("/", anna.begin("computer"), "/puzzles/13-days/today", "/workshop/13-days")]
    named = {address for page in pages for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', page)}
    fonts = re.findall(r"url\('([^']+)'\)", (STATIC / "fonts" / "fonts.css").read_text())
    named |= {f"/static/fonts/{font}" for font in fonts}
    assert len(named) > 20
    assert {address for address in named if kept(anna.client, address) != FOR_EVER} == set()


# ---- Https.


@pytest.mark.parametrize(("proxy", "is_trusted"), [("127.0.0.1", True), ("127.0.0.9", False)])
def test_https_behind_a_trusted_proxy_marks_cookies_and_asks_to_stay(
    settings: Settings, proxy: str, is_trusted: bool
) -> None:
    app = create_app(replace(settings, trusted_proxies=("127.0.0.1",)))
    with TestClient(app, client=(proxy, 50_000)) as client:
        data = {"game": "13-days", "mode": "computer", "player": "random", "name": "Anna"}
        sent = {"x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1"}
        begun = client.post("/tables", data=data, headers=sent, follow_redirects=False)
        chosen = client.post("/language", data={"language": "de"}, headers=sent, follow_redirects=False)
        plain = client.post("/language", data={"language": "de"}, follow_redirects=False)
    cookies = begun.headers.get_list("set-cookie") + chosen.headers.get_list("set-cookie")
    assert len(cookies) == 3
    assert all(("; secure" in cookie.lower()) == is_trusted for cookie in cookies)
    assert ("strict-transport-security" in begun.headers) == is_trusted
    assert "strict-transport-security" not in plain.headers
    assert "secure" not in plain.headers["set-cookie"].lower()


def test_a_server_may_mark_all_its_cookies(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, secure_cookies=True))) as client:
        answer = client.post("/language", data={"language": "de"}, follow_redirects=False)
    assert answer.headers["set-cookie"].lower().count("; secure") == 1


# ---- Forms of other sites, and HEAD.

VALUES = {"game_id": "13-days", "n": "1", "at": "1", "number": "1", "step": "1", "kind": "card"}
"""Values of parameters of addresses; of any other one that of a table is taken."""


def addresses(method: str, table_id: str) -> list[str]:
    """The address of every page that takes a method."""
    paths = [route.path for route in routes if method in route.methods]
    return [re.sub(r"{(\w+)(:\w+)?}", lambda found: VALUES.get(found[1], table_id), path) for path in paths]


@pytest.mark.parametrize("sent", [{"sec-fetch-site": "cross-site"}, {"origin": "https://elsewhere.example"}])
def test_no_page_takes_a_form_of_another_site(anna: Visitor, sent: dict[str, str]) -> None:
    table_id = anna.begin("same").removeprefix("/t/")
    anna.client.cookies.clear()
    asked = addresses("POST", table_id)
    # A program reads the reason; a page says the same of a form without the token of its session.
    answers = {path: anna.client.post(path, headers=sent, follow_redirects=False) for path in asked}
    assert len(answers) > 40
    reason = "the form is from another site"
    others = [path for path, answer in answers.items() if answer.status_code != 403 or reason not in answer.text]
    assert others == []


def test_a_form_of_our_own_is_taken(client: TestClient) -> None:
    for sent in ({"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}, {"origin": "http://testserver"}, {}):
        answer = client.post("/language", data={"language": "de"}, headers=sent, follow_redirects=False)
        assert answer.status_code == 303, sent


def test_head_is_answered_as_get_is_without_the_body(anna: Visitor) -> None:
    table_id = anna.begin("same").removeprefix("/t/")
    token = anna.client.app.state.services.users.add_guest("Program", "en")  # type: ignore[attr-defined]
    assert token
    asked = [*addresses("GET", table_id), "/health", f"/static/{FILE}", "/api/v1/games", "/api/openapi.json"]
    assert len(asked) > 60
    for path in asked:
        head = anna.ask("HEAD", path)
        assert head.content == b"", path
        if "text/event-stream" in head.headers.get("content-type", ""):
            continue  # which to GET has no end
        got = anna.ask("GET", path)
        assert (head.status_code, head.headers.get("content-type")) == (
            got.status_code,
            got.headers.get("content-type"),
        ), path


def test_what_broke_says_that_the_connection_ends(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(settings)
    with TestClient(app, raise_server_exceptions=False) as client:
        monkeypatch.setattr(app.state.services.tables, "table", None)
        token = app.state.services.users.open_session(
            app.state.services.users.add_guest("Anna", "en")[0].id, api_label="program"
        )
        for path in ("/t/anything", "/api/v1/tables/anything"):
            answer = client.get(path, headers={"authorization": f"Bearer {token}"})
            assert (answer.status_code, answer.headers.get("connection")) == (500, "close"), path
        assert "connection" not in client.get("/account").headers
