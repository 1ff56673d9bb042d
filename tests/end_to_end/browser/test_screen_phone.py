"""Every kind of question of every game on a phone, upright and lying: read, seen and answered without searching."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.browsing import DO, Person, picture
from support.kinds import RECORDED, at_every_question
from support.serving import Server

UPRIGHT = ((390, 844), (360, 640))
LYING = ((844, 390),)
MAX_OF_DOCK = 0.401
MAX_WITH_CHOSEN = 0.501
"""What is chosen stands in a bar of its own."""
LANGUAGES = ("pl", "de", "en", "ru")

MEASURE = (Path(__file__).parent / "screen_phone.js").read_text("utf-8")


@pytest.mark.parametrize(("game_id", "number"), RECORDED)
def test_every_question_fits_a_phone(
    chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch, game_id: str, number: int
) -> None:
    size = {"width": 390, "height": 844}
    context = chromium.new_context(
        viewport=size, is_mobile=True, has_touch=True, reduced_motion="reduce", locale="en-GB"
    )
    anna = Person(context, server, "Anna")
    faults: list[str] = []
    for place, kind, table, side in at_every_question(game_id, number, anna, monkeypatch):
        language = LANGUAGES[place % len(LANGUAGES)]
        context.add_cookies([{"name": "language", "value": language, "url": server.url}])
        faults += _faults(anna.look(f"/t/{table.id}?seat={side}"), f"{game_id}-{'-'.join(kind)}-{language}")
    context.close()
    assert faults == [], "\n".join(faults)


def _faults(page: Any, what: str) -> list[str]:
    """What does not fit, at any of the sizes."""
    faults = []
    for width, height in (*UPRIGHT, *LYING):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_selector("#tabs [aria-selected=true]")
        for row in page.locator("[data-steps] fieldset").all():  # with all questions answered it is highest
            row.locator("input:not([disabled])").first.check()
        picture(page, f"phone-{what}-{width}", whole=False)
        is_upright, is_large = (width, height) in UPRIGHT, (width, height) == UPRIGHT[0]
        found = page.evaluate(MEASURE, is_large)
        if is_upright and found["dock"] > (MAX_WITH_CHOSEN if page.locator(f"{DO}:enabled").count() else MAX_OF_DOCK):
            found["faults"].append(f"the dock takes {found['dock']:.2f} of the height")
        faults += [f"{what} at {width}x{height}: {fault}" for fault in found["faults"]]
        ways = page.locator(".answers .ways")
        if ways.count():
            ways.last.locator("button").last.dispatch_event("click")
            page.wait_for_selector(f"{DO}:enabled")
            found = page.evaluate(MEASURE, is_large)
            if is_upright and found["dock"] > MAX_WITH_CHOSEN:
                found["faults"].append(f"the dock takes {found['dock']:.2f} of the height")
            faults += [f"{what} at {width}x{height}, a card chosen: {fault}" for fault in found["faults"]]
            picture(page, f"phone-{what}-{width}-chosen", whole=False)
            page.keyboard.press("Escape")
    return faults
