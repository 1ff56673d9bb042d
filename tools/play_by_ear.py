"""Play whole games through the accessibility tree alone, and report the keys that each decision took.

Usage: python tools/play_by_ear.py [GAME ...]     # needs Chromium and playwright; about a minute a game
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

GAMES = ("13-days", "13-minutes", "ukrainian-crisis")
SEED = 7


def main() -> None:
    """Play each game once, against the random player."""
    from playwright.sync_api import sync_playwright

    from support.serving import BROWSER_OPTIONS, CHROMIUM, for_tests, serving

    with (
        tempfile.TemporaryDirectory() as folder,
        serving(for_tests(f"sqlite:///{folder}/t.sqlite3")) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(BROWSER_OPTIONS))
        for game in sys.argv[1:] or GAMES:
            print(f"{game}: {play(browser, server.url, game)}", flush=True)
        browser.close()


def play(browser: Any, url: str, game: str) -> str:
    """Play a game to its end; return what it took."""
    from support.browsing import begin
    from support.screen_reader import LISTEN, Listener

    context = browser.new_context(locale="en-GB", reduced_motion="reduce", viewport={"width": 1280, "height": 900})
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto(url)
    began = time.monotonic()
    begin(page, "computer", 0, game=game)
    player, choose = Listener(page), random.Random(SEED)
    player.wait_for_question()
    while not player.is_over:
        player.decide(choose)
    said, keys = player.question, player.keys
    context.close()
    took = f"{len(keys)} decisions, keys: median {median(keys):g}, most {max(keys)}"
    return f"{took}, {time.monotonic() - began:.0f} s. {said}"


if __name__ == "__main__":
    main()
