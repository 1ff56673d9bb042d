"""A server for the tests: in this process, on a free port, with a database of its own; and browsers to visit it."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.testclient import TestClient

from brinkmanship.engine import fair
from brinkmanship.games.registry import load_game
from brinkmanship.players import load_player
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support import time_control
from brinkmanship.web.support.settings import Settings
from patience import HANGS_MILLISECONDS, HANGS_SECONDS, wait_until

from .visitors import Visitor

CHROMIUM = "/usr/bin/chromium"
NOT_NEEDED = (
    # Each window has a page of its own below the line for addresses, which costs as much as a page of ours.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    # What Playwright leaves out: the last such list is the one that counts.
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable"),
    *("HttpsUpgrades", "LensOverlay", "MediaRouter", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    *("NetworkTimeServiceQuerying", "ThirdPartyStoragePartitioning", "AimEnabled"),
)
"""Features of Chromium that no test is about."""
BROWSER_OPTIONS = ("--no-sandbox", "--disable-gpu", f"--disable-features={','.join(NOT_NEEDED)}")

REPRODUCIBLE_BYTES = """
  let made = 0;
  crypto.getRandomValues = (bytes) => bytes.map(() => (made = (made * 109 + 89) % 256));
"""
"""The same bytes for the deal in every run; where people play their browser makes them."""


@dataclass
class Server:
    """A running server."""

    url: str
    app: Starlette
    loop: asyncio.AbstractEventLoop
    """The one the server runs in."""


class PatientBrowser:
    """A browser whose pages wait for as long as it takes."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser

    def new_context(self, **options: Any) -> Any:
        """What a person has open."""
        context = self._browser.new_context(**options)
        context.set_default_timeout(HANGS_MILLISECONDS)
        return context


class KnownLoop(uvicorn.Server):
    """A server that says which loop it runs in."""

    loop: asyncio.AbstractEventLoop

    async def startup(self, sockets: Any = None) -> None:
        self.loop = asyncio.get_running_loop()
        await super().startup(sockets)


@pytest.fixture(autouse=True)
def reproducible_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same deals in every run; where people play they come from the operating system's randomness."""
    dice = random.Random(13)
    monkeypatch.setattr(fair, "new_secret", lambda: dice.randbytes(fair.SECRET_BYTES))


@pytest.fixture(autouse=True)
def own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test begins by its machine's time: a server that ran before in this process may have followed another's."""
    monkeypatch.setattr(time_control, "_ahead", [0.0])
    monkeypatch.setattr(time_control, "_began", [time.time() - time.monotonic()])


def for_tests(database: Path) -> Settings:
    """Where nobody is told to wait."""
    return Settings(
        database=f"sqlite:///{database}", requests_per_minute=1_000_000, computer_pace_ms=0, open_tables_of_address=0
    )


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        database=f"sqlite:///{tmp_path / 'table.sqlite3'}",
        requests_per_minute=1_000_000,
        computer_pace_ms=0,
        open_tables_of_address=0,
    )


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    """A server without a network."""
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.fixture
def anna(client: TestClient) -> Visitor:
    return Visitor(client)


@pytest.fixture
def boris(client: TestClient) -> Visitor:
    return Visitor(client)


@contextmanager
def serving(settings: Settings) -> Iterator[Server]:
    """A server on a free port, until the block ends."""
    app = create_app(settings)
    running = KnownLoop(uvicorn.Config(app, port=0, log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    wait_until(lambda: running.started or not thread.is_alive())
    port = running.servers[0].sockets[0].getsockname()[1]
    # Where nothing is compiled yet the first page takes half a minute; no browser should wait for that.
    urlopen(f"http://127.0.0.1:{port}/").close()
    load_player("random", load_game("13-days"))
    yield Server(f"http://127.0.0.1:{port}", app, running.loop)
    running.should_exit = True
    thread.join(HANGS_SECONDS)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    database = tmp_path_factory.mktemp("served") / "table.sqlite3"
    with serving(
        Settings(
            database=f"sqlite:///{database}",
            requests_per_minute=1_000_000,
            computer_pace_ms=0,
            open_tables_of_address=0,
        )
    ) as server:
        yield server


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api")
    if not Path(CHROMIUM).exists():
        pytest.skip(f"no browser at {CHROMIUM}")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(BROWSER_OPTIONS))
        yield PatientBrowser(browser)
        browser.close()


@pytest.fixture
def visit(chromium: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """Opens a page for a new visitor; any error in its script, or refused by its policy, fails the test."""
    contexts, faults = [], []

    def open_page(path: str = "/", **options: Any) -> Any:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", **options})
        contexts.append(context)
        context.add_init_script(REPRODUCIBLE_BYTES)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto(server.url + path)
        return page

    yield open_page
    for context in contexts:
        with suppress(Exception):
            context.close()
    assert faults == []
