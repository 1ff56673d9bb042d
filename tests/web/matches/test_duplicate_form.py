"""A duplicate round is organised in the browser: the form, its refusals, and a link for every seat."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from brinkmanship.text import LANGUAGES
from brinkmanship.web.support import rate_limit
from support.visitors import Visitor, registered

FORM = {"game": "13-days", "tables": "2", "clock": "days 3", "days": "3"}
LINK = re.compile(r'value="https?://[^"/]+(/join/\w+/[^"]+)"')


def organise(visitor: Visitor, **fields: str):  # type: ignore[no-untyped-def]
    return visitor.post("/duplicate", csrf=visitor.csrf, **{**FORM, **fields})


def test_the_organiser_gives_the_seats_away_and_takes_one(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    registered(anna, "Anna")
    address = organise(anna).headers["location"]
    links = LINK.findall(anna.get(address))
    assert len(links) == 4
    assert LINK.findall(Visitor(client).get(address)) == []
    at_empty_table = Visitor(client).get(links[0])
    assert ("Your side: US." in at_empty_table, "invites you" in at_empty_table) == (True, False)
    assert anna.post(links[0], csrf=anna.csrf).status_code == 303
    assert "Anna invites you to a game. Your side: USSR." in boris.get(links[1])
    assert boris.post(links[1], name="Boris").status_code == 303
    page = anna.get(address)
    assert LINK.findall(page) == links[2:]
    assert "Boris" in page


def test_no_account_no_round(client: TestClient, anna: Visitor) -> None:
    assert 'action="/duplicate"' not in Visitor(client).get("/duplicate/new")
    anna.begin("computer")
    assert 'action="/duplicate"' not in anna.get("/duplicate/new")
    refused = organise(anna)
    assert refused.status_code == 403
    assert "create an account" in refused.text
    assert Visitor(client).post("/duplicate", **FORM).status_code in (401, 403)


WRONG = (
    ({"tables": "1"}, 422, "form"),
    ({"tables": "65"}, 422, "form"),
    ({"tables": "many"}, 400, "tables"),
    ({"days": "0"}, 400, "days"),
    ({"game": "chess"}, 422, "form"),
    ({"clock": ""}, 422, "needs a clock"),
    ({"clock": "days 999"}, 422, "clock"),
)
"""Fields, and how they are refused."""


def test_wrong_input_is_refused_with_a_reason(anna: Visitor) -> None:
    registered(anna, "Anna")
    for fields, status, said in WRONG:
        refused = organise(anna, **fields)
        assert (refused.status_code, said in refused.text) == (status, True), fields


def test_a_user_organises_three_rounds_at_once(anna: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0.0)
    registered(anna, "Anna")
    assert [organise(anna).status_code for _ in range(4)] == [303, 303, 303, 429]


def test_the_pages_are_in_every_language(anna: Visitor) -> None:
    registered(anna, "Anna")
    paths = ("/duplicate/new", organise(anna).headers["location"], "/lobby")
    for language in LANGUAGES:
        anna.cookies["language"] = language
        for path in paths:
            page = anna.get(path)
            assert f'lang="{language}"' in page
            assert "duplicate." not in page
