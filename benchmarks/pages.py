"""Page weight and latency in a real browser. ``python -m benchmarks pages``.

The server runs in a separate process, the browser is headless Chromium; the user plays against ``random``. Weights are
those of the page of a running game with everything it loads, in a browser with an empty cache.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.load import server
from brinkmanship.engine.errors import BrinkError
from brinkmanship.lab.diagnostics.speed import SpeedFigure, at_most

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ACTIONS = 60
"""Clicks measured, over several games if necessary."""

FIRST_VIEWS = 7

CHOICES = "#choices button[name=action]"

CLICK = """
async (number) => {
  const version = () => document.querySelector("#state").dataset.version;
  const buttons = document.querySelectorAll("#choices button[name=action]");
  const button = buttons[number % buttons.length], before = version();
  button.click();
  const start = performance.now();
  const shown = new Promise((done) => {
    new MutationObserver((_, observer) => {
      if (version() === before) return;
      observer.disconnect();
      requestAnimationFrame(() => done(performance.now() - start));
    }).observe(document.querySelector(".table-page"), { childList: true, subtree: true });
  });
  document.querySelector("#do").click();
  return await shown;
}
"""
"""Select a choice and submit it; returns the milliseconds from that click until the next board is painted."""

PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


class Loaded(NamedTuple):
    """One view of a page in a browser with an empty cache."""

    sent: int
    """Bytes transferred, compressed if the server compresses, with headers."""
    unpacked: int
    painted: float
    """Milliseconds to the first paint with content."""
    loaded: float
    """Milliseconds to the end of loading."""


def figures_of_pages(port: int = 8979) -> Iterator[SpeedFigure]:
    """Measure the pages one after the other; about half a minute.

    Raises:
        BrinkError: Playwright or Chromium is not installed.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise BrinkError("measuring pages needs Playwright: pip install playwright") from error
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise BrinkError("measuring pages needs Chromium; on Debian: apt-get install chromium")
    with (
        tempfile.TemporaryDirectory(dir=Path.cwd()) as folder,
        server(port, f"sqlite:///{folder}/bench.sqlite3"),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield from _figures(browser, f"http://127.0.0.1:{port}")
        browser.close()


def _figures(browser: Browser, address: str) -> Iterator[SpeedFigure]:
    player = browser.new_page()
    _begin(player, address)
    state = player.context.storage_state()
    views = [_first_view(browser, player.url, state) for _ in range(FIRST_VIEWS)]
    yield at_most("page.over_the_wire", views[0].sent / 1000, "KB", 300)
    yield SpeedFigure("page.unpacked", views[0].unpacked / 1000, "KB")
    yield SpeedFigure("page.first_paint", statistics.median(view.painted for view in views), "ms")
    yield at_most("page.first_view", statistics.median(view.loaded for view in views), "ms", 1000)
    times = sorted(_round_trips(player, address))
    yield at_most("page.click_half", statistics.median(times), "ms", 60)
    yield SpeedFigure("page.click_most", times[int(0.95 * len(times))], "ms")


def _begin(page: Page, address: str) -> None:
    page.goto(f"{address}/new/13-days")
    form = page.locator("form.begin")
    if form.locator("input[name=name]").count():
        form.locator("input[name=name]").fill("Bench")
    form.locator("input[name=player]").first.evaluate("(one) => { one.value = 'random'; one.checked = true; }")
    form.locator("button.primary").click()
    page.wait_for_selector(CHOICES)


def _first_view(browser: Browser, url: str, state: object) -> Loaded:
    context = browser.new_context(storage_state=state)  # type: ignore[arg-type]
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes = {"sent": 0, "unpacked": 0}

    def count(name: str, bytes_: float) -> None:
        sizes[name] += int(bytes_)

    wire.on("Network.loadingFinished", lambda event: count("sent", event["encodedDataLength"]))
    wire.on("Network.dataReceived", lambda event: count("unpacked", event["dataLength"]))
    page.goto(url, wait_until="load")
    page.wait_for_selector(CHOICES)
    page.wait_for_timeout(300)  # requests of the script at its start
    loaded = Loaded(sizes["sent"], sizes["unpacked"], page.evaluate(PAINTED), page.evaluate(LOADED))
    context.close()
    return loaded


def _round_trips(page: Page, address: str) -> Iterator[float]:
    """Yield the times of clicks, without the first few (warm-up)."""
    for number in range(-5, ACTIONS):
        page.wait_for_selector(f"{CHOICES}, .ending")
        if page.locator(".ending").count():
            _begin(page, address)
        page.wait_for_timeout(150)  # the computer has moved, and animations are over
        page.wait_for_selector(CHOICES)
        milliseconds = float(page.evaluate(CLICK, abs(number)))
        if number >= 0:
            yield milliseconds
