"""A rated game in two browsers, from the form to the leaderboard, in the languages of the server."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from brinkmanship.store import rating_ledger, ratings
from brinkmanship.text import LANGUAGES
from brinkmanship.web.tables.statuses import FINISHED
from support.visitors import Visitor, live, registered

CREATE = {"game": "13-days", "side": 0, "rated": "true", "clock": "days 3"}


@pytest.fixture
def anna(client: TestClient) -> Visitor:
    return registered(Visitor(client), "Anna")


@pytest.fixture
def boris(client: TestClient) -> Visitor:
    return registered(Visitor(client), "Boris")


def text(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", page))


def rated_table(anna: Visitor, **fields: object) -> str:
    answer = anna.post("/tables", csrf=anna.csrf, **({**CREATE, "mode": "friend"} | fields))
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def invitation(anna: Visitor, table: str) -> str:
    found = re.search(r'value="https?://[^"]+?(/join/[^"]+)"', anna.get(table))
    assert found
    return found[1]


def begun(anna: Visitor, boris: Visitor, client: TestClient) -> str:
    """A rated game in which both have chosen an agenda."""
    table = rated_table(anna)
    assert boris.post(invitation(anna, table), csrf=boris.csrf).status_code == 303
    for side, who in enumerate((anna, boris)):
        here = live(client, table)
        action = here.decisions(side)[0].action
        sent = {"side": side, "version": here.version(side), "action": action}
        assert who.post(f"{table}/act", csrf=who.csrf, **sent).status_code == 303
    return table


def test_two_people_play_a_rated_game_and_see_what_it_changes(
    client: TestClient, anna: Visitor, boris: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = rated_table(anna)
    waiting = text(anna.get(table))
    assert "Your chance of winning against an opponent of equal strength: 47%." in waiting
    assert "Your rating: win +54, draw +3, loss −47." in waiting
    joining = text(boris.get(invitation(anna, table)))
    assert "Rated: no take-backs, no hints" in joining
    assert "Your chance of winning: 53%. Your rating: win +47, draw −3, loss −54." in joining
    table = begun(anna, boris, client)
    assert text(anna.get(table)).count("1500?") == 2
    assert 'id="undo"' not in anna.get(table)
    monkeypatch.setattr(rating_ledger, "LISTED_GAMES", 1)
    boris.post(f"{table}/resign", side=1, sure="true", csrf=boris.csrf)
    for who in (boris, anna, Visitor(client)):
        page = text(who.get(table))
        assert "US (Anna): 1500 → 1554 (+54)" in page
        assert "USSR (Boris): 1500 → 1446 (−54)" in page
    assert "Anna (you)" not in text(anna.get("/ratings")), "her profile is private"
    for who in (anna, boris):
        who.post("/account/profile", public="true", csrf=who.csrf)
    assert "Anna (you)" in text(anna.get("/ratings"))
    board = re.sub(r"\s+", " ", text(boris.get("/ratings/13-days")))
    assert re.search(r"1 Anna 1554 ± \d+ 1 4 · Counsellor 1500 2 Boris \(you\) 1446", board), board
    assert "Your rating: 1446?, after 1 rated game." in board


def test_a_page_shows_the_changes_that_the_other_page_reckons_meanwhile(
    client: TestClient, anna: Visitor, boris: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(anna, boris, client)
    changes_at, looks = ratings.changes_at, []

    def look(engine: Engine, table_id: str) -> list[ratings.Change]:
        found = changes_at(engine, table_id)
        if not looks and live(client, table).status == FINISHED:
            looks.append(found)
            rating_ledger.rate_finished(engine)
        return found

    monkeypatch.setattr(ratings, "changes_at", look)
    boris.post(f"{table}/resign", side=1, sure="true", csrf=boris.csrf)
    assert "US (Anna): 1500 → 1554 (+54)" in text(boris.get(table))
    assert looks == [[]]


def test_a_guest_and_a_stranger_are_told_to_create_an_account(client: TestClient, anna: Visitor) -> None:
    table = rated_table(anna)
    for visitor in (Visitor(client), guest(client)):
        page = visitor.get(invitation(anna, table))
        assert "Rated games are for people with an account" in page
        assert "Sit down" not in page
        refused = visitor.post(invitation(anna, table), name="Guest", csrf=visitor.csrf)
        assert (refused.status_code, "set-cookie" in refused.headers) == (403, False)
        assert visitor.post("/tables", mode="open", csrf=visitor.csrf, **CREATE).status_code == 403
        assert 'name="rated"' not in visitor.get("/new/13-days")


def guest(client: TestClient) -> Visitor:
    visitor = Visitor(client)
    visitor.begin("same")
    return visitor


def test_what_cannot_be_rated_is_refused_with_the_reason(anna: Visitor) -> None:
    for mode, more, reason in (
        ("same", {}, "against yourself"),
        ("computer", {"player": "random"}, "only levels have a rating"),
        ("friend", {"option.letter_declared": "with_command"}, "default rule options"),
    ):
        refused = anna.post("/tables", csrf=anna.csrf, **({**CREATE, "mode": mode} | more))
        assert (refused.status_code, reason in refused.text) == (422, True)
        assert 'name="rated" value="true" aria-describedby="rated-why" checked' in refused.text


@pytest.mark.usefixtures("one_day")
def test_a_fourth_game_against_a_level_changes_nothing(client: TestClient, anna: Visitor) -> None:
    changes = []
    for _ in range(4):
        table = rated_table(anna, mode="computer", player="level:1", side=0)
        here = live(client, table)
        sent = {"side": 0, "version": here.version(0), "action": here.decisions(0)[0].action}
        anna.post(f"{table}/act", csrf=anna.csrf, **sent)
        anna.post(f"{table}/resign", side=0, sure="true", csrf=anna.csrf)
        changes.append(re.findall(r"US \(Anna\): [^<]+", html.unescape(anna.get(table))))
    assert [len(each) for each in changes] == [1, 1, 1, 1]
    assert "unchanged: three games against this level have already counted today" in changes[3][0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_speak_every_language(anna: Visitor, language: str) -> None:
    def see(path: str) -> Any:
        anna.cookies["language"] = language
        return anna.get(path)

    anna.post("/language", language=language, csrf=anna.csrf)
    for game in ("", "/13-days", "/13-minutes", "/ukrainian-crisis"):
        assert f'lang="{language}"' in see(f"/ratings{game}")
    assert 'name="rated"' in see("/new/13-days")
    assert "1500" in see("/ratings")
    assert anna.ask("GET", "/ratings/chess").status_code == 404
    assert anna.ask("GET", f"/ratings?after={'x' * 17}").status_code == 400
