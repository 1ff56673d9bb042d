"""Text that a stranger sends takes linear time, and never the time of the event loop."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, get_args, get_origin

import pytest
from msgspec import Meta
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.testclient import TestClient

import brinkmanship
from brinkmanship.engine import data_file, journal
from brinkmanship.engine.data_file import TOML_SENTENCES, DataFileError
from brinkmanship.engine.errors import BrinkError
from brinkmanship.web import pages
from brinkmanship.web.accounts import authentication, contacts
from brinkmanship.web.api import router, schemas
from brinkmanship.web.pages.account.account import one_line
from brinkmanship.web.pages.shared.page_router import PageRoute
from brinkmanship.web.pages.shared.rendering import local_path
from brinkmanship.web.presentation import data_files, lesson_cookie, level_cookie, setup_cookie, toml_parts
from brinkmanship.web.presentation.clock_forms import clock_in, own_clock_in
from brinkmanship.web.profiles.history import History
from brinkmanship.web.server import request_guard
from brinkmanship.web.support import display_names
from brinkmanship.web.support.errors import RequestError
from brinkmanship.web.support.time_control import Clock
from brinkmanship.web.tournaments.terms import TournamentSettings, checked
from support.linear_patterns import Use, is_linear, uses_in
from support.visitors import Visitor

PACKAGE = Path(brinkmanship.__file__).parent
FOLDERS = ("web", "engine", "text", "players", "puzzles", "store")

# ---- Regular expressions.

NOT_SIMPLE = {
    ("rulebook.py", "fullmatch"): "headings of our own books",
    ("data_file.py", "finditer"): "texts in which TOML's own reader has found all strings to be closed",
    ("data_file.py", "fullmatch"): "TOML_SENTENCES, which are tested one by one",
}
"""Patterns that are not linear, or not seen to be, and why they do no harm."""

USES = [use for folder in FOLDERS for path in sorted((PACKAGE / folder).rglob("*.py")) for use in uses_in(path)]


@pytest.mark.parametrize("use", USES, ids=lambda use: f"{use.place}-{use.method}")
def test_patterns_take_linear_time(use: Use) -> None:
    name = use.place.partition(":")[0]
    is_excused = (name, use.method) in NOT_SIMPLE and use.pattern != toml_parts._ID.pattern
    assert is_linear(use.pattern, use.method, use.flags) or is_excused


@pytest.mark.parametrize("pattern", TOML_SENTENCES)
def test_sentences_of_toml_are_read_in_linear_time(pattern: str) -> None:
    assert is_linear(pattern, "fullmatch")


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (toml_parts._ID.pattern, "sub"),
        ("(a+)+b", "match"),
        ("a*a*b", "match"),
        ("(a|a)*b", "match"),
        ("[^a]*b", "search"),
    ],
)
def test_patterns_that_are_not_linear_are_found(pattern: str, method: str) -> None:
    assert not is_linear(pattern, method)


# ---- Functions.


def request_with(**headers: str) -> Request:
    """A request with these headers, as it comes out of the guard."""
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": pairs}
    request_guard._unescape_cookies(scope)
    request_guard._fault(scope, dict(pairs))
    return Request(scope)


def another_card(text: str) -> None:
    whole = f'[[card]]\n{text}\nid = "a"\n'
    part = toml_parts.parts_of(whole)[0]
    toml_parts.with_another(whole, part._replace(end=len(whole.splitlines())))


def fault_in(text: str) -> None:
    content = text.encode()
    data_files.fault_of(DataFileError("a.toml", 1, data_file._message("no_file")), content, "de")


def read_data(text: str) -> None:
    """As `data_file.read` does before the shape is looked at, and after a fault was found in it."""
    raw = data_file._parsed(data_file._text(text.encode(), ""), "")
    data_file._line(("card", 0, "id"), text)
    list(data_file._reserved(raw))


FUNCTIONS: dict[str, Callable[[str], object]] = {
    "parts_of": toml_parts.parts_of,
    "with_another": another_card,
    "with_part": lambda text: toml_parts.with_part(text, toml_parts.TomlPart("card", "a", 0, 1), text),
    "data_file": lambda text: data_files.data_file(text, b""),
    "fault_of": fault_in,
    "read_data": read_data,
    "journal": lambda text: journal.from_bytes(text.encode(), text),
    "journal entries": lambda text: journal.parse(f"brinkmanship-journal: 1\ngame: x\nrules: 1\n\n{text}\nend"),
    "journal header": lambda text: journal.parse(f"brinkmanship-journal: 1\n{text}\n\nend"),
    "clean_name": display_names.clean_name,
    "login_key": display_names.login_key,
    "normal_address": contacts.normal_address,
    "normal_address of a host": lambda text: contacts.normal_address(f"a@{text}"),
    "label": one_line,
    "local_path": lambda text: local_path(f"/{text}"),
    "clock": clock_in,
    "own clock": lambda text: clock_in(own_clock_in({"clock.kind": "days", "clock.days.days": text})),
    "language_of": lambda text: authentication.language_of(request_with(accept_language=text)),
    "cookies": lambda text: request_with(cookie=f'a="{text}"').cookies,
    "levels": lambda text: level_cookie._remembered(request_with(cookie=f"levels={text}")),
    "setups": lambda text: setup_cookie._remembered(request_with(cookie=f"setups={text}")),
    "lessons": lambda text: lesson_cookie._remembered(request_with(cookie=f"lessons={text}")),
    "history": lambda text: History(opponent=text).filter(),
    "history since": lambda text: History(since=text).filter(),
    "origin": lambda text: request_guard._is_from_another_site(
        {"method": "POST", "path": "/"}, {b"origin": f"http://{text}".encode()}
    ),
    "tournament": lambda text: checked(
        TournamentSettings("cup", text[:60], "", Clock("days", 1.0), 4, text[:1000]), "", 0.0
    ),
    "name of a tournament": lambda text: checked(TournamentSettings("cup", text, "", Clock("days", 1.0), 4), "", 0.0),
    "query": lambda text: router._read_query(schemas.WhichTables, text.encode()),
    "path": router._shape,
    "body": lambda text: router._read(lambda body: body, {b"content-type": text.encode()}, b""),
}
"""All functions of the server that read text of a request, by what they are called in failures."""

PIECES = [
    *(
        " ",
        "\t",
        "\n",
        "\r",
        "a",
        "1",
        "é",
        "ß",
        "e\u0301",
        "中",
        "\u2028",
        "\x00",
        "_",
        "-",
        "+",
        "%41",
        "&",
        "|",
        "!",
    ),
    *(
        ".",
        ",",
        ";",
        ":",
        "=",
        "#",
        "/",
        "\\",
        '"',
        "'",
        "@",
        "<",
        "[",
        "]",
        "{",
        "}",
        '\\"',
        "\\1",
        "a.",
        "a;",
        "a|a:",
    ),
    *(
        "[[a]]\n",
        "[a]\n",
        "[[card]]\nid = 'a'\n",
        "# a\n",
        "a = 1\n",
        "a=''\n",
        "; a\n",
        "1. a b\n",
        "a: b\n",
        "a b {c}\n",
    ),
    *("option.a: b\n", "x = [1, [2]]\n", "id = ", " id", '"""', "'''", "x = {}\n", "\\u", "..", "//"),
]


def steps_of(function: Callable[[str], object], text: str) -> int:
    """Number of lines of Python that a function carries out for a text."""
    count = 0

    def trace(_: FrameType, event: str, __: Any) -> Callable[..., Any]:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with suppress(BrinkError, RequestError, ValueError, StopIteration):
            function(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_linear_time(name: str) -> None:
    function = FUNCTIONS[name]
    function_is_warm = steps_of(function, "a")  # what is made once is made
    assert function_is_warm
    for piece in PIECES:
        once, twice = (steps_of(function, piece * (number // len(piece))) for number in (600, 1_200))
        assert twice <= 2.2 * once + 200, (piece, once, twice)


def test_backslashes_in_cookies_are_not_read() -> None:
    """Python's own reader takes quadratic time for them, within one call: 13 seconds for a header of 64 kB."""
    found = request_with(cookie='session=abc; a="' + "\\" * 60_000 + '"; language=de').cookies
    assert (found["session"], found["language"], found["a"]) == ("abc", "de", "")


# ---- Where it is read.

PARSERS = (
    *((toml_parts, name) for name in ("parts_of", "part_of", "text_of", "with_part", "with_another")),
    *((data_file, name) for name in ("read", "differences", "parse_apart")),
    *((journal, name) for name in ("from_bytes", "parse", "play")),
    (data_files, "fault_of"),
    (router, "_read"),
)
"""The functions that take long for a long text."""
LONG = 20_000
TOML = "schema = 1\n" + '[[card]]\nid = "a"\n' * 5_000
JOURNAL = "brinkmanship-journal: 1\ngame: 13-days\nrules: 1\n\n" + "us a\n" * 10_000 + "end\n"


class Watched:
    """Which parsers were called with long texts, and which of those in the event loop."""

    def __init__(self) -> None:
        self.called: set[str] = set()
        self.in_loop: set[str] = set()

    def watching(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def watched(*given: Any, **more: Any) -> Any:
            if any(_length(each) >= LONG for each in (*given, *more.values())):
                self.called.add(name)
                with suppress(RuntimeError):
                    asyncio.get_running_loop()
                    self.in_loop.add(name)
            return function(*given, **more)

        return watched


def _length(given: object) -> int:
    if isinstance(given, data_file.DataFile):
        return len(given.content)
    if isinstance(given, journal.Journal):
        return len(given.text())
    return len(given) if isinstance(given, str | bytes) else 0


@pytest.fixture
def watched(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> Watched:
    found = Watched()
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("brinkmanship")]
    for of, name in PARSERS:
        original = getattr(of, name)
        replaced = found.watching(name, original)
        for module in modules:
            for own, value in list(vars(module).items()):
                if value is original:
                    monkeypatch.setattr(module, own, replaced)
    client.app.state.services.reading._most_of_address = 1_000  # type: ignore[attr-defined]
    return found


def forms_of(route: PageRoute) -> list[dict[str, Any]]:
    """What to send to a route: for each value of a choice one form, and one for each kind of file."""
    forms: list[dict[str, Any]] = [{}]
    for name, hint in route.fields.items():
        kind, most = _plain(hint)
        values: list[Any] = [1]
        if kind is UploadFile:
            values = [TOML.encode(), JOURNAL.encode()]
        elif get_origin(kind) is not None and all(isinstance(each, str) for each in get_args(kind)):
            values = list(get_args(kind))
        elif kind is str:
            values = [KNOWN.get(name, TOML[:most])]
        forms = [{**form, name: value} for form in forms for value in values]
    return forms


def _plain(hint: Any) -> tuple[Any, int]:
    """Return the type of a field without None and limits, and the longest text that it takes."""
    if type(None) in get_args(hint):
        hint = get_args(hint)[0]
    if get_origin(hint) is not Annotated:
        return hint, len(TOML)
    kind, *metas = get_args(hint)
    return kind, next((one.max_length for one in metas if isinstance(one, Meta) and one.max_length), len(TOML))


KNOWN = {"game": "13-days", "mode": "same", "part": "card.quarantine", "data_sha256": "", "clock": "", "player": ""}
ROUTES = [route for route in pages.routes if "POST" in route.methods and not route.path.startswith("/account/")]
"""All that take forms; those of the account take short texts only, and change who asks."""
PLACES = {"game_id": "13-days", "name": "cards.toml"}


def test_no_route_reads_long_texts_in_the_event_loop(client: TestClient, anna: Visitor, watched: Watched) -> None:
    address = anna.begin("same")
    csrf, asked = anna.csrf, 0
    table_id = address.removeprefix("/t/")
    for route in ROUTES:
        path = route.path
        for name in route.param_convertors:
            path = path.replace(f"{{{name}}}", table_id if name == "table_id" else PLACES.get(name, "1"))
        for form in forms_of(route):
            files = {name: ("a", value) for name, value in form.items() if isinstance(value, bytes)}
            fields = {name: str(value) for name, value in form.items() if name not in files}
            answer = anna.ask("POST", path, {**fields, "csrf": csrf}, files or None)
            assert answer.status_code < 500, (path, answer.text)
            asked += 1
    token = client.post("/api/v1/tokens", json={"name": "Program"}).json()["token"]
    table = {"game": "13-days", "seats": ["me", "me"], "data": {"name": "a.toml", "text": TOML}}
    answer = client.post("/api/v1/tables", json=table, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 422
    assert asked > 40
    assert watched.in_loop == set()
    assert watched.called >= {
        "parts_of",
        "part_of",
        "with_part",
        "with_another",
        "fault_of",
        "read",
        "_read",
        "from_bytes",
    }


def test_json_without_end_is_refused(client: TestClient) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post("/api/v1/tokens", content=b'{"name": "a", "b": ' + b"[" * 100_000, headers=headers)
    assert answer.status_code == 400
