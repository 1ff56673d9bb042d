"""A phone in a real browser: the rows of its lists are the answers, its tabs stay, its hand is swiped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from brinkmanship.engine.match import Match
from brinkmanship.games.cuban.frame import EventNode
from brinkmanship.web.tables.live_table import LiveTable
from support.browsing import (
    CHOICES,
    DO,
    PHONE,
    Person,
    Visit,
    picture,
    set_up,
    view,
    wait_for_change,
    wait_until,
    way_to,
)
from support.serving import Server

ROW = ".rows:not(.tab-off) .place-row.can"


def _a_command_of_several_cubes(match: Match) -> bool:
    if len(match.pending) != 1 or match.state.node != EventNode.COMMAND:
        return False
    parts = [match.game.action_parts(decision.action) for decision in match.legal()]
    return any(part.kind == "place" and (part.count or 0) > 1 for part in parts)


@pytest.fixture
def asked(chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, LiveTable]]:
    """A page on a phone where a Command of several cubes is to be carried out."""
    context = chromium.new_context(**PHONE, reduced_motion="reduce", locale="en-GB")
    anna = Person(context, server, "Anna")
    table = set_up(monkeypatch, anna, anna, way_to(_a_command_of_several_cubes))
    page = anna.look(f"/t/{table.id}?seat={table.match.actor}")
    page.wait_for_selector(ROW)
    yield page, table
    context.close()


def selected(page: Any) -> str:
    """The id of the tab in front; the only one whose panel is seen."""
    chosen = page.locator("[role=tab][aria-selected=true]")
    (id,) = [tab.get_attribute("id") for tab in chosen.all()]
    for tab in page.locator("[role=tab]").all():
        panel = page.locator(f"#{tab.get_attribute('aria-controls')}")
        assert panel.is_visible() == (tab.get_attribute("id") == id)
    return str(id)


def test_a_row_is_tapped_counted_and_done(asked: tuple[Any, LiveTable]) -> None:
    page, table = asked
    side, before = table.match.actor, view(page)
    counts = [parts for parts in map(table.game.action_parts, table_actions(table)) if parts.kind == "place"]
    place = next(parts.place for parts in counts if (parts.count or 0) > 1)
    row = page.locator(f"{ROW}[data-place={place}]")
    lead = row.locator(".lead")
    assert "→" not in lead.inner_text()
    row.tap()
    page.wait_for_selector(f"{ROW}[data-place={place}].changed .lead:has-text('→')")
    assert row.locator("path.g").count() == 1
    page.locator("[data-step='1']").tap()
    page.wait_for_selector(f"{ROW}[data-place={place}].changed:has(path.g + path.g)")
    assert page.locator("#stepper output").inner_text() == "+2"
    picture(page, "phone-command", whole=False)
    page.locator(DO).tap()
    wait_for_change(page, before)
    done = table.game.action_parts(next(r.value for r in reversed(table.records) if r.actor == side))
    assert (done.kind, done.place, done.count) == ("place", place, 2)
    assert page.locator(".place-row.changed").count() == 0


def table_actions(table: LiveTable) -> list[int]:
    """What may be done now."""
    return [decision.action for decision in table.match.legal()]


def test_tabs_are_opened_by_finger_and_key_and_stay_when_the_position_changes(asked: tuple[Any, LiveTable]) -> None:
    page, _ = asked
    assert selected(page) == "tab-places"
    page.locator("#tab-tracks").tap()
    assert selected(page) == "tab-tracks"
    page.keyboard.press("ArrowRight")
    assert selected(page) == "tab-board"
    page.keyboard.press("Home")
    assert selected(page) == "tab-places"
    page.keyboard.press("End")
    assert selected(page) == "tab-story"
    before = view(page)
    page.locator("#undo").tap()
    wait_for_change(page, before)
    assert selected(page) == "tab-story"
    page.reload()
    page.wait_for_selector("[aria-selected=true]")


def test_what_happened_and_what_can_be_tapped_is_told_without_opening_the_log(asked: tuple[Any, LiveTable]) -> None:
    page, _ = asked
    assert page.locator(".tap").inner_text() == "Tap a battleground"
    strip, dock = page.locator("#recap"), page.locator("#dock")
    assert "Command" in strip.locator("summary").inner_text()
    assert strip.bounding_box()["y"] + strip.bounding_box()["height"] <= dock.bounding_box()["y"] + 1
    top = dock.bounding_box()["y"]
    strip.locator("summary").tap()
    strip.locator(".played .text").wait_for()
    assert dock.bounding_box()["y"] == top
    page.evaluate("() => { document.querySelector('#state').dataset.old = '1'; table.relayout(); }")
    page.wait_for_selector("#state:not([data-old]) #recap[open]")
    strip.locator(".played").tap()
    page.wait_for_selector("#card-view .seen-card")
    page.locator("#prompt").tap()
    unread = page.locator("#tab-story .unread-lines")
    if unread.count():
        page.locator("#tab-story").tap()
        page.reload()
        page.wait_for_selector("#tab-story:not(:has(.unread-lines))")


def test_a_row_tells_what_it_is_without_a_mouse(asked: tuple[Any, LiveTable]) -> None:
    page, _ = asked
    row = page.locator(ROW).first
    row.dispatch_event("contextmenu")  # a long press
    assert page.locator("#card-view .tell").inner_text() in row.get_attribute("data-tell")
    page.locator("#tab-tracks").tap()
    page.locator("#rows-tracks .place-row").first.tap()
    assert "DEFCON" in page.locator("#card-view .tell").inner_text()


def test_cards_are_swiped_and_stop_at_the_edge(asked: tuple[Any, LiveTable]) -> None:
    page, _ = asked
    page.locator("#undo").tap()
    page.wait_for_selector(".answers [data-card]")
    row = page.locator(".answers")
    assert row.evaluate("row => row.scrollWidth > row.clientWidth")
    last = page.locator(".answers > li").last
    row.evaluate("row => { row.scrollLeft = row.scrollWidth; }")
    wait_until(page, lambda: last.evaluate("card => card.getBoundingClientRect().right <= innerWidth"))
    last.locator("button").last.tap()
    assert page.locator(f"{CHOICES}.chosen").count() == 1
    assert page.locator(DO).is_enabled()


def test_all_games_and_what_there_is_to_read_of_them_are_on_the_first_screen(visit: Visit) -> None:
    page = visit("/", viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, locale="ru-RU")
    box = page.locator(".offer .to-read a").last.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 844
