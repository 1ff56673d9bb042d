"""What the browser tests share: begin a game, click, drive a game to a position, keep a picture of the page."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

import pytest

from brinkmanship.engine import commit_reveal
from brinkmanship.engine.match import Match
from brinkmanship.games.registry import load_game
from brinkmanship.web.tables.live_table import LiveTable
from support import patience
from support.serving import Server

Visit = Callable[..., Any]

DO = "#do"
CHOICES = "#choices button[name=action]"
OWN_LAYOUT = "typeof NARROW === 'undefined' ? '' : NARROW.matches ? 'narrow' : 'wide'"
"""What a table's scripts draw it anew for; "" without them."""
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
SCREENSHOTS = Path(__file__).parents[2] / "screenshots"
ARE_KEPT = "PYTEST_XDIST_WORKER" not in os.environ or "BRINK_PICTURES" in os.environ
"""Whether there will be pictures: they take time, and nobody looks at those of `make test`."""


def begin(
    page: Any, mode: str, side: int = 0, computer: str = "random", name: str = "Anna", game: str = "13-days"
) -> None:
    """Begin a game on its page; without a name where the server knows the visitor."""
    form = form_of(page, game)
    if name:
        form.locator("input[name=name]").fill(name)
    choose(form, "side", side)
    if mode == "computer":
        # Most play against `random`, which is quick and none of the levels that people choose from.
        form.locator("input[name=player]").first.evaluate(
            "(one, name) => { one.value = name; one.checked = true; }", computer
        )
    start_game(form, mode)
    page.wait_for_selector("#state:not([data-dealing])")
    wait_for_layout(page)


def wait_for_layout(page: Any) -> None:
    """Until a table is drawn for the window it is in: at the first visit a phone is sent the page of a wide one."""
    if page.locator("#state").count() and (layout := page.evaluate(OWN_LAYOUT)):
        page.wait_for_selector(f"#state[data-layout={layout}]")


def form_of(page: Any, game: str) -> Any:
    """The form with which a game is begun; the page goes there if it is elsewhere."""
    address = urljoin(page.url, f"/new/{game}")
    if page.url != address:
        page.goto(address)
    return page.locator("form.begin")


def choose(form: Any, name: str, value: object) -> None:
    """Choose one of several chips or rows of a form."""
    form.locator(f"label:has(input[name={name}][value='{value}'])").click()


def start_game(form: Any, mode: str) -> None:
    """Press the button of a form for a new game, against such an opponent."""
    choose(form, "mode", mode)
    form.locator("button.primary").click()


def live(server: Server, page: Any) -> LiveTable:
    """The table a page shows, in the server."""
    return table_of(server, page.get_attribute("#state", "data-table"))


def table_of(server: Server, table_id: str) -> LiveTable:
    """A table in the server."""
    table: LiveTable = server.app.state.services.tables._live[table_id]
    return table


def version(page: Any) -> str:
    """The version a page shows."""
    return str(page.get_attribute("#state", "data-version"))


def view(page: Any) -> str:
    """Return a selector for the view that a page shows; versions are counted for each viewer, two may be the same."""
    return "".join(f"[{name}='{page.get_attribute('#state', name)}']" for name in ("data-version", "data-viewer"))


def wait_for_change(page: Any, before: str) -> None:
    """Wait until a page shows another version than that (`view`), or the other side's view."""
    page.wait_for_selector(f"#state:not({before})")


def confirm(page: Any) -> None:
    """Press the button that does what is chosen."""
    page.locator(f"{DO}:enabled").click()


def type_answer(page: Any, button: Any) -> None:
    """Choose an answer by its keys: that of its thing, then its own or its number."""
    at, key, count = (button.get_attribute(f"data-{name}") or "" for name in ("at", "key", "count"))
    for letter in at + (key or (count.removeprefix("-") if at else "")):
        page.keyboard.press(letter)


def act(page: Any, number: int) -> None:
    """Click a choice and wait until it is done."""
    before = view(page)
    buttons = page.locator(CHOICES)
    button = buttons.nth(number % buttons.count())
    if button.is_visible():
        button.click()
    else:  # on a phone a row of a list stands for it
        button.dispatch_event("click")
    confirm(page)
    page.wait_for_selector(f"#state:not({before}), #uncover")


def wait_until(page: Any, is_so: Callable[[], object]) -> None:
    """Ask again and again; `page.wait_for_function` would need `eval`, which our pages forbid."""
    patience.wait_until(is_so, pause=lambda: page.wait_for_timeout(50))


def wait_for(page: Any, expression: str) -> None:
    """Until a JavaScript expression is true."""
    wait_until(page, lambda: page.evaluate(expression))


def is_asked(page: Any) -> bool:
    """Whether the page offers a choice."""
    return bool(page.locator(CHOICES).count())


def picture(page: Any, name: str, whole: bool = True) -> None:
    """Keep a screenshot, to be looked at after the run."""
    if not ARE_KEPT:
        return
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=whole, animations="disabled")


class Way(NamedTuple):
    """How a game comes to a position: which game, the secret of its deals, and the decisions taken."""

    game: str
    secret: bytes
    decisions: tuple[tuple[int, int], ...]
    """Side and action."""


@cache
def way_to(is_there: Callable[[Match], bool], most: int = 90, game_id: str = "13-days") -> Way:
    """The first of many random games that comes to such a position within so many decisions."""
    game = load_game(game_id)
    for number in range(2000):
        choose = random.Random(number)
        secret = choose.randbytes(commit_reveal.SECRET_BYTES)
        match = Match(game)
        commit_reveal.advance(match, secret)
        taken: list[tuple[int, int]] = []
        while not match.is_over and len(taken) < most:
            if is_there(match):
                return Way(game_id, secret, tuple(taken))
            side = choose.choice(sorted(match.pending))
            taken.append((side, choose.choice(match.legal(side)).action))
            match.push(taken[-1][1], side=side)
            commit_reveal.advance(match, secret)
        if is_there(match):
            return Way(game_id, secret, tuple(taken))
    raise ValueError("no random game comes to such a position")


class Person:
    """Somebody with a browser of his own, who can also send forms without looking at a page."""

    def __init__(self, context: Any, server: Server, name: str) -> None:
        self.context = context
        self.server = server
        self.name = name
        self.page = context.new_page()
        self._csrf = ""

    def get(self, path: str) -> str:
        """A page or file, as text."""
        answer = self.context.request.get(self.server.url + path)
        assert answer.ok, answer.text()
        return str(answer.text())

    def csrf(self) -> str:
        """The token of the forms of this person's session, "" for a stranger."""
        if not self._csrf:
            found = re.search(r'<meta name="csrf" content="(\w*)"', self.get("/account"))
            assert found
            self._csrf = found[1]
        return self._csrf

    def post(self, path: str, **fields: object) -> Any:
        """Send a form; the answer, redirects followed."""
        form = {"csrf": self.csrf(), "name": self.name, **{key: str(value) for key, value in fields.items()}}
        headers = {"X-Fragment": "1", "Accept": "text/html"}
        answer = self.context.request.post(self.server.url + path, form=form, headers=headers)
        assert answer.ok, answer.text()
        return answer

    def set_table(self, mode: str, side: int = 0, game: str = "13-days", **fields: object) -> str:
        """Begin a game; the id of its table."""
        answer = self.post("/tables", game=game, mode=mode, side=side, **fields)
        return str(answer.url.rpartition("/t/")[2])

    def look(self, path: str) -> Any:
        """The page at an address."""
        self.page.goto(self.server.url + path)
        wait_for_layout(self.page)
        return self.page


def set_up(monkeypatch: pytest.MonkeyPatch, us: Person, ussr: Person, way: Way) -> LiveTable:
    """A table of two people, played to a position; a person plays both sides where both are the same."""
    monkeypatch.setattr(commit_reveal, "new_secret", lambda: way.secret)
    server = us.server
    if us is ussr:
        table = table_of(server, us.set_table("same", game=way.game))
    else:
        table = table_of(server, us.set_table("friend", 0, way.game))
        link = re.search(r'value="http://[^/"]+(/join/[^"]+)"', us.get(f"/t/{table.id}"))
        assert link
        ussr.post(link[1])
    people = (us, ussr)
    for side, action in way.decisions:
        people[side].post(f"/t/{table.id}/act", side=side, version=table.version(side), action=action)
    return table
