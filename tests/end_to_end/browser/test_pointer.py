"""A real mouse: the answer pointed at is the answer chosen, and a link that is shown can be clicked."""

from __future__ import annotations

from typing import Any

import pytest

from brinkmanship.engine import journal
from brinkmanship.engine.match import Match
from support.browsing import CHOICES, Visit, begin, picture
from support.finished_games import over

RESTS = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""The page as it is once all that an event has caused is drawn."""
BOXES = """
  [...document.querySelectorAll("#choices button")].map((one) => {
    const box = one.getBoundingClientRect();
    return [box.x, box.y, box.width, box.height];
  })
"""
MIDDLE = """
  (one) => {
    one.scrollIntoView({ block: "nearest" });
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }
"""
WORKED_OUT = """
  for (const line of document.querySelectorAll("#here, #told-for")) {
    line.hidden = false;
    line.textContent = "The USSR wins 55 % of the games simulated from here. ".repeat(3);
  }
"""
"""Fills in what a comparison shows when it is done, at whatever moment that is."""
SIZES = ((1440, 900), (1280, 720))
PUZZLES = {"13-days": (178, 1), "13-minutes": (3, 1), "ukrainian-crisis": (1, 5)}
"""By game some with many answers, on the board and on cards, with long consequences."""


PRESSED = 1.01
"""CSS pixels that a button goes down while it is pressed."""


def moved(before: list[list[float]], after: list[list[float]]) -> float:
    """Return by how many CSS pixels an edge of a button has moved at most."""
    return max(
        abs(was - now) for each, then in zip(before, after, strict=True) for was, now in zip(each, then, strict=True)
    )


def press_every_answer(page: Any) -> list[str]:
    """Move the mouse to each answer, rest, press and release; return the faults that came of it."""
    faults = []
    for button in page.locator(CHOICES).all():
        if not button.is_visible():
            continue
        # By a script: Playwright would wait for a button that never comes to rest.
        x, y = button.evaluate(MIDDLE)
        value, before = button.get_attribute("value"), page.evaluate(BOXES)
        page.mouse.move(x, y, steps=5)
        seen = []
        for press in (lambda: None, page.mouse.down, page.mouse.up):
            press()
            page.evaluate(RESTS)
            seen.append(page.evaluate(BOXES))
        chosen = page.locator("#choices button.chosen")
        if any(moved(before, boxes) > PRESSED for boxes in seen):
            faults.append(f"{button.inner_text()} moves")
        if chosen.count() != 1 or chosen.get_attribute("value") != value:
            faults.append(f"{button.inner_text()} is missed")
    return faults


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game_id", PUZZLES)
def test_the_answer_of_a_puzzle_stays_under_the_pointer(game_id: str, size: tuple[int, int], visit: Visit) -> None:
    page = visit(viewport={"width": size[0], "height": size[1]})
    for number in PUZZLES[game_id]:
        page.goto(f"{page.url.rstrip('/').partition('/puzzles')[0]}/puzzles/{game_id}/{number}")
        assert page.locator(CHOICES).count() > 1
        assert press_every_answer(page) == []
        picture(page, f"pointer-puzzle-{game_id}-{number}-{size[0]}", whole=False)


@pytest.mark.parametrize("game_id", PUZZLES)
def test_the_answer_on_an_analysis_board_stays_under_the_pointer(game_id: str, visit: Visit) -> None:
    match = over(game_id)
    kept = journal.of_match(match, dict.fromkeys(match.game.sides, "Anna")).text()
    page = visit("/replay/upload", viewport={"width": 1440, "height": 900})
    page.set_input_files("input[name=file]", {"name": "game.brink", "mimeType": "text/plain", "buffer": kept.encode()})
    page.click("main form button")
    replay = page.url
    for at in with_many_answers(match):
        page.goto(f"{replay}/branches/{at}")
        assert page.locator(CHOICES).count() > 3
        before = page.evaluate(BOXES)
        page.evaluate(WORKED_OUT)
        assert moved(before, page.evaluate(BOXES)) == 0
        assert press_every_answer(page) == []
        picture(page, f"pointer-board-{game_id}-{at}", whole=False)


def with_many_answers(match: Match) -> list[int]:
    """Return where in a game one side has some answers, with the most of each of two kinds of question."""
    found: dict[str, tuple[int, int]] = {}
    for at in range(len(match.entries)):
        state = match.state_after(at)
        asked = match.game.to_move(state)
        if len(asked) != 1 or (side := min(asked)) not in (0, 1):
            continue
        answers = len(match.game.legal_actions(state, side))
        kind = match.game.narrator.prompt(state, side).key
        if 3 < answers < 25 and answers > found.get(kind, (0, 0))[0]:
            found[kind] = (answers, at)
    return [at for _, at in sorted(found.values(), reverse=True)[:2]]


ON_TOP = """
  (one) => {
    const box = one.getBoundingClientRect();
    return [0.02, 0.5, 0.98].filter((share) => {
      const found = document.elementFromPoint(box.x + share * box.width, box.y + box.height / 2);
      return !one.contains(found);
    });
  }
"""
"""The shares of the width of an element at which something else catches a click."""


def test_the_next_game_is_clicked_at_every_width_and_offered_only_where_one_waits(visit: Visit) -> None:
    page = visit()
    begin(page, "computer", name="Annabella Featherstonehaugh")
    first = page.url
    link = page.locator("a.next")
    assert not link.is_visible()
    page.goto(page.url.partition("/t/")[0])
    begin(page, "computer", name="")
    second = page.url
    covered = {}
    for width, height in ((1280, 720), (1440, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert link.is_visible()
        covered[width] = link.evaluate(ON_TOP)
        picture(page, f"next-{width}", whole=False)
    assert covered == {1280: [], 1440: [], 1920: []}
    link.click()
    page.wait_for_url(first)
    assert second != first


LEVEL = """
  (() => [".object", ".primary", ".to-read"].map((part) => new Set(
    [...document.querySelectorAll(`.offer ${part}`)].map((one) => Math.round(one.getBoundingClientRect().y))).size))()
"""
"""Number of different heights of the pictures, the buttons and the links of the offers."""
IN_SIGHT = "box => box.top >= 0 && box.bottom <= innerHeight"


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_home_page_offers_all_games_and_a_board_at_once(size: tuple[int, int], visit: Visit) -> None:
    page = visit(viewport={"width": size[0], "height": size[1]})
    page.evaluate(RESTS)
    for part in (*(f"[name=game][value='{game_id}']" for game_id in PUZZLES), ".showcase .board-box"):
        assert page.locator(part).evaluate(f"part => ({IN_SIGHT})(part.getBoundingClientRect())"), part
    assert page.evaluate(LEVEL) == [1, 1, 1]
    picture(page, f"home-{size[0]}", whole=False)


@pytest.mark.parametrize("size", [*SIZES, (390, 844)], ids=str)
def test_the_button_below_all_choices_for_a_new_game_is_always_in_sight(size: tuple[int, int], visit: Visit) -> None:
    for game_id in PUZZLES:
        page = visit(f"/new/{game_id}", viewport={"width": size[0], "height": size[1]})
        button = page.locator("form.begin button.primary")
        for _ in range(2):
            page.evaluate(RESTS)
            assert button.evaluate(f"part => ({IN_SIGHT})(part.getBoundingClientRect())")
            for box in page.locator("details").all():
                box.evaluate("box => { box.open = true; }")
        picture(page, f"new-{game_id}-{size[0]}", whole=False)
