"""Names are links to profiles at tables, in replays and on leaderboards: those of people with a public profile only."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest
from starlette.testclient import TestClient

from brinkmanship.store import rating_ledger
from support.played_games import counted, id_of, make_public, played, resign
from support.visitors import Visitor, live, registered


def linked(page: str) -> set[str]:
    """Return the ids of all people to whom a page links."""
    return set(re.findall(r'href="/people/(\w+)"', page))


def test_tables_and_replays_link_to_public_profiles_only(client: TestClient, anna: Visitor, boris: Visitor) -> None:
    registered(anna, "Anna")
    table = played(anna, boris)
    stranger = Visitor(client)
    paths = (table, f"{table}/state", f"{table}/finished", f"{table}/replay/1")
    for path in paths:
        assert linked(stranger.get(path)) == set()
    make_public(anna)
    hers = id_of(client, "Anna")
    for path in paths:
        assert linked(stranger.get(path)) == {hers}
    anna.post("/account/profile", public="false", csrf=anna.csrf)
    for path in paths:
        assert linked(stranger.get(path)) == set()


def test_a_rated_game_appears_on_both_profiles_and_the_leaderboard_links_to_them(
    client: TestClient, anna: Visitor, boris: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating_ledger, "LISTED_GAMES", 1)
    registered(anna, "Anna")
    registered(boris, "Boris")
    asked = {"game": "13-days", "side": 0, "rated": "true", "clock": "days 3", "mode": "open"}
    table = anna.post("/tables", csrf=anna.csrf, **asked).headers["location"]
    assert boris.post(table.replace("/t/", "/join/"), csrf=boris.csrf).status_code == 303
    for side, visitor in enumerate((anna, boris)):  # a game that nobody has begun is not rated
        here = live(client, table)
        sent = {"side": side, "version": here.version(side), "action": here.decisions(side)[0].action}
        assert visitor.post(f"{table}/act", csrf=visitor.csrf, **sent).status_code == 303
    anna.post(f"{table}/resign", side=0, sure="true", csrf=anna.csrf)
    anna.get(table)  # the change is worked out
    counted(client)
    make_public(boris)
    his, stranger = id_of(client, "Boris"), Visitor(client)
    assert linked(stranger.get("/ratings/13-days")) == {his}
    page = stranger.get(f"/people/{his}")
    assert re.search(r"Rating 15\d\d ± \d+", page)
    assert "1 rated game" in page
    rated = boris.get(f"/people/{his}/games?rated=yes")
    assert f"{table}/finished" in rated
    assert "Rated" in rated


def test_the_home_page_and_the_library_lead_there(anna: Visitor, boris: Visitor) -> None:
    played(anna, boris)
    assert re.search(r'href="/people/\w+/games">All games and search', anna.get("/"))
    assert 'href="/statistics"' in anna.get("/library")


def test_the_export_of_ones_data_has_results_and_lessons(client: TestClient, anna: Visitor) -> None:
    registered(anna, "Anna")
    resign(anna, anna.begin("computer"), 0)
    counted(client)
    make_public(anna)
    anna.get("/learn/13-days/first/14")
    answer = anna.post("/account/export", csrf=anna.csrf)
    data = json.loads(zipfile.ZipFile(io.BytesIO(answer.content)).read("data.json"))
    assert [(each["score"], each["ending"]) for each in data["results"]].count((-1, "resignation")) == 1
    assert data["lessons"] == [{"game": "13-days", "lesson": "first"}]
    assert len(data["public_profile"]) == 1
