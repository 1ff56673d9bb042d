"""Coming back to a game: what the other side did meanwhile, step by step, told once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from markupsafe import Markup
from starlette.testclient import TestClient

from brinkmanship.engine.entry import Entry
from brinkmanship.engine.message import LogLine, Message
from brinkmanship.web.presentation.log_view import LogViewLine
from brinkmanship.web.presentation.missed_events import since
from support.browsing import CHOICES, act, begin, is_asked
from support.browsing import live as live_in
from support.visitors import Visitor, invited, live


def entries(actors: list[int]) -> list[Entry]:
    return [Entry(actor, 0, "", 7, False, False) for actor in actors]


def lines(*told: tuple[int, bool]) -> list[LogViewLine]:
    keys = {False: "log.play", True: "change.prestige"}
    said = [(entry, LogLine(Message(keys[follows]))) for entry, follows in told]
    return [LogViewLine(number, entry, entry, line, 1, Markup()) for number, (entry, line) in enumerate(said)]


def test_an_action_is_shown_with_what_followed_from_it() -> None:
    steps = since(1, entries([0, 1, 2, 1]), lines((1, False), (2, False), (3, True), (4, False)), 0)
    assert [(step.entry, len(step.lines)) for step in steps] == [(3, 2), (4, 1)]


def test_what_one_did_oneself_one_has_seen() -> None:
    assert since(None, entries([1, 0, 1]), lines((1, False), (2, False), (3, False)), 0)[0].entry == 3
    assert since(3, entries([1, 0, 1]), lines((3, False)), 0) == []
    assert since(None, entries([1, 1]), lines((1, False), (2, False)), 0) == []


def test_the_server_remembers_how_far_a_player_has_seen(client: TestClient) -> None:
    anna, boris = Visitor(client), Visitor(client)
    people = (anna, boris)
    path = invited(anna, boris)
    table = live(client, path)

    def play(side: int) -> None:
        sent = {"side": side, "version": table.version(side), "action": table.match.legal(side)[0].action}
        assert people[side].post(f"{path}/act", csrf=people[side].csrf, **sent).status_code == 303

    play(0)
    play(1)
    while table.to_move != [1]:
        play(0)
    anna.post(f"{path}/seen", csrf=anna.csrf)
    assert 'id="away"' not in anna.get(path)
    play(1)
    page = anna.get(path)
    assert page.count('id="away"') == 1
    for link in re.findall(r'href="(/t/[^"]+/replay/\d+)"', page):
        assert anna.ask("GET", link).status_code == 200
    assert 'id="away"' in anna.get(path)  # looking again does not lose it
    assert 'id="away"' not in Visitor(client).get(path)
    assert anna.post(f"{path}/seen", csrf=anna.csrf).status_code == 303
    assert 'id="away"' not in anna.get(path)


def test_the_steps_are_walked_by_keys_and_dismissed(visit: Callable[..., Any], server: Any) -> None:
    page = visit()
    page.route("**/seen", lambda route: route.abort())  # the player is called away: what follows he does not see
    begin(page, "computer", 0)
    page.wait_for_selector(CHOICES)
    table = live_in(server, page)
    own = len(table.match.entries)
    while not any(entry.actor == 1 for entry in table.match.entries[own:]) or not is_asked(page):
        own = len(table.match.entries)
        act(page, 0)
        page.wait_for_selector(CHOICES)
    page.reload()
    page.wait_for_selector("#away")
    page.unroute("**/seen")
    shown = page.inner_text("#away-at")
    assert shown.startswith("1")
    page.keyboard.press(".")
    with page.expect_response("**/seen"):
        page.keyboard.press("Escape")
    page.wait_for_selector("#away", state="detached")
    page.reload()
    page.wait_for_selector("#state")
    assert page.locator("#away").count() == 0
