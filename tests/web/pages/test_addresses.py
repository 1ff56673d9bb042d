"""Numbers in addresses and forms that no page has: whatever is sent for them, the answer says what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from brinkmanship.web.pages import routes
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import Settings
from support.databases import KINDS, fresh_database
from support.finished_games import EXAMPLE, upload
from support.visitors import Visitor

pytestmark = pytest.mark.slow

TOO_LARGE = "9" * 20, "-" + "9" * 30
"""Numbers that Python reads and no database keeps."""
UNREADABLE = "9" * 5000, "-1", "1_000", "٣", "1e9", ""
"""Values that never reach a database, so that one kind of database is enough."""
USUAL = {
    "game_id": "13-days", "n": "1", "at": "5", "number": "1", "step": "1", "side": "0", "kind": "card",
    "name": "cards.toml", "lesson_id": "first", "card_id": "fifty_fifty", "format": "webp", "date": "2026-11-30",
}  # fmt: skip
UNDECLARED = dict.fromkeys(
    ("/learn/{game_id}/{lesson_id}/{number}", "/learn/{game_id}/{lesson_id}/{number}/preview"), ("step-1",)
)
"""Names in queries that a route reads without declaring them, by route."""


@pytest.fixture(params=KINDS)
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TestClient]:
    with fresh_database(request.param, tmp_path) as url:
        settings = Settings(database=url, requests_per_minute=1_000_000, simulated_games=0, analysis_playouts=0)
        with TestClient(create_app(settings), raise_server_exceptions=False) as client:
            yield client


@pytest.fixture
def known(anna: Visitor) -> dict[str, str]:
    """Values of parameters of addresses at which there is something."""
    table = anna.begin("same")
    anna.post(f"{table}/resign", side=0, sure="true", csrf=anna.csrf)
    upload_id = upload(anna.client, EXAMPLE.read_bytes()).removeprefix("/u/")
    board = anna.post(f"/u/{upload_id}/branches/40", action=0, csrf=anna.csrf)
    found = re.search(r"/b/(\w+)", board.headers.get("location", ""))
    record = anna.post("/record/new/13-days", csrf=anna.csrf).headers["location"].removeprefix("/record/")
    return {
        **USUAL,
        "record_id": record,
        "table_id": table.removeprefix("/t/"),
        "upload_id": upload_id,
        "board_id": found[1] if found else "none",
    }


def test_a_number_too_large_in_an_address_is_no_fault_of_the_server(anna: Visitor, known: dict[str, str]) -> None:
    assert broken_by(TOO_LARGE, anna, known) == []


@pytest.mark.parametrize("client", ["sqlite"], indirect=True)
def test_what_is_no_number_in_an_address_is_no_fault_of_the_server(anna: Visitor, known: dict[str, str]) -> None:
    assert broken_by(UNREADABLE, anna, known) == []


def broken_by(wrongs: tuple[str, ...], anna: Visitor, known: dict[str, str]) -> list[tuple[str, str, str, str, int]]:
    """Ask for every address with each of these in place of every parameter; return what ended in a fault."""
    broken = []
    for route in routes:
        if "/news" in route.path:
            continue
        asked = [(name, wrong, "") for name in route.param_convertors for wrong in wrongs]
        if "GET" in route.methods:
            queries = [*route.fields, *UNDECLARED.get(route.path, ())]
            asked += [("", "", f"?{query}={wrong}") for query in queries for wrong in wrongs]
        for name, wrong, query in asked:
            values = {**known, name: wrong}
            path = re.sub(r"{(\w+)(:\w+)?}", lambda found: values.get(found[1], "x"), route.path)  # noqa: B023
            answer = anna.ask(min(route.methods), path + query)
            if answer.status_code >= 500:
                broken.append((min(route.methods), route.path, name or query[:20], wrong[:12], answer.status_code))
    return broken


FORM = {
    "game": "13-days", "mode": "same", "side": "0", "name": "Anna", "player": "random", "version": "0", "pick": "5",
    "clock": "own", "clock.kind": "live", "clock.live.minutes": "10", "clock.live.increment": "5", "many-5": "1",
    "option.preset": "standard", "data_sha256": "", "address": "anna@example.org", "at": "5",
}  # fmt: skip
"""A form with which most pages can do something; fields of no form are passed over."""
WRONG_IN_FORMS = ("9" * 30, "9" * 5000, "0001" + "9" * 5000)
FURTHER = ("/tables", "/t/{table_id}/several", "/t/{table_id}/act")
"""Pages with fields that their routes do not declare."""
LEAVING = ("/account/sign-out", "/account/delete", "/account/sign-out-others")


def test_a_wrong_number_in_a_form_is_no_fault_of_the_server(anna: Visitor, known: dict[str, str]) -> None:
    broken = []
    csrf = anna.csrf
    for route in routes:
        if "POST" not in route.methods or route.path in LEAVING:
            continue
        path = re.sub(r"{(\w+)(:\w+)?}", lambda found: known.get(found[1], "x"), route.path)
        own = set(route.fields)
        further = {name for name in FORM if "." in name or "-" in name} if route.path in FURTHER else set()
        for name in sorted(own | further):
            for wrong in WRONG_IN_FORMS:
                answer = anna.post(path, **{**FORM, name: wrong, "csrf": csrf})
                if answer.status_code >= 500:
                    broken.append((route.path, name, wrong[:6], answer.status_code))
    assert broken == []
