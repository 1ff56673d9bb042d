"""The line between page and server: cut, dead, offline, asleep, restarted. The page says so, and is right again soon.

A wire (`wire.Wire`) stands between the browser and a server whose heart beats fast, so that nobody waits long.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pytest

from brinkmanship.web.server.static_files import STATIC
from brinkmanship.web.services import Services
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.tables.event_stream import RETRY_MILLISECONDS, NewsResponse
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seating import TableSettings
from support.browsing import (
    CHOICES,
    PHONE,
    Visit,
    choose,
    confirm,
    form_of,
    picture,
    start_game,
    view,
    wait_for,
    wait_for_change,
    wait_until,
)
from support.patience import HANGS_SECONDS
from support.serving import Server, serving
from support.wire import Wire

HEARTBEAT_SECONDS = 0.4
LOST = "#line:not(:empty)"
FINE = "#line:empty"


@pytest.fixture
def settings(settings: Settings, request: pytest.FixtureRequest) -> Settings:
    return replace(settings, heartbeat_seconds=getattr(request, "param", HEARTBEAT_SECONDS))


@pytest.fixture
def house(settings: Settings) -> Iterator[Server]:
    """The server itself."""
    with serving(settings) as server:
        yield server


@pytest.fixture
def wire(house: Server) -> Iterator[Wire]:
    wire = Wire(house.url)
    yield wire
    wire.close()


@pytest.fixture
def server(house: Server, wire: Wire) -> Server:
    """The server as browsers reach it."""
    return Server(wire.url, house.app, house.loop)


@dataclass
class Game:
    """A game with clocks of Anna, who has a browser, and Boris, who acts in the server itself."""

    page: Any
    house: Server
    table_id: str
    token: str
    boris: str = ""

    def call(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.house.loop).result(HANGS_SECONDS)

    @property
    def services(self) -> Services:
        services: Services = self.house.app.state.services
        return services

    @property
    def table(self) -> LiveTable:
        table: LiveTable = self.call(self.services.tables.table(self.table_id))
        return table

    def join(self) -> None:
        """Boris sits down."""
        boris, _ = self.house.app.state.services.users.add_guest("Boris", "en")
        self.boris = boris.id
        self.call(self.services.seating.join(self.table_id, boris.id, "Boris", self.token))

    def play_on(self) -> None:
        """Somebody does something, and Boris says something."""
        table = self.table
        side = table.to_move[-1]
        action = table.match.legal(side)[0].action
        self.call(self.services.actions.act(table.id, table.seats[side].person_id, side, table.version(side), action))
        said = self.services.chat.say(table.id, "Boris", 1, f"After {len(table.records)}", person_id=self.boris)
        self.call(said)

    def play_until_a_clock_runs(self) -> None:
        """Past the choices in secret."""
        while not (timer := self.table.timer) or not timer.running or self.table.match.in_secret:
            self.play_on()

    def wait_until_right(self) -> None:
        """Board, clocks and chat are those of the server, and nothing says that the line is lost."""
        table = self.table
        self.page.wait_for_selector(f"#state[data-version='{table.version(0)}']")
        self.page.wait_for_selector(f"#said:has-text('After {len(table.records)}')", state="attached")
        self.page.wait_for_selector(FINE, state="attached")
        wait_until(self.page, self.are_clocks_right)

    def are_clocks_right(self) -> bool:
        """Return True if the page's clocks are those of the server, give or take the delay of a slow machine."""
        left = self.table.seconds_left(0, time.time())
        assert left is not None
        return all(abs(mine - theirs) < 10 for mine, theirs in zip(self.clocks(), left, strict=True))

    def clocks(self) -> list[int]:
        """What the page's clocks show, in seconds."""
        shown = [text.split(":") for text in self.page.locator(".clock").all_inner_texts()]
        return [60 * int(minutes) + int(seconds) for minutes, seconds in shown]


def as_it_is(page: Any) -> None:
    """Prepare nothing in a page."""


@pytest.fixture
def invite(visit: Visit, house: Server) -> Callable[..., Game]:
    """Anna sets a table and waits for Boris."""

    def wait(prepare: Callable[[Any], None] = as_it_is, **options: Any) -> Game:
        page = visit(reduced_motion="reduce", **options)
        prepare(page)
        form = form_of(page, "13-days")
        form.locator("input[name=name]").fill("Anna")
        choose(form, "side", 0)
        choose(form, "clock", "live 20 10")
        start_game(form, "friend")
        page.wait_for_selector("#state")
        page.wait_for_load_state()  # a line that is cut before the scripts have come leaves a page without them
        link = page.input_value("#invitation")
        return Game(page, house, page.get_attribute("#state", "data-table"), link.rpartition("/")[2])

    return wait


@pytest.fixture
def play(invite: Callable[..., Game]) -> Callable[..., Game]:
    """A game in which a clock runs."""

    def begin(prepare: Callable[[Any], None] = as_it_is, **options: Any) -> Game:
        game = invite(prepare, **options)
        game.join()
        wait_until(game.page, lambda: game.table.to_move)  # her browser adds its bytes to the deal
        game.play_until_a_clock_runs()
        game.wait_until_right()
        return game

    return begin


# A line that breaks.

BREAKS: dict[str, Callable[[Wire], None]] = {
    "reset": Wire.cut,
    "dead": Wire.deafen,
    "dead and forgotten": lambda wire: wire.deafen(for_good=True),
}


@pytest.mark.parametrize("kind", BREAKS)
def test_a_line_that_was_broken_is_found_and_all_is_right_again(
    play: Callable[..., Game], wire: Wire, kind: str
) -> None:
    game = play()
    BREAKS[kind](wire)
    game.page.wait_for_selector(LOST)
    for _ in range(2):
        game.play_on()
    wire.mend()
    game.wait_until_right()


def test_a_browser_that_was_offline_is_right_again(play: Callable[..., Game], wire: Wire) -> None:
    game = play()
    game.page.context.set_offline(True)
    wire.cut()  # what is open already the browser lets be
    wire.mend()
    game.page.wait_for_selector(LOST)
    game.play_on()
    game.page.context.set_offline(False)
    game.wait_until_right()


def test_a_server_that_was_restarted_is_found_again(play: Callable[..., Game], wire: Wire, settings: Settings) -> None:
    game = play()
    wire.cut()
    with serving(settings) as other:  # on the same database
        wire.target = other.url
        game.page.wait_for_selector(LOST)
        game.house = other
        game.play_on()
        wire.mend()
        game.wait_until_right()


@pytest.mark.parametrize("settings", [3600], indirect=True)
def test_a_laptop_that_has_slept_has_other_clocks_and_asks_at_once(play: Callable[..., Game], wire: Wire) -> None:
    # The heart does not beat in this test: what is noticed is that time has jumped.
    game = play(prepare=lambda page: page.clock.install())
    wire.deafen(for_good=True)
    game.play_on()
    wire.mend()
    game.page.clock.fast_forward("10:00")
    game.wait_until_right()


def test_what_could_not_be_fetched_is_tried_again(play: Callable[..., Game]) -> None:
    game = play()
    failed = []

    def fail(route: Any) -> None:
        failed.append(route.request.url)
        if len(failed) < 4:
            route.abort() if len(failed) % 2 else route.fulfill(status=503)
        else:
            route.continue_()

    game.page.route(re.compile("/(state|chat)"), fail)
    game.play_on()
    game.wait_until_right()
    assert len(failed) > 4


def test_one_who_waits_hears_that_the_other_came_while_the_line_was_lost(
    invite: Callable[..., Game], wire: Wire
) -> None:
    game = invite()
    wire.cut()
    game.page.wait_for_selector(LOST)
    game.join()
    wire.mend()
    game.page.wait_for_selector(CHOICES)


def test_what_was_not_answered_is_said_and_nothing_of_it_is_lost_or_done_twice(
    play: Callable[..., Game], wire: Wire
) -> None:
    game = play()
    while game.table.to_move != [0]:
        game.play_on()
    game.wait_until_right()
    page, before, records = game.page, view(game.page), len(game.table.records)
    page.evaluate("document.querySelector('#chat-box').open = true")
    page.fill("[data-chat] input[name=text]", "Can you hear me?")
    wire.cut()
    page.click("[data-chat] button")
    page.wait_for_selector("#consequence:has-text('That may not have been sent')")
    wait_for(page, "document.querySelector('[data-chat] input[name=text]').value === 'Can you hear me?'")
    page.evaluate("document.querySelector('#consequence').textContent = ''")
    page.evaluate("document.querySelector('#choices').requestSubmit(document.querySelector('#choices button'))")
    page.wait_for_selector("#consequence:has-text('That may not have been sent')")
    wire.mend()
    wait_for_change(page, before)  # it was sent again
    page.wait_for_selector("body:not(.busy)")
    assert len(game.table.records) == records + 1
    page.click("[data-chat] button")
    page.wait_for_selector("#said:has-text('Can you hear me?')")


def test_a_move_whose_answer_a_proxy_lost_is_not_done_twice(play: Callable[..., Game]) -> None:
    game = play()
    while game.table.to_move != [0]:
        game.play_on()
    game.wait_until_right()
    page, before, records = game.page, view(game.page), len(game.table.records)
    tries: list[int] = []

    def lose(route: Any) -> None:
        """The machine that was asked dies before it answers: the proxy knows nothing better to say."""
        answer = route.fetch()
        tries.append(answer.status)
        if len(tries) == 1:
            route.fulfill(status=502, body="<h1>502 Bad Gateway</h1>")
        else:
            route.fulfill(response=answer)

    page.route("**/act*", lose)
    page.locator(CHOICES).first.click()
    confirm(page)
    wait_for_change(page, before)
    page.wait_for_selector("body:not(.busy)")
    assert tries == [200, 409]
    assert len(game.table.records) == records + 1
    assert "Bad Gateway" not in page.content()


# The sign.

SIGNS = {
    "en-GB": "Connection lost",
    "ru-RU": "Связь потеряна",
    "de-DE": "unterbrochen",
    "pl-PL": "Utracono połączenie",
}


def test_a_lost_line_is_said_in_words_to_who_waits_and_to_who_watches(
    visit: Visit, invite: Callable[..., Game], wire: Wire
) -> None:
    game = invite(locale="en-GB")
    pages = {"en-GB": game.page}
    for locale in ("ru-RU", "de-DE", "pl-PL"):
        pages[locale] = visit(f"/t/{game.table_id}", locale=locale, color_scheme="dark", **PHONE)
    for page in pages.values():
        wait_for(page, "table.connection.current !== null")
        page.evaluate("Promise.all([...document.fonts].map((font) => font.load()))")  # for the pictures
    wire.deafen()
    for locale, page in pages.items():
        page.wait_for_selector(LOST)
        assert SIGNS[locale] in page.inner_text("[role=status]#line")
        box = page.locator("#line").bounding_box()
        assert box["y"] == 0
        assert box["width"] == page.evaluate("document.documentElement.clientWidth")
        picture(page, f"line-{locale[:2]}", whole=False)
    wire.mend()
    for page in pages.values():
        page.wait_for_selector(FINE, state="attached")


# Pages that nobody looks at.

HIDE = "hidden => { window.isHidden = hidden; document.dispatchEvent(new Event('visibilitychange')); }"


def test_a_page_nobody_looks_at_gives_its_stream_back_and_still_hears(play: Callable[..., Game]) -> None:
    def prepare(page: Any) -> None:
        page.clock.install()
        page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.isHidden ?? false })")

    game = play(prepare=prepare)
    page, table = game.page, game.table

    def has_one_stream() -> bool:
        return len(table.presence.listeners) == 1  # a slow first attempt ends when the second is answered

    wait_until(page, has_one_stream)
    page.evaluate(HIDE, True)
    page.clock.fast_forward("01:01")
    wait_until(page, lambda: not table.presence.listeners)
    game.play_on()
    page.clock.fast_forward("00:31")
    game.wait_until_right()
    assert not table.presence.listeners
    game.play_on()
    page.evaluate(HIDE, False)
    game.wait_until_right()
    wait_until(page, has_one_stream)


# What the server sends.


def test_readers_are_told_to_come_back_at_different_times(house: Server) -> None:
    table, began = Game(None, house, "", "").call(new_table(house)), time.time()
    told = [
        Game(None, house, "", "").call(first_words(house, NewsResponse(house.app.state.services, table, 0)))
        for _ in range(20)
    ]
    waits = [int(re.findall(r"^retry: (\d+)$", text, re.M)[0]) for text in told]
    assert all(RETRY_MILLISECONDS[0] <= wait <= RETRY_MILLISECONDS[1] for wait in waits)
    assert len(set(waits)) > 10
    beats = [json.loads(beat) for text in told for beat in re.findall(r"event: heartbeat\ndata: (.*)", text)]
    assert {(beat["version"], beat["said"], beat["seating"]) for beat in beats} == {(0, 0, "waiting 1")}
    assert all(began - 1 < beat["at"] < time.time() + 1 for beat in beats)


async def new_table(house: Server) -> LiveTable:
    anna, _ = house.app.state.services.users.add_guest("Anna", "en")
    table, _ = await house.app.state.services.seating.create(
        TableSettings("13-days", ["me", "friend"]), anna.id, "Anna"
    )
    found: LiveTable = table
    return found


async def first_words(house: Server, stream: NewsResponse) -> str:
    """What a stream says first."""
    said = asyncio.Queue[bytes]()

    async def send(message: Any) -> None:
        said.put_nowait(message.get("body", b""))

    task = asyncio.create_task(stream({"type": "http", "app": house.app}, asyncio.Event().wait, send))
    await said.get()
    words = await said.get()
    task.cancel()
    return words.decode()


# The line by itself, with a server that is made up and a time that goes as it is told.

UP = """() => {
  window.calls = []; window.glances = []; window.lines = []; window.isLost = []; window.isDown = false;
  let seed = 7;
  Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  window.fetch = (address, { signal }) => new Promise((resolve, reject) => {
    const told = { at: Date.now(), isOpen: true };
    (address === "news" ? calls : glances).push(told);
    const end = (error) => { told.isOpen = false; reject(error); };
    signal.addEventListener("abort", () => end(signal.reason));
    told.fail = () => end(new TypeError("failed"));
    if (isDown) told.fail();
    told.answer = (status, headers = {}) => {
      if (status !== 200) { told.isOpen = false; return resolve(new Response("", { status, headers })); }
      if (address !== "news") return resolve(new Response(JSON.stringify({ at: 0 })));
      resolve(new Response(new ReadableStream({ start: (stream) => {
        told.beat = () => stream.enqueue(new TextEncoder().encode('event: heartbeat\\ndata: {"at": 0}\\n\\n'));
        told.close = () => { told.isOpen = false; stream.close(); };
        told.beat();
      } })));
    };
  });
  window.connect = () => {
    const line = new Connection({ seconds: 60, heard: () => {}, changed: (isLost) => window.isLost.push(isLost) });
    line.open("news", "glance");
    lines.push(line);
  };
}"""
HEARD = "lines.every((line) => line.current)"
CUT = "lines.every((line) => !line.current)"


@pytest.fixture
def lone(chromium: Any) -> Iterator[Any]:
    """A page with nothing but the script, and a server that answers as the test tells it."""
    page = chromium.new_context().new_page()
    page.clock.install(time=1_700_000_000)
    page.clock.pause_at(1_700_000_100)
    page.add_script_tag(path=STATIC / "js" / "connection.js")
    page.evaluate(UP)
    yield page
    page.context.close()


def answered(page: Any) -> None:
    """A line that holds."""
    page.evaluate("() => { connect(); calls[0].answer(200); }")
    wait_for(page, HEARD)


@pytest.mark.parametrize("event", ["focus", "pageshow", "visibilitychange", "online"])
def test_a_page_that_is_looked_at_again_asks_at_once_if_the_line_is_silent(lone: Any, event: str) -> None:
    answered(lone)
    look = f"(event) => ({'document' if event == 'visibilitychange' else 'window'}).dispatchEvent(new Event(event))"
    if event != "online":  # which says that there is a new line, however well the old one seems to be
        lone.evaluate(look, event)
        assert lone.evaluate("calls.length") == 1
        lone.clock.run_for(60_500)
        assert lone.evaluate("calls.length") == 1
    lone.evaluate(look, event)
    assert lone.evaluate("calls.length") == 2
    assert lone.evaluate("isLost") == []


def test_a_silent_line_is_replaced_and_only_then_called_lost(lone: Any) -> None:
    answered(lone)
    lone.clock.run_for(61_000)
    assert lone.evaluate("calls.length") == 1
    lone.clock.run_for(500)
    assert lone.evaluate("[calls.length, isLost.length, calls[0].isOpen]") == [2, 0, True]
    lone.clock.run_for(1000)
    assert lone.evaluate("isLost") == [True]
    lone.evaluate("calls.at(-1).answer(200)")
    wait_for(lone, "isLost.length === 2")
    assert lone.evaluate("[isLost[1], calls[0].isOpen]") == [False, False]


def test_the_sign_of_an_offline_browser_comes_at_once(lone: Any) -> None:
    answered(lone)
    lone.evaluate("window.dispatchEvent(new Event('offline'))")
    assert lone.evaluate("isLost") == [True]


@pytest.mark.parametrize("how", ["fails", "hangs"])
def test_a_lost_line_is_called_again_every_three_seconds_for_as_long_as_it_takes(lone: Any, how: str) -> None:
    answered(lone)
    lone.evaluate("calls[0].close()")
    wait_for(lone, CUT)
    lone.evaluate("fails => { isDown = fails; }", how == "fails")
    lone.clock.run_for(300_000)
    assert lone.evaluate("calls.filter((call) => call.isOpen).length") == (0 if how == "fails" else 3)
    at = lone.evaluate("calls.slice(1).map((call) => call.at)")
    pauses = [later - earlier for earlier, later in pairwise(at)]
    assert len(pauses) > 100
    assert max(pauses) <= 3000
    assert min(pauses) >= 500


def test_not_all_readers_of_a_server_that_restarts_come_back_in_the_same_second(lone: Any) -> None:
    lone.evaluate("() => { for (let n = 0; n < 200; n++) connect(); calls.forEach((call) => call.answer(200)); }")
    lone.wait_for_function(HEARD)
    lone.evaluate("calls.forEach((call) => call.close())")
    wait_for(lone, CUT)
    cut = lone.evaluate("Date.now()")
    lone.clock.run_for(3000)
    back = sorted(at - cut for at in lone.evaluate("calls.slice(200).map((call) => call.at)"))[:200]
    for start in range(0, 3000, 100):
        assert sum(start <= at < start + 1000 for at in back) < 130
    assert len(back) == 200


def test_a_server_that_refuses_streams_is_asked_seldom_and_for_single_heartbeats(lone: Any) -> None:
    lone.evaluate("() => { connect(); calls[0].answer(429, { 'Retry-After': '90' }); }")
    lone.wait_for_function("lines[0].refusals")
    for _ in range(2):
        lone.clock.run_for(44_000)
        lone.evaluate("glances.forEach((glance) => glance.answer(200))")
    assert lone.evaluate("[calls.length, glances.length, isLost.length]") == [1, 2, 0]
    lone.clock.run_for(3000)
    assert lone.evaluate("calls.length") == 2


def test_a_server_in_trouble_is_asked_again_as_if_the_line_were_lost(lone: Any) -> None:
    lone.evaluate("() => { connect(); calls[0].answer(503); }")
    lone.clock.run_for(3000)
    assert lone.evaluate("calls.length") >= 2


def test_the_latest_of_what_the_server_says_of_its_time_is_believed(lone: Any) -> None:
    lone.evaluate("connect()")
    told = "(later) => { lines[0].tellTime(Date.now() / 1000 + later); return lines[0].now - Date.now() / 1000; }"
    # A second and a half on the way, then half a second, then stuck for seven.
    assert [round(lone.evaluate(told, later), 3) for later in (98.5, 99.5, 93)] == [98.5, 99.5, 99.5]


def test_an_errand_is_tried_until_it_is_done_and_later_each_time(lone: Any) -> None:
    lone.evaluate(
        "() => { window.tries = []; window.done = false;"
        "window.errand = new Errand(async () => { tries.push(Date.now()); return done; }); errand.start(); }"
    )
    lone.clock.run_for(120_000)
    tries = lone.evaluate("tries")
    assert 6 <= len(tries) < 20
    assert 20_000 < tries[-1] - tries[-2] <= 30_500
    lone.evaluate("() => { done = true; errand.start(); }")  # there are news, or the line is back
    lone.wait_for_function("!errand.isUnderWay")
    assert lone.evaluate("tries.length") == len(tries) + 1
