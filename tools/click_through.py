"""Play a whole game in a browser with real clicks or taps: ``python tools/click_through.py 13-days --lang de``.

The game goes from the home page to the result against the quickest level. Each decision is photographed and measured
(click_through.js): text that is cut or too small, buttons of two lines or that move under the pointer, errors of the
console, keys of catalogues, English in other languages. Faults are printed once each; `--out` keeps the pictures, with
montages of a few decisions of each kind.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from brinkmanship.text.words import LANGUAGES
from support.browsing import CHOICES, DO, view, wait_for_layout
from support.serving import BROWSER_OPTIONS, CHROMIUM, PatientBrowser, for_tests, serving

GAMES = ("13-days", "13-minutes", "ukrainian-crisis")
SIZES: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1440, "height": 900}},
    "laptop": {"viewport": {"width": 1280, "height": 720}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}
LEAST_LETTERS = 12.5
"""Smallest letters that are no fault (CSS pixels)."""
ENGLISH = (
    *("the", "and", "your", "you", "with", "this", "that", "cards", "card", "games", "draw", "play", "choose"),
    *("turn", "round", "wins", "lost", "from", "place", "against", "click", "other", "which", "nothing", "again"),
)
"""Words of English texts that German, Polish and Russian do not have."""
MEASURE = Path(__file__).with_suffix(".js").read_text("utf-8")
ENTRIES = {
    "wide": "#board :is([data-place], [data-area], [data-track], [data-pile], [data-letter]).can",
    "phone": ".rows:not(.tab-off) .place-row.can",
}
"""What can be chosen on the board, or on a phone in its lists."""
STEPS = "#choices [data-steps]"
"""Questions whose answers make one choice together."""
BUTTONS = f"{CHOICES}:not(.beyond *), #menu button"
MAX_DECISIONS = 600
PER_KIND = 1
"""Number of decisions of each kind of question that are also photographed when chosen, and stand in the montages."""


class Visitor:
    """Someone who plays one game, and notes what is wrong with its pages."""

    def __init__(self, page: Any, asked: argparse.Namespace, folder: Path) -> None:
        self.page = page
        self.asked = asked
        self.folder = folder
        self.random = random.Random(asked.seed)
        self.faults: Counter[str] = Counter()
        self.first_seen: dict[str, str] = {}
        self.pictures: list[tuple[str, Path]] = []
        page.on("console", self._note_console)
        page.on("pageerror", lambda error: self.note(f"error in a script: {error}"))
        page.on("response", self._note_response)

    @property
    def taps(self) -> bool:
        return bool(self.asked.size == "phone")

    def _note_console(self, message: Any) -> None:
        if message.type in ("error", "warning") and "Service Worker" not in message.text:
            self.note(f"console: {message.text}")

    def _note_response(self, response: Any) -> None:
        if response.status >= 400:
            self.note(f"HTTP {response.status}: {re.sub('/t/[^/]+', '/t/ID', response.url.split('/', 3)[3])}")

    def note(self, fault: str) -> None:
        self.faults[fault] += 1
        self.first_seen.setdefault(fault, self.pictures[-1][1].name if self.pictures else "")

    def look(self, kind: str, whole: bool = False) -> None:
        """Photograph and measure the page."""
        self.page.evaluate("scrollTo(0, 0)")
        path = self.folder / f"{len(self.pictures):03}-{re.sub('[^a-z0-9-]+', '-', kind.lower())}.png"
        self.page.screenshot(path=path, full_page=whole, animations="disabled")
        self.pictures.append((kind, path))
        measured = {"language": self.asked.lang, "least": LEAST_LETTERS, "english": ENGLISH}
        for fault in self.page.evaluate(MEASURE, measured):
            self.note(fault)

    def press(self, element: Any) -> None:
        """Click with a mouse that rests on the element first, or tap it, in its middle."""
        element.scroll_into_view_if_needed()
        if not is_pressable(element):  # below something that is sticky
            element.evaluate("one => one.scrollIntoView({ block: 'center' })")
        before = box_at_rest(self.page, element)
        if self.taps:
            self.page.touchscreen.tap(*middle(before))
            return
        self.page.mouse.move(*middle(before), steps=3)
        self.page.wait_for_timeout(self.asked.rest)
        after = box_of(element)
        if after and any(abs(after[name] - before[name]) > 1 for name in ("x", "y")):
            self.note(f"moves under the pointer: {described(element)}")
        self.page.mouse.down()
        self.page.mouse.up()

    # ---- From the home page to a table

    def begin(self) -> None:
        """Open a game from the home page, against the first level."""
        self.look("home", whole=True)
        self.press(self.page.locator(f"a.button[href='/new/{self.asked.game}']"))
        self.page.wait_for_selector("form.begin")
        self.look("new", whole=True)
        form = self.page.locator("form.begin")
        self.press(form.locator("label:has(input[name=mode][value=computer])"))
        self.press(form.locator("label:has(input[name=player])").first)
        sides = form.locator("label:has(input[name=side]):not(:has(input[value=random]))")
        self.press(sides.nth(self.random.randrange(sides.count())))
        self.press(form.locator("button.primary"))
        self.page.wait_for_selector("#state:not([data-dealing])")
        wait_for_layout(self.page)

    # ---- Decisions

    def play(self) -> None:
        """Decide until the game is over."""
        for _ in range(MAX_DECISIONS):
            self.page.wait_for_selector(f"{CHOICES}, {STEPS}, .ending", state="attached")
            if self.page.locator(".ending").count():
                return self.end()
            self.decide()
        return self.note(f"no end after {MAX_DECISIONS} decisions")

    def decide(self) -> None:
        """Choose something that does not lose by a warning, and confirm it."""
        before, kind = view(self.page), self.kind()
        self.look(kind)
        self.choose()
        if not self.page.locator(f"{DO}:enabled").count():
            self.choose_button(kind)
        if self.times_of(kind) <= PER_KIND:
            self.page.wait_for_timeout(150)  # the preview
            self.look(f"{kind}-chosen")
        self.press(self.page.locator(DO))
        self.page.wait_for_selector(f"#state:not({before})", state="attached")

    def kind(self) -> str:
        """Return the kinds of the choices offered, as they are named in the page."""
        if self.page.locator(STEPS).count():
            return "steps"
        kinds = {one.get_attribute("data-kind") or "" for one in self.page.locator(CHOICES).all()}
        return "-".join(sorted(kinds)[:4])

    def times_of(self, kind: str) -> int:
        return sum(each == kind for each, _ in self.pictures)

    def choose(self) -> None:
        if self.page.locator(STEPS).count():
            return self.answer_steps()
        if self.page.locator("#several").count() and self.random.random() < 0.3 and self.tick_several():
            return None
        element = self.random.choice(list(self.choosable()))
        self.press(element)
        return self.choose_in_menu()

    def choosable(self) -> Iterator[Any]:
        """Return what one can press now, at least one element."""
        entries = ENTRIES["phone" if self.taps else "wide"]
        safe = [one for one in self.page.locator(f"{BUTTONS}, {entries}").all() if is_pressable(one)]
        careful = [one for one in safe if one.get_attribute("data-warning") is None]
        if not safe:
            self.note(f"nothing to press at {self.kind()}")
        yield from careful or safe or [self.page.locator(CHOICES).first]

    def choose_button(self, kind: str) -> None:
        """Choose with a button below, to which a place with several pieces leads."""
        buttons = [one for one in self.page.locator(BUTTONS).all() if is_pressable(one)]
        if buttons:
            self.press(buttons[0])
        if not self.page.locator(f"{DO}:enabled").count():
            self.note(f"nothing chosen by a press at {kind}")
            self.page.locator(CHOICES).first.dispatch_event("click")

    def choose_in_menu(self) -> None:
        """Choose among several answers of one element of the board."""
        buttons = self.page.locator("#menu:not([hidden]) button")
        if count := buttons.count():
            if self.times_of("menu") < PER_KIND:
                self.look("menu")
            self.press(buttons.nth(self.random.randrange(count)))

    def answer_steps(self) -> None:
        for row in self.page.locator(f"{STEPS} fieldset").all():
            answers = row.locator("label:has(input:not([disabled]))")
            self.press(answers.nth(self.random.randrange(answers.count())))

    def tick_several(self) -> bool:
        """Tick some pieces and a place for them; return True if that is a whole choice."""
        picks = [one for one in self.page.locator("input[name=pick]").all() if one.is_visible()]
        for pick in self.random.sample(picks, min(2, len(picks))):
            self.press(pick)
        goals = self.page.locator("#several-goal option:not([disabled]):not([value=''])")
        if self.page.locator("#several-goal").is_visible() and goals.count():
            self.page.select_option("#several-goal", goals.first.get_attribute("value"))
        return bool(self.page.locator(f"{DO}:enabled").count())

    def end(self) -> None:
        """Look at the result, at each tab of a phone, and at the pages that the result leads to."""
        self.look("end")
        self.look("end-whole", whole=True)
        for tab in self.page.locator("#tabs [role=tab]").all() if self.taps else ():
            self.press(tab)
            self.look(f"end-{tab.get_attribute('id')}")


def is_pressable(element: Any) -> bool:
    """Return True if a click in the middle of an element meets it."""
    return bool(
        element.evaluate(
            "one => { if (!one.checkVisibility({ checkVisibilityCSS: true })) return false;"
            "one.scrollIntoView({ block: 'nearest', inline: 'nearest' }); const box = one.getBoundingClientRect();"
            "const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
            "return !!met && (one.contains(met) || met.closest('.can') === one); }"
        )
    )


def described(element: Any) -> str:
    return f".{element.get_attribute('class')} {element.text_content().strip()[:40]}"


def box_of(element: Any) -> dict[str, float]:
    """Return where an element is; of a thing on the board its frame, without what a preview draws beside it."""
    box: dict[str, float] = element.evaluate(
        "one => { const frame = one.querySelector(':scope > :is(.panel, .glass)') ?? one;"
        "const { x, y, width, height } = frame.getBoundingClientRect(); return { x, y, width, height }; }"
    )
    return box


def box_at_rest(page: Any, element: Any) -> dict[str, float]:
    """Return where an element is once it no longer moves, as cards do that are swiped."""
    box = box_of(element)
    while True:
        page.wait_for_timeout(60)
        before, box = box, box_of(element)
        if box == before:
            return box


def middle(box: dict[str, float]) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def montages(pictures: list[tuple[str, Path]], folder: Path, size: str) -> None:
    """Put a few decisions of each kind beside one another, six or eight in a picture."""
    from PIL import Image

    counts: Counter[str] = Counter()
    chosen = []
    for kind, path in pictures:
        counts[kind] += 1
        if counts[kind] <= PER_KIND:
            chosen.append(path)
    columns, rows, width, height = (4, 2, 390, 844) if size == "phone" else (2, 3, 960, 600)
    for number, start in enumerate(range(0, len(chosen), columns * rows)):
        sheet = Image.new("RGB", (columns * width, rows * height), "white")
        for place, path in enumerate(chosen[start : start + columns * rows]):
            with Image.open(path) as shot:
                shot.thumbnail((width, height))
                sheet.paste(shot, (place % columns * width, place // columns * height))
        sheet.save(folder / f"montage-{number}.png")


@contextmanager
def server_at(url: str | None) -> Iterator[str]:
    """Serve a fresh database, unless a server is named."""
    if url:
        yield url
        return
    with tempfile.TemporaryDirectory() as folder, serving(for_tests(f"sqlite:///{folder}/table.sqlite3")) as server:
        yield server.url


def run(asked: argparse.Namespace, browser: Any, url: str) -> int:
    """Play one game and print its faults; return how many there are."""
    begun = time.monotonic()
    visitor = visit(asked, browser, url)
    print(f"{asked.game} {asked.lang} {asked.size}: {len(visitor.pictures)} pictures, {time.monotonic() - begun:.0f} s")
    for fault, count in visitor.faults.most_common():
        print(f"  {count} × {fault}  [{visitor.first_seen[fault]}]", flush=True)
    return len(visitor.faults)


def visit(asked: argparse.Namespace, browser: Any, url: str) -> Visitor:
    """Play one game, and keep its pictures."""
    folder = Path(asked.out) / f"{asked.game}-{asked.lang}-{asked.size}"
    folder.mkdir(parents=True, exist_ok=True)
    motion = "no-preference" if asked.motion else "reduce"
    context = browser.new_context(
        **SIZES[asked.size], locale=asked.lang, reduced_motion=motion, color_scheme="dark" if asked.dark else "light"
    )
    page = context.new_page()
    page.goto(url)
    visitor = Visitor(page, asked, folder)
    try:
        visitor.begin()
        visitor.play()
    except Exception as error:  # the other games are played all the same
        visitor.look("stopped")
        visitor.note(f"stopped: {error}")
    finally:
        montages(visitor.pictures, folder, asked.size)
        context.close()
    return visitor


def main() -> int:
    """Play the games in each language and size; return 1 if there are faults."""
    parser = argparse.ArgumentParser(description="Play a whole game with real clicks, and measure its pages.")
    parser.add_argument("games", nargs="+", choices=GAMES)
    parser.add_argument("--lang", nargs="+", choices=LANGUAGES, default=["en"])
    parser.add_argument("--size", nargs="+", choices=list(SIZES), default=["wide"])
    parser.add_argument("--seed", type=int, default=1, help="seed of the choices")
    parser.add_argument("--rest", type=int, default=120, help="time the mouse rests before it presses (ms)")
    parser.add_argument("--url", help="a running server; default: a server of its own")
    parser.add_argument("--out", default="build/click-through", help="folder of the pictures")
    parser.add_argument("--motion", action="store_true", help="with animations")
    parser.add_argument("--dark", action="store_true", help="in dark colours")
    asked = parser.parse_args()
    from playwright.sync_api import sync_playwright

    faults = 0
    with server_at(asked.url) as url, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(BROWSER_OPTIONS))
        for game, lang, size in product(asked.games, asked.lang, asked.size):
            one = argparse.Namespace(**{**vars(asked), "game": game, "lang": lang, "size": size})
            faults += run(one, PatientBrowser(chromium), url)
        chromium.close()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
