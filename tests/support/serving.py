"""A server in this process, on a free port, with a database of its own; and what browsers need to visit it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

import uvicorn
from starlette.applications import Starlette

from brinkmanship.games.registry import load_game
from brinkmanship.players import load_player
from brinkmanship.web.server.app import create_app
from brinkmanship.web.support.settings import Settings
from support.patience import HANGS_MILLISECONDS, HANGS_SECONDS, wait_until

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
        """What a person has open; without the service worker, which few tests are about, unless they allow it."""
        context = self._browser.new_context(**{"service_workers": "block", **options})
        context.set_default_timeout(HANGS_MILLISECONDS)
        return context


class KnownLoop(uvicorn.Server):
    """A server that says which loop it runs in."""

    loop: asyncio.AbstractEventLoop

    async def startup(self, sockets: Any = None) -> None:
        self.loop = asyncio.get_running_loop()
        await super().startup(sockets)


def for_tests(database: str) -> Settings:
    """Return settings with which nobody is told to wait."""
    return Settings(
        database=database,
        requests_per_minute=1_000_000,
        computer_pace_ms=0,
        open_tables_of_address=0,
    )


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
