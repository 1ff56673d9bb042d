"""Hidden information: what is sent to a viewer is the same, byte for byte, when all he cannot know is dealt anew.

Every channel is looked at: pages, fragments, previews, streams, the API, logs, replays, journals, refusals. In this
process for hundreds of positions; over HTTP for a few. "long" takes forty times as many.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from brinkmanship.engine.chance import generator
from brinkmanship.engine.entry import Entry
from brinkmanship.engine.game import CHANCE, OBSERVER
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.web.accounts.users import csrf_token
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.cluster.unix_pubsub import UnixPubSub
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support import time_control
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.tables.event_log import Command
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.open_hands import MINUTES, ROUND, OpenView
from brinkmanship.web.tables.record_kinds import ACTION, HINT, RESIGN, UNDO
from brinkmanship.web.tables.seating import TableSettings
from brinkmanship.web.tables.statuses import RUNNING
from support.databases import KINDS, fresh_database
from support.hint_pool import here as here  # a fixture
from support.patience import HANGS_SECONDS, until, wait_until
from support.serving import Server

pytestmark = pytest.mark.slow

POSITIONS = 500
"""For each seed of a long run."""

PLANS: dict[str, list[dict[str, Any]]] = {
    "13-days": [{}],
    "13-minutes": [{}, {"series": True, "options": {"cuba_timing": "before_hands", "bid_tie_cap": 1}}],
    "ukrainian-crisis": [
        {},
        {"options": {"resource_selection": "random_draw"}},
        {"options": {"show_unused_diplomatic": False, "declaration": "leader_first_open"}},
    ],
}
"""What the tables of a game are like, in turn: with options that change who knows what."""
NEVER_LEGAL = {"13-days": "place 9 berlin", "13-minutes": "remove 13 cuba", "ukrainian-crisis": "rp 99"}
"""An action of the game that is refused wherever it is tried here."""
LANGUAGES = ("en", "ru", "de", "pl")


class Sent(NamedTuple):
    """A request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""


class Viewer(NamedTuple):
    """Who looks: a side, or an onlooker; as a person in a browser, and as a program."""

    side: int
    session: str
    token: str

    def get(self, path: str, language: str, fragment: bool = False) -> Sent:
        """A page as a browser asks for it."""
        return Sent("GET", path, self._browser(language, fragment))

    def post(self, path: str, language: str, fragment: bool = True, **fields: object) -> Sent:
        """A form as a browser sends it."""
        body = urlencode({"csrf": csrf_token(self.session), **fields}).encode()
        headers = self._browser(language, fragment) | {"content-type": "application/x-www-form-urlencoded"}
        return Sent("POST", path, headers, body)

    def program(self, path: str, body: object = None) -> Sent:
        """A request to the API."""
        headers = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
        method = "GET" if body is None else "POST"
        return Sent(method, f"/api/v1{path}", headers, b"" if body is None else json.dumps(body).encode())

    def _browser(self, language: str, fragment: bool) -> dict[str, str]:
        layout = "narrow" if language in ("ru", "pl") else "wide"
        text = {"ru": "beside", "pl": "instead"}.get(language, "off")
        cookie = f"session={self.session}; language={language}; layout={layout}; board_text={text}"
        return {"accept": "text/html", "cookie": cookie} | ({"x-fragment": "1"} if fragment else {})


class Twin(LiveTable):
    """A table that a viewer cannot tell from another one: everything he does not know has been dealt anew.

    It follows the other table step by step. Each position is dealt anew by itself, also those that have been.
    """

    def __init__(self, table: LiveTable, viewer: int, seed: int) -> None:
        row = {**vars(table), **vars(table.state), **table.terms.as_row()}
        super().__init__(row, table.seats, table.game, table.part)
        self._true = table
        self._viewer = viewer
        self._deal = generator(seed)
        self._followed: list[Entry] = []
        self.state.match = Match(table.game)

    def follow(self) -> None:
        """Come to where the other table is."""
        table, true = self._true, self._true.match
        self.apply_state(replace(table.state, match=self.match, orders=self.state.orders))
        self.presence.looked_at = table.presence.looked_at
        same = 0
        while same < min(len(self._followed), len(true.entries)) and self._followed[same] is true.entries[same]:
            same += 1
        self._followed = list(true.entries)
        self.match.entries = self.match.entries[:same] + [self._as_known(entry) for entry in true.entries[same:]]
        past = self.match._past[: min(same + 1, len(true.entries))]  # the present position is always dealt anew
        if self._viewer == OBSERVER:  # spectators know all of the beginning, if the players have agreed to it
            known = table.shown_openly(time_control.now())
            self.match.entries[:known] = true.entries[:known]
            past[: known + 1] = true._past[: known + 1]
        while len(past) <= len(true.entries):
            past.append(self._redealt(true.state_after(len(past))).tobytes())
        self.match._past = past
        self.match._show(self.match.state_after(len(true.entries)), true.answered)

    def _as_known(self, entry: Entry) -> Entry:
        if entry.is_known_to(self._viewer):
            return entry
        # Another action of the same kind may have been taken; a record shows only the kind, "draw ?".
        texts, shown = self.game.action_texts, self.game.hidden_action_text(entry.action)
        another = next(
            action
            for action in (texts if isinstance(texts, Mapping) else range(len(texts)))
            if action != entry.action and self.game.hidden_action_text(action) == shown
        )
        return entry._replace(action=another, text=self.game.action_text(another))

    def _redealt(self, state: State) -> State:
        game = self.game
        view, out = game.view_of(state, self._viewer), game.new_states(1)[0]
        game.redeal(game.rules, view, self._viewer, self._deal, out)
        while game.pending(game.rules, out) != game.pending(game.rules, state):  # the record says who has chosen
            game.redeal(game.rules, view, self._viewer, self._deal, out)
        return out


class House:
    """A server in this process with a running game of Anna and Boris.

    Args:
        other: another server of the same database, whose people come here too.
    """

    def __init__(self, client: TestClient, other: House | None = None) -> None:
        self.client = client
        self.app: Any = client.app
        if other is not None:
            self.people, self.viewers = other.people, other.viewers
            return
        people = self.app.state.services.users
        guests = [people.add_guest(name, "en") for name in ("Anna", "Boris", "Carl")]
        self.people = [guest for guest, _ in guests]
        self.viewers = [
            Viewer(side, session, people.open_session(guest.id, api_label="program"))
            for side, (guest, session) in enumerate(guests)
        ]

    def new_table(self, game: str = "13-days", **plan: Any) -> LiveTable:
        """A table where Anna plays the first side and Boris the second."""

        async def set_table() -> LiveTable:
            parts = self.app.state.services
            table, tokens = await parts.seating.create(
                TableSettings(game, ["me", "friend"], **plan), self.people[0].id, "Anna"
            )
            joined: LiveTable = await parts.seating.join(table.id, self.people[1].id, "Boris", tokens[1])
            return joined

        return self.call(set_table)

    def play_to_question_for_both(self, table: LiveTable, before: int) -> None:
        """Play on to a question put to both sides at once, after so many others."""
        while before or table.to_move != [0, 1]:
            before -= table.to_move == [0, 1]
            for side in table.to_move:
                self.act(table, side, table.match.legal(side)[0].action)

    def act(self, table: LiveTable, side: int, action: int) -> None:
        """Take an action as the one who plays a side."""
        act = self.app.state.services.actions.act
        self.call(act, table.id, self.people[side].id, side, table.version(side), action)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a coroutine in the server's loop."""
        assert self.client.portal is not None
        return self.client.portal.call(function, *arguments)

    def told(self, table: LiveTable, requests: list[Sent]) -> list[str]:
        """All answers, with a table in the place of the one of its name."""
        self.app.state.services.tables._live[table.id] = table
        self.app.state.services.replays.clear()
        found: list[str] = self.call(_all_answers, self.app, requests)
        return found

    def listen(self, sent: Sent) -> Ear:
        """Open a stream and go on."""
        ear = Ear()
        self.call(ear.open, self.app, sent)
        return ear


class Networked(House):
    """A server of its own on a port, asked over HTTP."""

    def __init__(self, server: Server) -> None:
        self.server = server
        super().__init__(server)  # type: ignore[arg-type]

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(function(*arguments), self.server.loop).result(HANGS_SECONDS)

    def told(self, table: LiveTable, requests: list[Sent]) -> list[str]:
        self.app.state.services.tables._live[table.id] = table
        self.app.state.services.replays.clear()
        return [self._answer(sent) for sent in requests]

    def _answer(self, sent: Sent) -> str:
        connection = http.client.HTTPConnection(urlsplit(self.server.url).netloc, timeout=HANGS_SECONDS)
        connection.request(sent.method, sent.path, sent.body or None, sent.headers)
        answer = connection.getresponse()
        headers = [pair for pair in answer.getheaders() if pair[0].lower() != "date"]
        is_stream = "event-stream" in answer.getheader("content-type", "")
        body = b"".join(iter(answer.readline, b"\n")) if is_stream else answer.read()
        connection.close()
        return f"{body.decode(errors='backslashreplace')}\n{answer.status} {headers}"


class Ear:
    """What comes over a stream."""

    def __init__(self) -> None:
        self.heard = ""

    def count(self, word: str) -> int:
        """How often a word came."""
        return self.heard.count(word)

    async def open(self, app: Starlette, sent: Sent) -> None:
        """Listen in the background until the server stops."""

        async def never() -> dict[str, Any]:
            await asyncio.Event().wait()
            return {"type": "http.disconnect"}

        async def hear(message: Any) -> None:
            self.heard += message.get("body", b"").decode()

        self._task = asyncio.create_task(app(_scope(sent), never, hear))
        await until(lambda: self.count("data:") == 2)  # the version when one comes, and a heartbeat with it


async def _all_answers(app: Starlette, requests: list[Sent]) -> list[str]:
    return [await _answer(app, request) for request in requests]


async def _answer(app: Starlette, sent: Sent) -> str:
    """What a server would put on the wire; of a stream the first event."""
    told: list[str] = []
    gone = asyncio.Event()
    inbox = [{"type": "http.request", "body": sent.body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if inbox:
            return inbox.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            told.append(f"{message['status']} {message['headers']}")
        elif body := message.get("body", b""):
            told.append(body.decode(errors="backslashreplace"))  # a picture is no text
            if message.get("more_body") and b"event-stream" in repr(told[0]).encode():
                gone.set()

    await app(_scope(sent), receive, send)
    return "\n".join(reversed(told))


def _scope(sent: Sent) -> dict[str, Any]:
    parts = urlsplit(sent.path)
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": sent.method,
        "scheme": "http",
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": [
            (name.encode(), value.encode())
            for name, value in (*sent.headers.items(), ("host", "table"), ("content-length", str(len(sent.body))))
        ],
        "client": ("127.0.0.1", 1),
        "server": ("table", 80),
    }


def watching(table: LiveTable, viewer: Viewer, language: str, number: int) -> list[Sent]:
    """What spectators ask for where the players show their hands later; everybody else is refused."""
    at, as_ = f"/t/{table.id}", ("open", *table.game.sides)[number % 3]
    asked = [f"{at}/watch/now", f"{at}/watch?as={as_}", f"{at}/overlay?as={as_}&board=no"][:: 1 if number % 4 else 2]
    if number % 4 == 0:
        step = random.Random(number).randrange(40)
        asked += [f"{at}/watch/replay/{step}?as={as_}", f"{at}/overlay", f"{at}/watch/replay/99999"]
    return [viewer.get(path, language) for path in asked]


def requests_for(table: LiveTable, viewer: Viewer, number: int) -> list[Sent]:
    """Everything one may ask for at a table; what is made anew from the start of the game only now and then.

    Nothing of it changes the game: every action is refused.
    """
    at, language = f"/t/{table.id}", LANGUAGES[number % len(LANGUAGES)]
    api = f"/tables/{table.id}"
    version = table.version(viewer.side)
    requests = [
        viewer.get(f"{at}/state", language),
        viewer.get(f"{at}/news", language),
        viewer.get(f"{at}/heartbeat", language),
        viewer.program(api),
        viewer.program(f"{api}/warnings"),
        viewer.program(f"{api}/stream"),
    ]
    requests += watching(table, viewer, language, number)
    if viewer.side != OBSERVER:
        legal = [decision.action for decision in table.match.legal(viewer.side)]
        some = [*legal[number % 7 :: 7][:2], 99_999]
        requests += [viewer.get(f"{at}/preview?version={version}&action={action}", language) for action in some]
    if number % 3 == 1:
        requests += [
            viewer.get(f"{at}/journal", language),
            viewer.program(f"{api}/journal"),
            viewer.program(f"{api}?side={table.game.sides[1 - viewer.side % 2]}"),
        ]
    side = table.game.sides[viewer.side % 2]
    wrong = [
        [
            viewer.post(f"{at}/act", language, side=viewer.side % 2, version=version, action=99_999),
            viewer.program(f"{api}/actions", {"side": side, "version": version, "action": NEVER_LEGAL[table.game.id]}),
        ],
        [
            viewer.post(f"{at}/act", language, side=viewer.side % 2, version=version + 7, action=1),
            viewer.program(f"{api}/actions", {"side": side, "version": version + 7, "action": "done"}),
        ],
        [
            viewer.post(f"{at}/act", language, side=1 - viewer.side % 2, version=version, action=1),
            viewer.program(f"{api}/undo", {"side": side, "version": version + 7}),
        ],
        [
            viewer.post(f"{at}/undo", language, side=viewer.side % 2, version=version + 7),
            viewer.post(f"{at}/answer", language, side=viewer.side % 2, accept="true"),
            viewer.post(f"{at}/resign", language, side=viewer.side % 2),
            viewer.post(f"{at}/hint", language, side=viewer.side % 2, version=version + 7),
            viewer.program(f"{api}/hint", {"side": side, "version": version + 7}),
        ],
    ]
    if number % 3 == 0:
        requests += wrong[number // 3 % len(wrong)]
    if number % 12 == 0:
        step = random.Random(number).randrange(max(1, len(table.match.entries) - 1))
        requests += [
            viewer.get(at, language),
            viewer.get(f"{at}/log", language),
            viewer.get(f"{at}/replay", language),
            viewer.get(f"{at}/replay/{step}", language, fragment=True),
            viewer.get(f"{at}/replay?as=open", language),
            viewer.get(f"{at}/replay/100000", language),
            viewer.get(f"{at}/picture.svg", language),
            viewer.get(f"{at}/embed", language),
            viewer.get(f"{at}/replay.webp?side=open", language),
            viewer.get(f"{at}/annotated.md", language),
            viewer.get(f"/oembed?url=http://table{at}", language),
            viewer.get(f"{at}/analysis", language),
            viewer.get(f"{at}/finished", language),
            viewer.get(f"/verify?table={table.id}", language),
            viewer.get("/", language),
        ]
    if number % 48 == 0:  # another process draws it, which takes a while
        requests.append(viewer.get(f"{at}/picture.png", language))
    return requests


def difference(one: str, other: str) -> str:
    """Where two texts part."""
    if one == other:
        return ""
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, at - 90) : at + 90]!r}\n{other[max(0, at - 200) : at + 200]!r}"


def positions(table: LiveTable, dice: random.Random) -> Iterator[int]:
    """A random game, now and then with a step taken back; numbers the positions."""
    number = 0
    while table.status == RUNNING:
        yield number
        number += 1
        side = dice.choice(table.to_move)
        if dice.random() < 0.1 and table.match.undo_count(side):
            table.apply_record(TableRecord(UNDO, side, 1, 0.0))
        else:
            table.apply_record(TableRecord(ACTION, side, dice.choice(table.match.legal(side)).action, 0.0))


def compare(house: House, game: str, seed: int, wanted: int, every: int = 1, *, opened: bool = False) -> int:
    """Random games until so many positions have been compared, every so many; returns how many answers.

    Args:
        opened: Spectators see all hands a round later, and only spectators look.
    """
    dice = random.Random(seed)
    compared = answers = 0
    first = seed % len(PLANS[game])
    for plan in cycle(PLANS[game][first:] + PLANS[game][:first]):
        table = house.new_table(game, **plan)
        twins = [Twin(table, side, dice.randrange(2**30)) for side in range(3)]
        for number in positions(table, dice):
            if number % every:
                continue
            table.state.open_view = OpenView(ROUND) if opened else OpenView()
            viewer = house.viewers[OBSERVER if opened else dice.choice((0, 0, 1, 1, OBSERVER))]
            twin = twins[viewer.side]
            twin.follow()
            requests = requests_for(table, viewer, compared)
            for sent, one, other in zip(requests, house.told(table, requests), house.told(twin, requests), strict=True):
                assert difference(one, other) == "", (sent.method, sent.path, viewer.side, len(table.match.entries))
                answers += 1
            compared += 1
            if compared == wanted:
                return answers
        house.app.state.services.tables._live.pop(table.id)
    raise AssertionError("there is always another table")


@pytest.fixture(autouse=True)
def one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compared is told at the same time; and chance, which spreads returning viewers, draws the same."""
    monkeypatch.setattr("brinkmanship.web.support.time_control.now", lambda: 1_700_000_000.0)
    monkeypatch.setattr("brinkmanship.web.tables.event_stream.RETRY_MILLISECONDS", (1000, 1000))


@pytest.fixture
def house(settings: Settings) -> Iterator[House]:
    with TestClient(create_app(replace(settings, heartbeat_seconds=3600))) as client:
        yield House(client)


@pytest.fixture(params=KINDS)
def houses(
    request: pytest.FixtureRequest, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[House, House]]:
    """Two servers of one database, which tell each other of all that happens as two processes do."""
    names = iter(("near", "far"))  # the sockets of two processes are named after their ids
    monkeypatch.setattr("brinkmanship.web.server.wiring.UnixPubSub", lambda folder: UnixPubSub(folder, next(names)))
    channel = tmp_path / "channel"
    channel.mkdir()
    with fresh_database(request.param, tmp_path) as url:
        settings = replace(settings, database=url, channel=str(channel), heartbeat_seconds=3600)
        with TestClient(create_app(settings)) as near, TestClient(create_app(settings)) as far:
            house = House(near)
            yield house, House(far, house)


@pytest.mark.parametrize("seed", range(2))
def test_no_byte_sent_to_a_reader_depends_on_what_he_cannot_know(house: House, seed: int) -> None:
    assert compare(house, "13-days", seed, 96, every=5) > 6 * 96


@pytest.mark.parametrize(("game", "positions", "every"), [("13-minutes", 48, 3), ("ukrainian-crisis", 24, 8)])
@pytest.mark.parametrize("seed", range(3))  # each begins with another plan
def test_nor_does_any_byte_in_the_other_games(house: House, game: str, positions: int, every: int, seed: int) -> None:
    assert compare(house, game, seed, positions, every) > 6 * positions


@pytest.mark.parametrize(("game", "positions", "every"), [("13-days", 20, 13), ("ukrainian-crisis", 6, 80)])
def test_spectators_with_open_hands_are_told_the_past_and_what_is_public(
    house: House, game: str, positions: int, every: int
) -> None:
    """The twin has the same cards up to where spectators may see them, and others after it."""
    assert compare(house, game, 3, positions, every, opened=True) > 6 * positions


@pytest.mark.parametrize(("game", "delay"), [("13-days", ROUND), ("13-days", MINUTES), ("13-minutes", MINUTES)])
def test_no_byte_of_the_delayed_view_depends_on_anything_newer(house: House, game: str, delay: int) -> None:
    """Two games that are the same up to where spectators may see them, and as different as can be after it."""
    table, rounds = in_a_later_round(house, game)
    table.state.open_view = OpenView(delay)
    if delay == MINUTES:
        young = table.length // 2
        table.state.entry_times = [0.0] * young + [time_control.now() - 1.0] * (table.length - young)
    count = table.shown_openly(time_control.now())
    assert 0 < count < table.length
    other = gone_on_otherwise(table, count, rounds)
    assert other.length != table.length
    for number in range(12):
        asked = watching(table, house.viewers[OBSERVER], LANGUAGES[number % 4], number)
        asked += watching(table, house.viewers[0], "en", number)
        if number % 6 == 0:
            asked.append(house.viewers[OBSERVER].get(f"/t/{table.id}/watch/picture.png?n={number * 9}", "en"))
        asked = [sent for sent in asked if not sent.path.endswith("/overlay")]  # the public game as it is now
        for sent, one, two in zip(asked, house.told(table, asked), house.told(other, asked), strict=True):
            assert difference(one, two) == "", sent.path


def in_a_later_round(house: House, game: str) -> tuple[LiveTable, int]:
    """A running game in its third round, or a game without rounds after some time."""
    for seed in range(50):
        table = house.new_table(game)
        span = table.game.narrator.span
        for number in positions(table, random.Random(seed)):
            rounds = int(table.game.public_state(table.match.state).get(span, 0))
            if (rounds == 3) if span else number == 30:
                return table, rounds
    raise AssertionError("some game lasts that long")


def gone_on_otherwise(table: LiveTable, count: int, rounds: int) -> LiveTable:
    """The same game, played otherwise from a number of entries on, to the same round."""
    span = table.game.narrator.span
    for seed in range(50):
        other, choose, deal = table.snapshot(), random.Random(seed), dealer(seed)
        match = other.state.match = table.match.until(count)
        match.advance(deal)
        while not match.is_over and int(table.game.public_state(match.state).get(span, 0)) < rounds:
            side = choose.choice(sorted(match.pending))
            match.push(choose.choice(match.legal(side)).action, side=side)
            match.advance(deal)
        if match.is_over or match.actor == CHANCE or len(match.entries) == table.length:
            continue
        other.state.records = table.records[:-3]
        other.state.entry_times = table.state.entry_times[:count] + [time_control.now()] * (len(match.entries) - count)
        return other
    raise AssertionError("some game lasts that long")


def test_a_server_that_did_not_keep_the_delay_would_be_caught(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table, rounds = in_a_later_round(house, "13-days")
    table.state.open_view = OpenView(ROUND)
    other = gone_on_otherwise(table, table.shown_openly(time_control.now()), rounds)
    monkeypatch.setattr("brinkmanship.web.tables.open_hands.shown", lambda _, match, *__: len(match.entries))
    sent = [house.viewers[OBSERVER].get(f"/t/{table.id}/watch{page}", "en") for page in ("", "/now", "?as=open")]
    for one, two in zip(house.told(table, sent), house.told(other, sent), strict=True):
        assert difference(one, two) != ""


def deal_of_the_day(house: House, seed: int) -> tuple[LiveTable, Twin]:
    """A game of Anna that ended early while others play its deal, and another one that she cannot tell from it."""
    table = house.new_table()
    table.sealed = True
    twin = Twin(table, 0, seed)
    for number in positions(table, random.Random(seed)):
        if number == 12:
            break
    table.apply_record(TableRecord(RESIGN, 0, 0, 0.0))
    twin.follow()
    assert twin.match.state.tobytes() != table.match.state.tobytes()
    return table, twin


def after_its_end(house: House, table: LiveTable) -> list[Sent]:
    """All that Anna can ask for after the end."""
    return [*requests_for(table, house.viewers[0], 0), *requests_for(table, house.viewers[0], 1)]


@pytest.mark.parametrize("seed", range(3))
def test_until_the_deal_is_revealed_its_player_knows_their_side_also_after_the_end(house: House, seed: int) -> None:
    table, twin = deal_of_the_day(house, seed)
    sent = after_its_end(house, table)
    for each, one, two in zip(sent, house.told(table, sent), house.told(twin, sent), strict=True):
        assert difference(one, two) == "", each.path


def test_a_server_that_revealed_the_deal_at_the_end_of_a_game_would_be_caught(house: House) -> None:
    table, twin = deal_of_the_day(house, 0)
    table.sealed = twin.sealed = False
    sent = [house.viewers[0].get(f"/t/{table.id}/replay/{step}?as=open", "en") for step in (9, table.length)]
    for one, two in zip(house.told(table, sent), house.told(twin, sent), strict=True):
        assert difference(one, two) != ""


@pytest.mark.parametrize(("game", "positions"), [("13-days", 13), ("13-minutes", 13), ("ukrainian-crisis", 5)])
def test_no_byte_on_the_wire_depends_on_it_either(server: Server, game: str, positions: int) -> None:
    house = Networked(server)
    assert compare(house, game, 7, positions) > 6 * positions


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("game", "before"),
    [("13-days", 0), ("13-days", 1), ("13-minutes", 0), ("ukrainian-crisis", 0), ("ukrainian-crisis", 1)],
)
@pytest.mark.usefixtures("here")
def test_nothing_tells_that_the_other_side_has_chosen(house: House, game: str, before: int, side: int) -> None:
    table = house.new_table(game, terms=Terms(hints=True))
    viewer, other = house.viewers[side], house.viewers[1 - side]
    house.play_to_question_for_both(table, before)
    requests = [sent for number in range(12) for sent in requests_for(table, viewer, number)]
    stream = house.listen(viewer.get(f"/t/{table.id}/news", "en"))
    onlooker = house.listen(house.viewers[OBSERVER].program(f"/tables/{table.id}/stream"))
    told_before = house.told(table, requests)
    for deed in (
        {"hint": True},
        {"action": table.match.legal(1 - side)[0].text},
        {"undo": True},
        {"action": table.match.legal(1 - side)[-1].text},
    ):
        body = {"side": table.game.sides[1 - side], "version": table.version(1 - side)}
        path = "undo" if "undo" in deed else "hint" if "hint" in deed else "actions"
        body |= {"action": deed["action"]} if path == "actions" else {}
        answer = house.told(table, [other.program(f"/tables/{table.id}/{path}", body)])[0]
        assert "\n200 " in answer
        for sent, one, two in zip(requests, told_before, house.told(table, requests), strict=True):
            assert difference(one, two) == "", (sent.path, deed)
    # What there was when they came, and no more.
    assert stream.count("data:") == onlooker.count("data:") == 2


@pytest.mark.parametrize(("game", "side"), [("13-days", 0), ("13-days", 1), ("13-minutes", 0), ("ukrainian-crisis", 1)])
def test_no_other_process_tells_of_an_order_or_a_secret_choice(
    houses: tuple[House, House], game: str, side: int
) -> None:
    near, far = houses
    table = near.new_table(game)
    near.play_to_question_for_both(table, 0)
    distant: LiveTable = far.call(far.app.state.services.tables.fresh, table.id)
    assert distant is not table
    viewers, other = (far.viewers[side], far.viewers[OBSERVER]), far.viewers[1 - side]
    requests = [sent for viewer in viewers for sent in requests_for(distant, viewer, 0)]
    streams = [far.listen(viewer.get(f"/t/{table.id}/news", "en")) for viewer in viewers]
    streams += [far.listen(viewer.program(f"/tables/{table.id}/stream")) for viewer in viewers]
    told_before = far.told(distant, requests)
    api, name, legal = f"/tables/{table.id}", table.game.sides[1 - side], table.match.legal(1 - side)
    own_orders = other.program(f"{api}/orders?side={name}")

    def is_known_there() -> bool:
        known = (distant.state.orders, distant.records)
        return not distant.freshness.is_behind and known == (table.state.orders, table.records)

    deeds: list[tuple[str, dict[str, Any]]] = [
        ("orders", {"order": table.game.orders(1 - side)[0].text}),
        ("orders/revoke", {"order": table.game.orders(1 - side)[0].text}),
        ("actions", {"action": legal[0].text}),
        ("undo", {}),
        ("actions", {"action": legal[-1].text}),
    ]
    for path, body in deeds:
        at = {} if "order" in body else {"version": table.version(1 - side)}
        answer = near.told(table, [other.program(f"{api}/{path}", {"side": name, **body, **at})])[0]
        assert "\n200 " in answer
        wait_until(is_known_there)
        assert far.told(distant, [own_orders]) == near.told(table, [own_orders])
        for sent, one, two in zip(requests, told_before, far.told(distant, requests), strict=True):
            assert difference(one, two) == "", (sent.path, path)
        assert [stream.count("data:") for stream in streams] == [2, 2, 2, 2], path
    # A line of the chat is told after all that went before it: it is the first that comes.
    near.call(near.app.state.services.chat.say, table.id, "Anna", 0, "hello")
    wait_until(lambda: is_known_there() and all(f'"said":{table.said},' in stream.heard for stream in streams))
    assert [stream.count("data:") for stream in streams] == [4, 4, 4, 4]


@pytest.mark.parametrize("houses", ["sqlite"], indirect=True)
@pytest.mark.parametrize("game", PLANS)
def test_no_byte_of_another_process_depends_on_it(houses: tuple[House, House], game: str) -> None:
    near, far = houses
    table, dice = near.new_table(game), random.Random(11)
    distant: LiveTable = far.call(far.app.state.services.tables.fresh, table.id)
    twins = [Twin(distant, side, dice.randrange(2**30)) for side in range(3)]
    for number in range(4, 13):  # with 12 all pages are asked for, and no game has ended
        for _ in range(2):
            side = dice.choice(table.to_move)
            near.act(table, side, dice.choice(table.match.legal(side)).action)
        wait_until(lambda: not distant.freshness.is_behind and distant.records == table.records)
        viewer = far.viewers[number // 2 % 3]
        twin = twins[viewer.side]
        twin.follow()
        requests = requests_for(distant, viewer, number)
        of_twin = far.told(twin, requests)
        # The table itself comes last and stays there: what the first server tells is to reach it.
        for sent, one, other in zip(requests, far.told(distant, requests), of_twin, strict=True):
            assert difference(one, other) == "", (sent.method, sent.path, viewer.side, number)


@pytest.mark.parametrize("game", PLANS)
def test_no_byte_of_a_hint_depends_on_it(house: House, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record goes to the table that it is about, and to no database: the other one has the same number."""

    async def note(table: LiveTable, deed: Command, _: object = None) -> None:
        if (record := deed()) is not None:
            table.apply_state(table.after(record))

    hint_service = house.app.state.services.hints
    monkeypatch.setattr(house.app.state.services.event_log, "do", note)
    monkeypatch.setattr(hint_service._limit._rate, "allows", lambda _: True)
    dice = random.Random(5)
    table = house.new_table(game, terms=Terms(hints=True))
    twins = [Twin(table, side, 7) for side in range(2)]
    for number in positions(table, dice):
        if number == 60:
            break
        if number % 20:
            continue
        side, hinted = dice.choice(table.to_move), table.state.hinted
        viewer, twin = house.viewers[side], twins[side]
        twin.follow()
        version, path = table.version(side), f"/tables/{table.id}/hint"
        asked = [
            viewer.program(path, {"side": table.game.sides[side], "version": version}),
            viewer.post(f"/t/{table.id}/hint", LANGUAGES[number % 4], side=side, version=version),
        ]
        told = []
        for each in (table, twin):
            hint_service._given.clear()
            told.append(house.told(each, asked))
            each.state.hinted = hinted
        assert "\n200 " in told[0][0]
        for one, other in zip(*told, strict=True):
            assert difference(one, other) == "", (game, number)
        if table.records[-1].kind == HINT:
            table.state.records = table.records[:-1]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_no_byte_depends_on_it_in_twenty_thousand_positions(house: House, seed: int) -> None:
    assert compare(house, "13-days", seed, POSITIONS) > 6 * POSITIONS


@pytest.mark.long
@pytest.mark.parametrize("game", ["13-minutes", "ukrainian-crisis"])
@pytest.mark.parametrize("seed", range(100, 110))
def test_nor_in_five_thousand_of_each_other_game(house: House, game: str, seed: int) -> None:
    assert compare(house, game, seed, POSITIONS) > 6 * POSITIONS


def peeked(match: Match, count: int | None) -> State:
    """What nobody should see."""
    return match.state if count is None else match.state_after(count)


def test_a_server_that_looked_at_hidden_cards_would_be_caught(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Perspective, "view", lambda seen, count=None: peeked(seen._match, count))
    table = house.new_table()
    dice = random.Random(1)
    for number in positions(table, dice):
        if number == 12:
            break
    twin = Twin(table, 0, 1)
    twin.follow()
    requests = requests_for(table, house.viewers[0], 1)
    both = zip(requests, house.told(table, requests), house.told(twin, requests), strict=True)
    caught = {sent.path.removeprefix("/api/v1").rpartition("/")[2] for sent, one, other in both if one != other}
    assert "state" in caught
    assert table.id in caught
