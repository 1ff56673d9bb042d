"""Trace a click: list the functions that run from posting a decision to the update of the other side's screen.

    python tools/trace_decision.py                                       13 Days, with all functions
    PYTHONPATH=../older/src python tools/trace_decision.py --count       another source tree, only counts

Two users sit at a table of an in-process server, both with open event streams. One posts a choice as the page does; the
server stores it; the other is notified and requests the state. The tool counts the functions of this package that
Python enters between the post and the end of the last response, each once, without the server's periodic background
tasks; a nested function belongs to the outer one. Rules are interpreted, so that theirs count as well. Two phases are
counted separately: until the choice is stored and published, and from the start of rendering the responses. Functions
of the framework are also counted separately from those of a game (its rules, its drawing, its words). The cards are
always the same and the choice is the first by its number, so that different source trees take the same decisions.
Several decisions are traced, after others have warmed the caches; the median one is shown.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
import threading
from contextvars import ContextVar
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from urllib.parse import urlencode

PACKAGE = "brinkmanship"
OF_GAMES = ("games/", "drawing/", "text/")
"""Folders of game-specific code."""
WARM, WALKED = 24, 9
"""Decisions that warm the caches, and those that are traced."""
DRAWING = "_fragment"
"""The function that starts to render the response to a page."""
SOUGHT = re.compile(r'name="(side|version|csrf)" value="(\w*)"')
CHOICE = re.compile(r'name="action" value="(\d+)"')


on_the_way: ContextVar[bool] = ContextVar("on_the_way", default=False)
"""True in tasks started by the traced client."""
WRITER = "writer"
"""The name of the thread that stores events."""


class Steps:
    """A profiler that records the functions of the package entered while it is on."""

    def __init__(self) -> None:
        self.on = False
        self.entered: dict[CodeType, None] = {}
        """In the order of their first call."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if self.on and event == "call" and (on_the_way.get() or threading.current_thread().name == WRITER):
            self.entered.setdefault(frame.f_code)

    def names(self) -> list[str]:
        """Return the functions, for example ``web/tables/live_table.py LiveTable.after``."""
        found: dict[str, None] = {}
        for code in self.entered:
            _, of_package, path = code.co_filename.rpartition(f"/{PACKAGE}/")
            name = code.co_qualname.partition(".<locals>")[0]
            if of_package and path.endswith(".py") and not name.startswith("<"):
                found.setdefault(f"{path} {name}")
        return list(found)


class Browser:
    """A browser, from the server's point of view."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.cookies: dict[str, str] = {"language": "en"}

    async def ask(self, method: str, path: str, **fields: str) -> tuple[int, dict[str, str], str]:
        """Send a request; return status, headers and body of the response."""
        address, _, query = path.partition("?")
        headers = {
            "host": "testserver",
            "accept": "text/html",
            "content-type": "application/x-www-form-urlencoded",
            "x-fragment": "1" if address.endswith(("/act", "/state")) else "",
            "cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": address,
            "raw_path": address.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items() if value],
            "client": ("127.0.0.1", 1),
            "server": ("testserver", 80),
            "app": self.app,
            "state": {},
        }
        sent = [{"type": "http.request", "body": urlencode(fields).encode(), "more_body": False}]
        status, received, body = 0, {}, b""

        async def receive() -> dict[str, Any]:
            if sent:
                return sent.pop()
            await asyncio.Event().wait()
            raise AssertionError("no client disconnects")

        async def send(message: dict[str, Any]) -> None:
            nonlocal status, body
            if message["type"] == "http.response.start":
                status = message["status"]
                for name, value in message["headers"]:
                    received[name.decode()] = value.decode()
                    if name == b"set-cookie":
                        key, _, rest = value.decode().partition("=")
                        self.cookies[key] = rest.partition(";")[0]
            elif not address.endswith("/news"):
                body += message["body"]

        await self.app(scope, receive, send)
        return status, received, body.decode()

    async def page(self, path: str) -> str:
        """Return a page; it must exist."""
        status, _, body = await self.ask("GET", path)
        assert status == 200, (path, status, body[:300])
        return body


async def table_of_two(anna: Browser, boris: Browser, game: str) -> str:
    """Create a table with both players; return its address."""
    csrf = re.search(r'<meta name="csrf" content="(\w*)"', await anna.page("/"))
    assert csrf
    began = {"game": game, "mode": "friend", "side": "0", "name": "Anna", "csrf": csrf[1]}
    status, headers, _ = await anna.ask("POST", "/tables", **began)
    assert status == 303
    table = headers["location"]
    link = re.search(r'value="https?://[^"]+?(/join/[^"]+)"', await anna.page(table))
    assert link
    await boris.page(link[1])
    status, _, _ = await boris.ask("POST", link[1], name="Boris")
    assert status == 303
    return table


async def walk(game: str) -> list[list[str]]:
    """Return the functions of each traced decision."""
    steps = Steps()
    from brinkmanship.engine import commit_reveal  # load the profiled code after the profiler starts
    from brinkmanship.web.server.app import create_app
    from brinkmanship.web.support.settings import Settings

    commit_reveal.new_secret = lambda: bytes(commit_reveal.SECRET_BYTES)
    walked: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(database=f"sqlite:///{folder}/brink.db"))
        async with app.router.lifespan_context(app):
            on_the_way.set(True)
            anna, boris = Browser(app), Browser(app)
            table = await table_of_two(anna, boris, game)
            streams = [asyncio.create_task(each.ask("GET", f"{table}/news")) for each in (anna, boris)]
            state = {each: await each.page(f"{table}/state") for each in (anna, boris)}
            for number in range(WARM + WALKED):
                one, other = (anna, boris) if CHOICE.search(state[anna]) else (boris, anna)
                page = await one.page(table)
                csrf = re.search(r'<meta name="csrf" content="(\w*)"', page)
                choices = page[page.index('id="choices"') :]
                action = min(CHOICE.findall(choices), key=int)
                fields = {**dict(SOUGHT.findall(choices)), "action": action, "csrf": csrf[1] if csrf else ""}
                steps.entered, steps.on = {}, True
                status, _, state[one] = await one.ask("POST", f"{table}/act", **fields)
                assert status == 200, state[one][:300]
                await asyncio.sleep(0.05)  # let the streams run; they send nothing after a secret choice
                state[other] = await other.page(f"{table}/state")
                steps.on = False
                if number >= WARM:
                    walked.append(steps.names())
            for stream in streams:
                stream.cancel()
            await asyncio.gather(*streams, return_exceptions=True)
    return walked


def main() -> None:
    """Trace, count and list."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--game", default="13-days")
    given.add_argument("--count", action="store_true", help="show only the counts by folder")
    asked = given.parse_args()
    walked = sorted(asyncio.run(walk(asked.game)), key=len)
    shown = walked[len(walked) // 2]
    stored = next(number for number, name in enumerate(shown) if name.endswith(f" {DRAWING}"))
    print(f"{len(shown)} functions ({len(walked[0])} to {len(walked[-1])} in {len(walked)} decisions)")
    for what, part in (("until stored and published", shown[:stored]), ("until both have seen it", shown[stored:])):
        of_the_house = sum(not name.startswith(OF_GAMES) for name in part)
        print(f"{what}: {len(part)}, {of_the_house} of them in the framework")
        for folder, names in groupby(sorted(part), key=lambda name: str(Path(name.split()[0]).parent)):
            listed = list(names)
            print(f"  {folder}: {len(listed)}")
            if not asked.count:
                print(*(f"    {name}" for name in listed), sep="\n")


if __name__ == "__main__":
    os.environ.update(NUMBA_DISABLE_JIT="1", BRINK_REQUESTS_PER_MINUTE="100000")
    main()
