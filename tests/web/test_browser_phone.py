"""A phone in a real browser: what is long scrolls in its own place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .test_browser_play import CHOICES, PHONE, act, begin

Visit = Callable[..., Any]


def test_the_places_of_a_command_scroll_inside_the_dock(visit: Visit) -> None:
    page = visit(**PHONE)
    begin(page, "computer", 0)
    for _ in range(20):
        page.wait_for_selector(CHOICES)
        if page.locator("#choices .group.place").count() > 6:
            break
        commands = page.locator("#choices button[data-kind=command]")
        act(page, page.locator(CHOICES).count() - 1 if not commands.count() else 1)
    list_, dock = page.locator("#choices"), page.locator("#dock")
    assert list_.evaluate("list => list.scrollHeight > list.clientHeight")
    assert dock.evaluate("dock => dock.getBoundingClientRect().bottom") <= 740
    before = page.evaluate("scrollY")
    last = page.locator(CHOICES).last
    list_.evaluate("list => { list.scrollTop = list.scrollHeight; }")
    box = last.bounding_box()
    assert box["y"] + box["height"] <= 740
    assert page.evaluate("scrollY") == before


def test_a_question_is_put_away_to_see_the_whole_board(visit: Visit) -> None:
    page = visit(**PHONE)
    begin(page, "computer", 0)
    page.wait_for_selector(CHOICES)
    dock = page.locator("#dock")
    before = dock.bounding_box()["height"]
    page.locator("[data-fold]").tap()
    assert page.locator("#choices").is_hidden()
    assert dock.bounding_box()["height"] < before
    page.locator("[data-fold]").tap()
    assert page.locator("#choices").is_visible()
