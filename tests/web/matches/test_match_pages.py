"""Matches as people and programs see them: the form, the page, the line beside a table, the API."""

from __future__ import annotations

import html
import random
import re
import zlib

import pytest
from sqlalchemy import insert
from starlette.testclient import TestClient

from brinkmanship.analysis.pipeline import analyse
from brinkmanship.engine.message import Message
from brinkmanship.store import schema
from brinkmanship.text import LANGUAGES
from brinkmanship.web.presentation.page_words import page_words
from support.program import Program
from support.visitors import Visitor, live


def match_of(anna: Visitor, boris: Visitor, wish: str = "in_turn", **fields: object) -> tuple[str, str]:
    """A match of Anna, who begins as the US, and Boris; its first table and its own address."""
    table = anna.begin("friend", match=wish, **fields)
    link = re.search(r'value="https?://[^"]+?(/join/[^"]+)"', anna.get(table))
    assert link
    assert boris.post(link[1], name="Boris").status_code == 303
    address = re.search(r'href="(/match/\w+)"', anna.get(table))
    assert address
    return table, address[1]


def resign(visitor: Visitor, table: str, side: int) -> None:
    assert visitor.post(f"{table}/resign", csrf=visitor.csrf, side=side, sure="true").status_code == 303


def play(programs: dict[str, Program], table: str, seed: int) -> None:
    """Play a game to its end, each side by its own program."""
    choose = random.Random(seed).choice
    while True:
        for program in programs.values():
            shown = program.ask(f"/tables/{table}")
            if shown["status"] == "over":
                return
            if shown["legal"]:
                action = {"side": shown["you"][0], "version": shown["version"], "action": choose(shown["legal"])}
                program.ask(f"/tables/{table}/actions", action)


def test_a_match_from_the_form_to_its_result(client: TestClient) -> None:
    anna, boris, own = Visitor(client), Visitor(client), page_words("en")
    first, match = match_of(anna, boris)
    assert own.sentence(Message("match.in_turn")) in html.unescape(anna.get(match))
    assert own.sentence(Message("match.line", {"first": "0", "second": "0", "n": 1})) in anna.get(first)
    resign(boris, first, 1)
    (goes_to,) = re.findall(r'class="button primary" href="(/t/\w+)"', anna.get(match))
    for visitor in (anna, boris):
        assert own.sentence(Message("match.line", {"first": "0", "second": "1", "n": 2})) in visitor.get(goes_to)
    assert "/rematch" not in anna.get(first)
    resign(anna, goes_to, 1)
    over = anna.get(match)
    assert own.sentence(Message("match.drawn")) in over
    for page in (anna.get(goes_to), over):
        assert f'action="{goes_to}/rematch"' in page
        assert own.sentence(Message("match.again")) in page
    assert "/rematch" not in Visitor(client).get(match)
    assert own.sentence(Message("match.drawn")) in Visitor(client).get(match)
    listed = html.unescape(boris.get("/"))
    assert own.sentence(Message("match.row", {"game": "13 Days", "n": 2}))[-15:] in listed


def test_with_a_live_clock_both_press_the_button(client: TestClient) -> None:
    anna, boris = Visitor(client), Visitor(client)
    first, match = match_of(anna, boris, clock="live 20 10")
    resign(boris, first, 1)
    assert f'action="{match}/next"' in anna.get(first)
    assert anna.post(f"{match}/next", csrf=anna.csrf).headers["location"] == first
    assert f'action="{match}/next"' not in anna.get(first)
    assert "Requested by Anna" in boris.get(first)
    second = boris.post(f"{match}/next", csrf=boris.csrf).headers["location"]
    assert second != first
    assert anna.post(f"{match}/next", csrf=anna.csrf).headers["location"] == second
    assert f'href="{second}"' in anna.get(first)
    assert Visitor(client).post(f"{match}/next").status_code == 403


async def not_begun(*_: object) -> None:
    """Begin no analysis."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_tells_the_luck_once_both_games_are_analysed(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    services = client.app.state.services  # type: ignore[attr-defined]
    monkeypatch.setattr(services.analyses, "playouts", 8)
    monkeypatch.setattr(services.analyses, "begin", not_begun)  # the server requests them in the background
    anna, boris, own = Visitor(client), Visitor(client), page_words(language)
    anna.cookies["language"] = language
    first, match = match_of(anna, boris, "together")
    tables = re.findall(r'href="(/t/\w+)" aria-label', anna.get(match))
    assert (len(tables), tables[0]) == (2, first)
    for number, table in enumerate(tables):
        resign(boris, table, 1 - number)
    assert html.escape(own.sentence(Message("match.luck.pending")), quote=False) in anna.get(match)
    for address in tables:
        table = live(client, address)
        subject, _ = services.analyses.of_table(table)
        report = zlib.compress(analyse(table.match, playouts=8, result=table.result).to_json())
        with services.engine.begin() as connection:
            connection.execute(insert(schema.analyses).values(about=subject.about, **subject.columns, report=report))
    shown = html.unescape(anna.get(match))
    assert own.sentence(Message("match.luck.without")) in shown
    assert own.sentence(Message("match.won", {"who": "Anna"})) in shown


def test_two_programs_play_a_match_to_its_end(client: TestClient) -> None:
    anna, boris = Program(client, "Anna"), Program(client, "Boris")
    opened = anna.ask("/matches", {"game": "13-days", "seats": ["me", "friend"]}, 201)
    match, first = opened["match"], opened["id"]
    assert anna.ask(f"/matches/{match}")["games"][0]["status"] == "waiting"
    boris.ask(f"/tables/{first}/join", {"invitation": opened["invitations"]["ussr"]})
    play({"Anna": anna, "Boris": boris}, first, 1)
    told = boris.ask(f"/matches/{match}/next", {})
    assert [game["sides"] for game in told["games"]] == [["us", "ussr"], ["ussr", "us"]]
    play({"Anna": anna, "Boris": boris}, told["games"][1]["table"], 2)
    over = anna.ask(f"/matches/{match}")
    assert (over["is_over"], over["players"], sum(over["score"])) == (True, ["Anna", "Boris"], 2.0)
    assert [sum(column) for column in zip(*(game["points"] for game in over["games"]), strict=True)] == over["score"]
    assert anna.ask(f"/tables/{first}")["match"] == match


def test_a_match_that_does_not_exist_is_refused(client: TestClient) -> None:
    program = Program(client, "Anna")
    program.ask("/matches/nothing", status=404)
    program.ask("/matches", {"game": "13-days", "seats": ["me", "computer:random"]}, 400)
    program.ask("/matches", {"game": "chess", "seats": ["me", "friend"]}, 404)
    assert Visitor(client).ask("GET", "/match/nothing").status_code == 404
