"""Two people at one table: whether the other is here, what was said and not read, and what one hears of it."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brinkmanship.engine.game import OBSERVER
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.tables.event_stream import heartbeat
from brinkmanship.web.tables.presence import Presence
from brinkmanship.web.tables.seating import TableSettings
from support.browsing import CHOICES, PHONE, Visit, act, begin, live, picture, wait_for
from support.patience import HANGS_SECONDS
from support.serving import Server, serving

Players = Callable[..., tuple[Any, Any]]

SOUNDS = """
window.heard = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { heard.push(this.frequency.value); return start.call(this, at); };
"""
HIDE = "hidden => { window.isHidden = hidden; document.dispatchEvent(new Event('visibilitychange')); }"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    database: Path = tmp_path_factory.mktemp("together") / "table.sqlite3"
    settings = Settings(f"sqlite:///{database}", requests_per_minute=1_000_000)
    with serving(replace(settings, database=f"sqlite:///{database}", heartbeat_seconds=1)) as server:
        yield server


@pytest.fixture
def players(visit: Visit, server: Server) -> Players:
    """Anna and Boris at a table, both with open pages."""

    def sit_down(mine: dict[str, Any] | None = None, **theirs: Any) -> tuple[Any, Any]:
        anna = visit(reduced_motion="reduce", **(mine or {}))
        for_all(anna)
        anna.reload()
        begin(anna, "friend", 0)
        boris = visit(anna.input_value("#invitation").removeprefix(server.url), reduced_motion="reduce", **theirs)
        for_all(boris)
        boris.reload()
        boris.fill("input[name=name]", "Boris")
        boris.click("button.primary")
        for page in (anna, boris):
            page.wait_for_selector(CHOICES)
        return anna, boris

    return sit_down


def for_all(page: Any) -> None:
    """Sounds are counted; a page can be hidden behind others."""
    page.add_init_script(SOUNDS)
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.isHidden ?? false })")


def say(page: Any, text: str) -> None:
    page.evaluate("document.querySelector('#chat-box').open = true")
    page.fill("[data-chat] input[name=text]", text)
    page.click("[data-chat] button")
    page.wait_for_selector(f"#said:has-text('{text}')")


# Who is here.

WORDS = {
    "en": ("here", "away"),
    "ru": ("на месте", "отсутствует"),
    "de": ("da", "nicht da"),
    "pl": ("przy stole", "nie ma przy stole"),
}


def test_each_sees_in_words_whether_the_other_is_here(players: Players, visit: Visit) -> None:
    anna, boris = players()
    watcher = visit(re.sub(".*(/t/.*)", r"\1", anna.url))
    for page, side in ((anna, 1), (boris, 0)):
        page.wait_for_selector(f".player.side-{side} .here:has-text('here')")
        assert page.locator(".here").count() == 1  # of oneself one knows it
    picture(anna, "together-wide", whole=False)
    boris.goto("about:blank")
    anna.wait_for_selector(".here.absent:has-text('away')")
    boris.go_back()
    anna.wait_for_selector(".here:not(.absent)")
    assert watcher.locator(".here").count() == 0


def test_presence_says_nothing_of_what_one_does(server: Server) -> None:
    async def told(look: bool) -> list[bytes]:
        parts, people = server.app.state.services, server.app.state.services.users
        (anna, _), (boris, _) = people.add_guest("Anna", "en"), people.add_guest("Boris", "en")
        table, tokens = await parts.seating.create(TableSettings("13-days", ["me", "friend"]), anna.id, "Anna")
        await parts.seating.join(table.id, boris.id, "Boris", tokens[1])
        if look:
            parts.tables.note_look(table, 1)
        before = [heartbeat(table, viewer, 3600) for viewer in (0, OBSERVER)]
        await parts.actions.act(table.id, boris.id, 1, 0, table.match.legal(1)[0].action)  # in secret
        after = [heartbeat(table, viewer, 3600) for viewer in (0, OBSERVER)]
        return [re.sub(rb'"at":[\d.]+', b"", beat) for beat in (*before, *after)]

    for look in (False, True):
        run_there = asyncio.run_coroutine_threadsafe(told(look), server.loop)
        anna, watcher, anna_later, watcher_later = run_there.result(HANGS_SECONDS)
        assert (anna, watcher) == (anna_later, watcher_later)
        assert (b'"here":[1]' in anna) == look
        assert b'"here":[]' in watcher  # who only watches is not told who is at home


def test_who_has_not_been_heard_of_for_a_while_is_away() -> None:
    presence = Presence()
    presence.looked_at = {0: time.monotonic() - 2 * HANGS_SECONDS, 1: time.monotonic()}
    assert presence.who_is_here(HANGS_SECONDS) == [1]


# What was said and not read.


def test_what_was_said_and_not_read_is_marked_in_dock_and_title(players: Players) -> None:
    anna, boris = players({"viewport": {"width": 1280, "height": 700}})
    assert not anna.locator("#chat-box[open]").count()  # until the first message
    say(boris, "Hi")
    anna.wait_for_selector("#chat-box[open]")
    anna.click("#chat-box summary")
    assert not anna.locator("[data-unread]").is_visible()
    for text in ("Hello", "Are you there?"):
        say(boris, text)
    anna.wait_for_selector("[data-unread]:has-text('New in chat: 2')")
    assert re.match(r"\(2\) ", anna.title())
    assert re.match(r"(●|13)", boris.title())  # what one says oneself is read
    picture(anna, "unread-wide", whole=False)
    act(anna, 0)  # the dock is made anew
    assert anna.locator("[data-unread]").is_visible()
    anna.reload()
    anna.wait_for_selector("[data-unread]:has-text('2')")
    anna.click("[data-unread]")
    anna.wait_for_selector("[data-unread]", state="hidden")
    assert anna.evaluate("document.activeElement.name") == "text"
    assert "(" not in anna.title()
    anna.reload()
    anna.wait_for_selector("#state")
    assert not anna.locator("[data-unread]").is_visible()


def test_what_is_said_behind_other_tabs_is_unread_until_one_looks(players: Players) -> None:
    anna, boris = players()
    say(anna, "Hello")
    anna.evaluate(HIDE, True)
    say(boris, "Good evening")
    wait_for(anna, "document.title.startsWith('(1)')")
    anna.evaluate(HIDE, False)
    wait_for(anna, "!document.title.startsWith('(')")


# What is heard.


def test_one_hears_his_turn_and_what_is_said_by_others(players: Players, server: Server) -> None:
    anna, boris = players()
    anna.click("#prompt")  # before that no browser lets a page sound
    act(anna, 0)
    assert anna.evaluate("heard") == []
    act(boris, 0)
    table = live(server, anna)
    while table.to_move != [0]:
        act(boris if 1 in table.to_move else anna, 0)
        anna.evaluate("heard.length = 0") if table.to_move == [1] else None
    anna.wait_for_selector(CHOICES)
    wait_for(anna, "heard.length >= 2")
    anna.evaluate("heard.length = 0")
    say(anna, "My turn")
    assert anna.evaluate("heard") == []
    say(boris, "Yes")
    wait_for(anna, "heard.length === 1")


def test_the_switch_is_remembered_and_off_at_first_on_a_phone(players: Players) -> None:
    anna, boris = players({}, **PHONE)
    assert anna.is_checked("[data-setting=sound]")
    assert not boris.is_checked("[data-setting=sound]")
    for page in (anna, boris):
        page.evaluate("document.querySelector('#settings-box').open = true")
        page.locator("[data-setting=sound]").click()
        page.reload()
    assert not anna.is_checked("[data-setting=sound]")
    assert boris.is_checked("[data-setting=sound]")
    for pressed in ("true", "false"):  # the tool beside the question is the same switch
        anna.click("[data-mute]")
        assert anna.get_attribute("[data-mute]", "aria-pressed") == pressed
        assert anna.is_checked("[data-setting=sound]") == (pressed == "true")
    anna.click("#prompt")
    anna.evaluate("heard.length = 0")
    say(boris, "Do you hear me?")
    wait_for(anna, "document.querySelector('#said').textContent.includes('Do you hear me?')")
    assert anna.evaluate("heard") == []


def test_presence_and_unread_chat_fit_a_phone_at_night(players: Players) -> None:
    anna, boris = players({}, **PHONE, color_scheme="dark")
    say(anna, "Hello")
    for language, (here, away) in WORDS.items():
        boris.select_option("#language", language)
        boris.wait_for_selector(f"html[lang={language}] .here[data-away='{away}']:text-is('{here}')")
        boris.wait_for_selector("[data-unread]:has-text('1')")
        assert boris.evaluate("document.documentElement.scrollWidth") <= 360
        picture(boris, f"together-phone-{language}", whole=False)
