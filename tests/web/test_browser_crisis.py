"""A game of Ukrainian Crisis clicked in a browser: cards chosen area by area, zones told, several units at once."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.match import Match
from brinkmanship.games.ukrainian_crisis.state import N_MOVE_TO, N_ROLL
from brinkmanship.text import words_for
from brinkmanship.web.repeat import again_of

from .browsing import CHOICES, PHONE, Person, Visit, act, confirm, live, picture, set_up, version, way_to
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


# ---- Motion


def _a_roll_follows(match: Match) -> bool:
    """One side is asked for something else than cards, and the first that it may do is followed by a resource roll."""
    if len(match.pending) != 1 or match.game.action_parts(match.legal()[0].action).steps:
        return False
    after = match.copy()
    after.push(match.legal()[0].action)
    return after.actor == CHANCE and int(after.state.node) == N_ROLL


def at_the_roll(chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Any:
    """A page on which dice have just been thrown, at a moment at which they still roll; its clock stands still."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="pl-PL", **options)
    anna = Person(context, server, "Anna")
    table = set_up(monkeypatch, anna, anna, way_to(_a_roll_follows, 400, "ukrainian-crisis"))
    (side,) = table.match.pending
    context.add_cookies([{"name": "language", "value": "pl", "url": server.url}])
    anna.page.clock.install()
    page = anna.look(f"/t/{table.id}?seat={side}")
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    before = version(page)
    page.locator(f"{CHOICES}[value='{table.match.legal(side)[0].action}']").click()
    confirm(page)
    page.wait_for_selector(f"#state:not([data-version='{before}'])")
    return page


def faces(page: Any, where: str) -> list[str]:
    """What dice show."""
    return [
        str(face)
        for face in page.eval_on_selector_all(f"{where} .a-die", "all => all.map(d => d.getAttribute('href'))")
    ]


def test_dice_roll_to_what_was_recorded_and_a_key_skips_it(
    chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = at_the_roll(chromium, server, monkeypatch)
    fallen = faces(page, "#throws")
    assert fallen
    assert page.locator("#tray .turning").count() == len(fallen)
    assert page.locator("#tray .came-to").first.is_hidden()  # nobody reads the end before it has come
    picture(page, "crisis-dice-rolling", whole=False)
    page.keyboard.press("Escape")
    assert faces(page, "#tray") == fallen == faces(page, "#throws")
    assert page.locator("#tray .turning").count() == 0
    number = page.locator("#tray text.came-to").last.text_content()
    match = live(server, page).match
    roll = [entry for entry in match.entries if entry.text.startswith("roll")][-1]
    assert number == f"= {sum(map(int, roll.text.split()[1:]))}"
    picture(page, "crisis-dice", whole=False)
    page.keyboard.press("Escape")
    assert page.locator("#tray").is_hidden()
    page.context.close()


def test_dice_come_to_rest_by_themselves_and_go(chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    page = at_the_roll(chromium, server, monkeypatch)
    page.clock.run_for(2000)
    assert faces(page, "#tray") == faces(page, "#throws")
    assert page.locator("#tray .turning").count() == 0
    page.clock.run_for(3000)
    assert page.locator("#tray").is_hidden()
    page.context.close()


def test_where_motion_is_not_wanted_dice_are_told_and_not_shown_rolling(
    chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = at_the_roll(chromium, server, monkeypatch, reduced_motion="reduce")
    assert faces(page, "#throws")
    assert page.locator("#tray").is_hidden()
    told = page.locator("#throws p.came-to").last.text_content()
    assert told
    assert told in page.locator("#live").inner_text()
    page.context.close()


def _a_unit_is_on_its_way(match: Match) -> bool:
    return len(match.pending) == 1 and int(match.state.node) == N_MOVE_TO


def test_a_unit_slides_to_the_zone_it_moves_to(chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="en-GB")
    anna = Person(context, server, "Anna")
    table = set_up(monkeypatch, anna, anna, way_to(_a_unit_is_on_its_way, 600, "ukrainian-crisis"))
    (side,) = table.match.pending
    page = anna.look(f"/t/{table.id}?seat={side}")
    page.evaluate(
        "new MutationObserver(all => { for (const one of all) for (const node of one.addedNodes)"
        " if (node.classList?.contains('traveller')) window.travelled = node.outerHTML; })"
        ".observe(document, { childList: true, subtree: true })"
    )
    before = table.game.public_state(table.match.state)["units"]
    act(page, 0)
    after = table.game.public_state(table.match.state)["units"]
    assert before != after
    assert "counter" in page.evaluate("window.travelled ?? ''")
    page.wait_for_selector(".traveller", state="detached")
    context.close()
