"""A game of Ukrainian Crisis clicked in a browser: cards chosen area by area, zones told, several units at once."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from brinkmanship.engine.match import Match
from brinkmanship.text import words_for
from brinkmanship.web.repeat import again_of

from .browsing import CHOICES, PHONE, Person, Visit, act, live, picture, set_up, version, way_to
from .conftest import Server

STEPS = "#choices [data-steps]"


def begin(visit: Visit, server: Server, side: int, **options: Any) -> Any:
    """A table against the computer, which the page then shows."""
    page = visit("/account", **options)
    token = re.search(r'<meta name="csrf" content="(\w*)"', page.content())
    assert token
    fields = {"csrf": token[1], "name": "Anna", "game": "ukrainian-crisis", "mode": "computer", "side": str(side)}
    answer = page.context.request.post(f"{server.url}/tables", form={**fields, "player": "random"})
    assert answer.ok, answer.text()
    page.context.add_cookies([{"name": "language", "value": options.get("locale", "en")[:2], "url": server.url}])
    page.goto(answer.url)
    page.wait_for_selector("#state")
    return page


def choose(page: Any, dice: random.Random) -> None:
    """Answer the question of the moment, whatever it is."""
    if not page.locator(STEPS).count():
        act(page, dice.randrange(1000))
        return
    before = version(page)
    for row in page.locator(f"{STEPS} fieldset").all():
        possible = row.locator("input:not([disabled])")
        possible.nth(dice.randrange(possible.count())).check()
    page.locator(f"{STEPS} button[name=go]").click()
    page.wait_for_selector(f"#state:not([data-version='{before}'])")


@pytest.mark.parametrize(("side", "seed", "locale"), [(0, 1, "en-GB"), (1, 2, "pl-PL")])
def test_a_whole_game_of_ukrainian_crisis_is_clicked_to_its_end(
    visit: Visit, server: Server, side: int, seed: int, locale: str
) -> None:
    page = begin(visit, server, side, reduced_motion="reduce", locale=locale)
    dice = random.Random(seed)
    for number in range(400):
        page.wait_for_selector(f"{CHOICES}, {STEPS}, .ending")
        if page.locator(".ending").count():
            break
        if number % 20 == 0:
            picture(page, f"crisis-{locale}-{number}")
        choose(page, dice)
    assert page.locator(".ending").count()
    picture(page, f"crisis-{locale}-end")
    assert live(server, page).match.is_over
    page.goto(page.url.split("?")[0] + "/finished")
    assert page.locator("svg.course").count()


def test_the_cards_of_a_turn_are_chosen_area_by_area(visit: Visit, server: Server) -> None:
    page = begin(visit, server, 0, **PHONE)
    page.wait_for_selector(f"{CHOICES}, {STEPS}")
    while not page.locator(STEPS).count():  # an Event Card may be asked about first
        act(page, 0)
        page.wait_for_selector(f"{CHOICES}, {STEPS}")
    picture(page, "crisis-phone")
    titles = page.locator(f"{STEPS} legend").all_inner_texts()
    assert titles == ["Military", "Diplomatic", "Information"]
    for row, card in enumerate(("maximum", "small", "medium")):
        page.locator(f"{STEPS} fieldset").nth(row).locator(f"input[value={card}]").check()
    page.locator("button[name=go]").click()
    page.wait_for_selector(f"{CHOICES}, .thinking")
    assert live(server, page).match.state.matrix[0].tolist() == [3, 1, 2]


def test_a_zone_tells_what_stands_there(visit: Visit, server: Server) -> None:
    page = begin(visit, server, 1)
    page.locator("#zone-DON").click()
    page.wait_for_selector("#card-view .tell")
    assert "Donetsk" in page.locator("#card-view .tell").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("#card-view").is_hidden()


def test_several_units_are_mobilised_with_two_clicks(
    chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = way_to(_may_do_its_last_deed_twice_more, 400, "ukrainian-crisis")
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB", reduced_motion="reduce")
    anna = Person(context, server, "Anna")
    table = set_up(monkeypatch, anna, anna, way)
    (side,) = table.match.pending
    count, before = len(table.records), table.version(side)
    page = anna.look(f"/t/{table.id}?seat={side}")
    page.locator("#again button[value='2']").click()
    page.wait_for_selector(f"#state:not([data-version='{before}'])")
    done = [record.value for record in table.records[count:] if record.actor == side]
    deed = len(done) // 2
    last = [action for decider, action in way.decisions if decider == side][-deed:]
    assert done == last * 2
    picture(page, "crisis-again")
    context.close()


def _may_do_its_last_deed_twice_more(match: Match) -> bool:
    if len(match.pending) != 1:
        return False
    (side,) = match.pending
    view = match.game.view_of(match.state, side)
    again = again_of(match.game, view, side, match.entries, words_for(match.game, "en"))
    return again is not None and again.times > 1
