"""Choosing in a browser: what is chosen shows its consequence and waits for one button; nothing is clicked twice."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any, NamedTuple

import pytest

from brinkmanship.engine.hint import Hint, Hints
from brinkmanship.engine.match import Match
from brinkmanship.games.cuban.frame import EventNode
from brinkmanship.web.jobs.player_job import answer_of_hints
from brinkmanship.web.tables import hints
from brinkmanship.web.tables.live_table import LiveTable
from support.browsing import CHOICES, DO, Person, Way, picture, set_up, view, wait_for_change, wait_until, way_to
from support.serving import Server


class Asked(NamedTuple):
    """A page on which one side is asked, with a journal of what the page has sent."""

    anna: Person
    page: Any
    table: LiveTable
    sent: list[str]
    """The addresses of what was posted."""


def _counts(match: Match, kind: str) -> dict[str, list[int]]:
    """By place, the numbers that may be chosen there."""
    found: dict[str, list[int]] = {}
    for decision in match.legal():
        parts = match.game.action_parts(decision.action)
        if parts.kind == kind and parts.place is not None and parts.count is not None:
            found.setdefault(parts.place, []).append(parts.count)
    return found


def _two_cubes_may_be_placed_at_two_places(match: Match) -> bool:
    if len(match.pending) != 1 or match.state.node != EventNode.COMMAND:
        return False
    return sum(len(numbers) > 1 for numbers in _counts(match, "place").values()) > 1


def _a_cube_is_placed_and_more_may_follow(match: Match) -> bool:
    if len(match.pending) != 1 or match.state.node != EventNode.PLACE:
        return False
    side, first = match.actor, match.legal()[0]
    after = match.copy()
    after.push(first.action)
    return match.game.action_parts(first.action).kind == "place" and after.actor == side


@pytest.fixture
def ask(chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    contexts = []

    def at(way: Way, **options: Any) -> Asked:
        size = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", "reduced_motion": "reduce"}
        context = chromium.new_context(**{**size, **options})
        contexts.append(context)
        anna = Person(context, server, "Anna")
        table = set_up(monkeypatch, anna, anna, way)
        (side,) = table.match.pending
        page = anna.look(f"/t/{table.id}?seat={side}")
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        return Asked(anna, page, table, sent)

    yield at
    for context in contexts:
        context.close()


def actions(asked: Asked) -> list[str]:
    """What the page has sent but how far its viewer has seen."""
    return [url for url in asked.sent if not url.endswith("/seen")]


def test_what_is_chosen_waits_for_one_button(ask: Any) -> None:
    asked = ask(way_to(_two_cubes_may_be_placed_at_two_places, 60))
    page, table = asked.page, asked.table
    one, other = [place for place, numbers in _counts(table.match, "place").items() if len(numbers) > 1][:2]
    assert page.locator(DO).is_visible()
    assert page.locator(DO).is_disabled()
    before = view(page)

    # A place is chosen on the board; a second click there counts on, and sends nothing.
    place = page.locator(f"#board [data-place='{one}'].can")
    place.click()
    page.wait_for_selector(f"{DO}:enabled")
    page.wait_for_selector("#board .ghosts", state="attached")
    chosen = page.locator("#choices button.chosen")
    assert (chosen.get_attribute("data-place"), chosen.get_attribute("data-count")) == (one, "1")
    assert chosen.get_attribute("aria-pressed") == "true"
    assert (
        page.locator("#board .tick").count() == page.locator(f"#board [data-place='{one}'].chosen .tick").count() == 1
    )
    place.click()
    assert (chosen.get_attribute("data-count"), page.inner_text("#stepper output")) == ("2", "+2")
    page.locator("[data-step='-1']").click()
    assert chosen.get_attribute("data-count") == "1"

    # Another thing replaces it; a second click on the same answer changes nothing.
    page.locator(f"{CHOICES}[data-place='{other}'][data-count='2']").click()
    assert chosen.count() == 1
    assert (chosen.get_attribute("data-place"), chosen.get_attribute("data-count")) == (other, "2")
    chosen.click()
    assert chosen.count() == 1
    assert page.inner_text(DO).startswith("Confirm")
    picture(page, "choosing-chosen", whole=False)

    # What is chosen stays in sight while one points elsewhere, and is forgotten by Esc.
    page.locator("#prompt").hover()
    page.wait_for_selector("#board .ghosts", state="attached")
    page.keyboard.press("Escape")
    assert chosen.count() == 0
    assert page.locator(DO).is_disabled()
    assert page.locator("#board :is(.ghosts, .tick)").count() == 0
    page.keyboard.press("Enter")
    assert actions(asked) == []
    assert view(page) == before

    # Enter does it, once.
    page.locator(f"{CHOICES}[data-place='{other}'][data-count='1']").click()
    page.keyboard.press("Enter")
    wait_for_change(page, before)
    assert [url.rpartition("/")[2] for url in actions(asked)] == ["act"]
    parts = table.game.action_parts(table.records[-1].value)
    assert (parts.kind, parts.place, parts.count) == ("place", other, 1)


class Adviser:
    """Advises every legal action alike, at once."""

    def __init__(self, match: Match) -> None:
        self._match = match

    def submit(self, kind: str, question: Any) -> Future[bytes]:
        assert kind == "hint"
        assert question()
        (side,) = self._match.pending
        found = [Hint(one.action, 0.5, 0.01, True, 0.0, None, None, None) for one in self._match.legal(side)]
        answer = Future[bytes]()
        answer.set_result(answer_of_hints(Hints(side, tuple(found), 2, 2 * len(found))))
        return answer


def test_what_cannot_be_taken_back_says_so_on_the_button(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ask(way_to(_two_cubes_may_be_placed_at_two_places, 60))
    page = asked.page
    final = page.locator(f"{CHOICES}[data-final]").first
    final.click()
    page.wait_for_selector(f"{DO}.final:enabled")
    assert page.inner_text(DO).startswith("Confirm (final)")
    final.click()
    assert actions(asked) == []
    picture(page, "choosing-final", whole=False)

    # A hint comes beside the question; what it advises is chosen, and not sent.
    adviser = Adviser(asked.table.match)
    monkeypatch.setattr(hints, "process_pool", lambda: adviser)
    boxes = [page.locator(one).bounding_box() for one in ("#board", "#choices", DO)]
    page.keyboard.press("Shift+KeyH")
    advised = page.locator("[data-advised]:visible")
    advised.last.wait_for()
    assert [page.locator(one).bounding_box() for one in ("#board", "#choices", DO)] == boxes
    advised.last.click()
    chosen = page.locator("#choices button.chosen").get_attribute("value")
    assert chosen == advised.last.get_attribute("data-advised")
    assert [url.rpartition("/")[2] for url in actions(asked)] == ["hint"]
    assert asked.table.records[-1].kind == "hint"
    picture(page, "choosing-hint", whole=False)


def test_who_prefers_speed_chooses_at_once_and_takes_back(ask: Any) -> None:
    asked = ask(way_to(_a_cube_is_placed_and_more_may_follow))
    page, table = asked.page, asked.table
    page.evaluate("document.querySelector('#settings-box').open = true")
    page.locator("[data-setting=confirm]").uncheck()
    assert page.locator(DO).is_hidden()
    before = view(page)
    place = page.locator(f"{CHOICES}[data-count='1']:not([data-final])").first
    value = int(place.get_attribute("value"))
    place.click()
    wait_for_change(page, before)
    assert table.records[-1].value == value
    page.locator("#undo").click()
    wait_until(page, lambda: table.records[-1].kind == "undo")
    page.reload()
    assert page.locator(DO).is_hidden()


@pytest.mark.parametrize(("language", "typed"), [("en", "b"), ("ru", ",")])
def test_the_same_key_is_the_same_place_all_game(ask: Any, language: str, typed: str) -> None:
    """In Russian Б, which is where others have the comma."""
    asked = ask(way_to(_two_cubes_may_be_placed_at_two_places, 60))
    page, table = asked.page, asked.table
    page.context.add_cookies([{"name": "language", "value": language, "url": page.url}])
    for _ in range(3):
        while not _counts(table.match, "place").get("berlin", [])[1:]:
            (side,) = table.match.pending
            action = min(decision.action for decision in table.match.legal())
            asked.anna.post(f"/t/{table.id}/act", side=side, version=table.version(side), action=action)
        (side,) = table.match.pending
        page.goto(f"{page.url.split('?')[0]}?seat={side}")
        before = view(page)
        asked.sent.clear()
        page.keyboard.press(typed)
        chosen = page.locator("#choices button.chosen")
        assert (chosen.get_attribute("data-place"), chosen.get_attribute("data-count")) == ("berlin", "1")
        page.keyboard.press("2")
        assert chosen.get_attribute("data-count") == "2"
        page.keyboard.press("-")
        assert chosen.get_attribute("data-count") == "1"
        page.keyboard.press("0")  # nothing at all
        assert chosen.get_attribute("data-kind") == "done"
        page.keyboard.press("Escape")
        page.keyboard.press(typed)
        assert actions(asked) == []
        page.keyboard.press("Enter")
        wait_for_change(page, before)
        assert table.game.action_parts(table.records[-1].value).place == "berlin"
    page.wait_for_selector("#state")


def drag(page: Any, source: Any, target: Any) -> None:
    """From the middle of one thing to that of another, by the mouse."""
    for press, box in ((page.mouse.down, source.bounding_box()), (page.mouse.up, target.bounding_box())):
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        press()


def test_a_cube_is_dragged_from_the_supply_to_a_battleground(ask: Any) -> None:
    asked = ask(way_to(_two_cubes_may_be_placed_at_two_places, 60))
    page, table = asked.page, asked.table
    one, other = [place for place, numbers in _counts(table.match, "place").items() if len(numbers) > 1][:2]
    (side,) = table.match.pending
    supply = page.locator(f"#board [data-supply='{side}'] [id^=cube-]").first
    chosen = page.locator("#choices button.chosen")
    drag(page, supply, page.locator(f"#board [data-place='{one}'].can"))
    assert (chosen.get_attribute("data-place"), chosen.get_attribute("data-count")) == (one, "1")
    drag(page, supply, page.locator(f"#board [data-place='{one}'].can"))
    assert (chosen.get_attribute("data-place"), chosen.get_attribute("data-count")) == (one, "2")
    drag(page, supply, page.locator(f"#board [data-place='{other}'].can"))
    assert (chosen.get_attribute("data-place"), chosen.get_attribute("data-count")) == (other, "1")
    drag(page, supply, page.locator("#prompt"))  # where nothing can be placed
    assert chosen.get_attribute("data-place") == other
    assert page.locator("#board .drop").count() == 0
    assert actions(asked) == []


def test_without_scripts_an_answer_is_sent_by_its_button(ask: Any) -> None:
    asked = ask(way_to(_two_cubes_may_be_placed_at_two_places, 60), java_script_enabled=False)
    records = len(asked.table.records)
    assert asked.page.locator(DO).is_hidden()
    asked.page.locator(CHOICES).first.click()
    assert len(asked.table.records) == records + 1
