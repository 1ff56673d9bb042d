"""A choice that would lose the game says so before one confirms it: in red, in words, and on the button."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.text import words_for
from brinkmanship.web.presentation.action_previews import previews_of
from support.browsing import CHOICES, DO, Person, picture, set_up, wait_until, way_to
from support.serving import Server

SIZES: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}


def warnings_of(match: Match) -> dict[int, Message | None]:
    """The warning before each choice of the side to move."""
    game, side = match.game, match.actor
    view = game.view_of(match.state, side)
    return {one.action: game.narrator.warning(view, one.after, side) for one in previews_of(game, view, match.legal())}


def lost_by_the_own_agenda(match: Match) -> list[int]:
    """The choices by which the own agenda surely loses, where there are also some without any warning."""
    warnings = warnings_of(match) if len(match.pending) == 1 else {}
    found = [
        action
        for action, warning in warnings.items()
        if warning and warning.key == "warning.loses" and warning.args["why"].key == "warning.agenda"  # type: ignore[union-attr]
    ]
    return found if None in warnings.values() else []


def some_lose_by_the_own_agenda(match: Match) -> bool:
    return bool(lost_by_the_own_agenda(match))


@pytest.fixture
def on_the_brink(chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    contexts = []

    def at(size: str) -> tuple[Any, Any]:
        context = chromium.new_context(**SIZES[size], locale="en-GB", reduced_motion="reduce")
        contexts.append(context)
        anna = Person(context, server, "Anna")
        table = set_up(monkeypatch, anna, anna, way_to(some_lose_by_the_own_agenda))
        (side,) = table.match.pending
        return anna.look(f"/t/{table.id}?seat={side}"), table

    yield at
    for context in contexts:
        context.close()


@pytest.mark.parametrize("size", SIZES)
def test_a_losing_choice_is_red_and_the_button_says_why(size: str, on_the_brink: Any) -> None:
    page, table = on_the_brink(size)
    action, *_ = lost_by_the_own_agenda(table.match)
    warning = warnings_of(table.match)[action]
    assert warning
    text = words_for(table.game, "en").sentence(warning)
    assert text.startswith("Your agenda will move your ")
    button = page.locator(f"{CHOICES}[value='{action}']")
    assert text in button.get_attribute("aria-label")
    assert "⚠" in button.text_content()
    button.dispatch_event("click")
    line, mark = page.locator("#consequence"), page.locator("#do-mark")
    assert line.inner_text().startswith(f"⚠ {text}")
    assert line.evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(140, 29, 24)"
    assert mark.inner_text() == "⚠ You would lose"
    assert "You would lose" in page.get_by_role("button", name="You would lose").and_(page.locator(DO)).inner_text()
    wait_until(page, lambda: text in page.locator("#live").inner_text())
    danger = ".rows [data-row*='danger']" if size == "phone" else "#board .ghosts"
    wait_until(page, lambda: any("DEFCON 1" in found for found in page.locator(danger).all_text_contents()))
    picture(page, f"warning-{size}", whole=False)

    harmless = next(action for action, warning in warnings_of(table.match).items() if warning is None)
    page.locator(f"{CHOICES}[value='{harmless}']").dispatch_event("click")
    assert "⚠" not in line.inner_text()
    assert mark.is_hidden()


def test_warnings_can_be_switched_off(on_the_brink: Any) -> None:
    page, table = on_the_brink("wide")
    warned = page.locator(f"{CHOICES}[data-warning]")
    assert warned.count() == sum(warning is not None for warning in warnings_of(table.match).values())
    page.locator("#settings-box summary").click()
    page.locator("[data-setting=warnings]").uncheck()
    warned.first.wait_for(state="detached")
    assert "⚠" not in "".join(page.locator("#choices").all_text_contents())
    page.reload()
    assert warned.count() == 0
    assert not page.locator("[data-setting=warnings]").is_checked()
