"""The home page and the page of a new game: a game in one click, today's puzzle, what is remembered and refused."""

from __future__ import annotations

import gzip
import html
import re

import pytest
from starlette.testclient import TestClient

from brinkmanship.engine.message import Message
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.puzzles.puzzle import collection_of
from brinkmanship.text import LANGUAGES
from brinkmanship.web.pages.lobby import showcase
from brinkmanship.web.presentation.page_words import game_words, page_words
from brinkmanship.web.tables.live_table import LiveTable
from support.visitors import Visitor, invited, live

AT_ONCE = {"mode": "computer", "as_before": "true"}
"""What the home page sends with the game."""


def started(who: Visitor, client: TestClient, game: str, **fields: object) -> LiveTable:
    answer = who.post("/tables", game=game, csrf=who.csrf, **fields)
    assert answer.status_code == 303, answer.text
    return live(client, answer.headers["location"])


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_one_click_starts_a_game_for_a_stranger(anna: Visitor, client: TestClient, game_id: str) -> None:
    form = re.search(r'<form [^>]*id="play".*?</form>', anna.get("/"), re.DOTALL)
    assert form
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="(\w*)"', form[0]))
    assert fields == {**AT_ONCE, "csrf": ""}
    assert f'form="play" name="game" value="{game_id}"' in anna.get("/")
    table = started(anna, client, game_id, **AT_ONCE)
    assert sorted(seat.computer or seat.name for seat in table.seats) == ["Guest", "level:2"]


def test_the_next_game_has_level_side_and_clock_of_the_last_one(anna: Visitor, client: TestClient) -> None:
    own = {"clock": "own", "clock.kind": "live", "clock.live.minutes": 33, "clock.live.increment": 7}
    for clock, said in (
        ({"clock": "live 20 10"}, "20 min + 10 s per decision"),
        (own, "33 min + 7 s per decision"),
        ({}, ""),
    ):
        first = started(anna, client, "13-days", mode="computer", player="level:4", side=1, **clock)
        again = started(anna, client, "13-days", **AT_ONCE)
        assert [seat.computer for seat in again.seats] == ["level:4", None]
        assert again.terms.clock == first.terms.clock
        offered = re.findall(r'<span class="quiet">([^<]+)</span>', anna.get("/"))
        assert offered[:2] == [f"Level 4 · Counsellor, USSR{', ' * bool(said)}{said}", "Level 2 · Clerk, random side"]
        page = anna.get("/new/13-days")
        chosen = dict(re.findall(r'name="(side|player|clock)" value="([^"]*)" checked', page))
        assert chosen == {"player": "level:4", "side": "1", "clock": clock.get("clock", "")}
    anna.cookies["setups"] = "13-days:9:sand|x:0:|13-minutes:0:own|::::|ukrainian-crisis:1"
    assert "Level 2 · Clerk, random side" in anna.get("/")
    for game_id in BUILT_IN:
        anna.get(f"/new/{game_id}")


@pytest.mark.parametrize("day", range(len(BUILT_IN)))
@pytest.mark.parametrize("language", LANGUAGES)
def test_home_shows_a_puzzle_of_another_game_every_day(
    anna: Visitor, monkeypatch: pytest.MonkeyPatch, day: int, language: str
) -> None:
    monkeypatch.setattr(showcase, "day_of", lambda _: day)
    anna.cookies["language"] = language
    game = load_game(list(BUILT_IN)[day])
    number = collection_of(game.id).today(day)
    posed = collection_of(game.id).pose(game, number)
    question = game_words(game, language).sentence(game.narrator.prompt(posed.seen.view(), posed.puzzle.side))
    page = html.unescape(anna.get("/"))
    assert page.count('class="brink board') == 1
    assert question in page
    assert f'href="/puzzles/{game.id}/{number}"' in page
    assert question in html.unescape(anna.get(f"/puzzles/{game.id}/{number}"))


ENTERED = {"mode": "friend", "side": 1, "clock": "days 7", "undo": "ask", "hints": "forbidden", "name": "Ännchen"}


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"option.bid_tie_cap": "1001"}, "refused.options"),
        ({"clock": "own", "clock.kind": "days", "clock.days.days": "99"}, "refused.clock"),
        ({"side": "7"}, "refused.form_fields"),
    ],
)
def test_what_is_refused_is_shown_again_with_what_was_entered(anna: Visitor, wrong: dict[str, str], key: str) -> None:
    sent = {**ENTERED, "option.cube_limit": "5", **wrong}
    answer = anna.post("/tables", game="13-minutes", **sent)
    page = html.unescape(answer.text)
    assert answer.status_code == 422
    assert page_words("en").sentence(Message(key)) in page
    checked = dict(re.findall(r'type="radio" name="([^"]+)" value="([^"]*)" checked', page))
    typed = dict(re.findall(r'<input (?:type="number" )?name="([^"]+)".*? value="([^"]*)">', page))
    for name, value in sent.items():
        assert {**typed, **checked}.get(name, value) == str(value), name
    assert typed["name"] == "Ännchen"
    assert (checked["undo"], checked["option.cube_limit"]) == ("ask", "5")
    assert "set-cookie" not in answer.headers  # the stranger is not a guest yet


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_option_is_on_the_page_of_a_new_game_under_its_topic(anna: Visitor, game_id: str) -> None:
    page = anna.get(f"/new/{game_id}")
    options = load_game(game_id).option_values()
    assert set(re.findall(r'name="option\.(\w+)"', page)) - {"preset"} == set(options)
    folded = page[page.index('<details class="topic"') :]
    assert page.count('<details class="topic"') >= 2
    assert [name for name in options if f'name="option.{name}"' not in folded] == ["scenario"] * ("scenario" in options)
    assert "/new/" in anna.get("/")
    assert anna.ask("GET", "/new/no-such-game").status_code == 404


def test_a_row_leads_where_its_button_says(anna: Visitor, boris: Visitor) -> None:
    running, waiting, over = invited(anna, boris), anna.begin("open"), anna.begin("same")
    anna.post(f"{over}/resign", side=0, sure="true", csrf=anna.csrf)

    def rows(who: Visitor) -> dict[str, str]:
        found = re.findall(
            r'<a class="row" href="([^"]+)".*?<span class="button" aria-hidden="true">([^<]+)<', who.get("/"), re.S
        )
        return dict(found)

    assert rows(anna) == {running: "Continue", waiting: "Open", f"{over}/finished": "Summary"}
    assert rows(boris) == {running: "Continue", waiting.replace("/t/", "/join/"): "Join"}
    assert f'<a class="button primary" href="{running}">Continue</a>' in anna.get("/")


def test_the_home_page_weighs_less_than_100_kilobytes(anna: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it comes over the line: packed, without fonts."""

    def weight(address: str) -> int:
        answer = anna.ask("GET", address, accept_encoding="gzip")
        is_packed = answer.headers.get("content-encoding") == "gzip"
        return len(gzip.compress(answer.content, 5) if is_packed else answer.content)

    anna.begin("same")
    for day in range(len(BUILT_IN)):
        monkeypatch.setattr(showcase, "day_of", lambda _, day=day: day)
        addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', anna.get("/"))
        assert 10_000 < sum(map(weight, ["/", *addresses])) < 100_000


@pytest.mark.parametrize("path", ["/", "/new/13-days"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_links_to_home_and_to_a_new_game_tell_what_is_there(anna: Visitor, language: str, path: str) -> None:
    anna.cookies["language"] = language
    page = anna.get(path)
    told = dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]+)"', page))
    assert told["description"] == told["og:description"]
    assert told["og:url"] == f"http://testserver{path}"
    assert len(told["description"]) > 50
    assert told["og:title"]


def test_crawlers_and_old_browsers_find_their_files(anna: Visitor) -> None:
    assert "Disallow: /t/" in anna.get("/robots.txt")
    icon = anna.ask("GET", "/favicon.ico")
    assert anna.ask("GET", icon.headers["location"]).headers["content-type"] == "image/svg+xml"
