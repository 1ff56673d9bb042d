"""Playing in a real browser: whole games, two people far apart, one screen for two, keys, languages, a phone."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from brinkmanship.web.service import LiveTable

from .conftest import Server

Visit = Callable[..., Any]

CHOICES = "#choices button[name=action]"
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}


def begin(page: Any, mode: str, side: int = 0, computer: str = "random", name: str = "Anna") -> None:
    page.fill("input[name=name]", name)
    page.check(f"input[name=side][value='{side}']", force=True)
    if mode == "computer":
        page.select_option("select[name=player]", computer)
    page.click(f"button[value={mode}]")
    page.wait_for_selector("#state")


def live(server: Server, page: Any) -> LiveTable:
    table: LiveTable = server.app.state.tables._live[page.get_attribute("#state", "data-table")]
    return table


def version(page: Any) -> str:
    return str(page.get_attribute("#state", "data-version"))


def confirm(page: Any) -> None:
    """Press once more what asks for it."""
    armed = page.locator("#choices button.armed")
    if armed.count():
        armed.first.click()


def act(page: Any, number: int) -> None:
    """Click a choice and wait until it is done."""
    before = version(page)
    buttons = page.locator(CHOICES)
    buttons.nth(number % buttons.count()).click()
    confirm(page)
    page.wait_for_selector(f"#state:not([data-version='{before}']), #uncover")


def is_asked(page: Any) -> bool:
    return bool(page.locator(CHOICES).count())


@pytest.mark.parametrize(("side", "seed"), [(0, 1), (1, 2)])
def test_a_whole_game_against_the_computer_is_clicked_to_its_end(
    visit: Visit, server: Server, side: int, seed: int
) -> None:
    page = visit(reduced_motion="reduce")
    begin(page, "computer", side)
    choose = random.Random(seed)
    for _ in range(150):
        page.wait_for_selector(f"{CHOICES}, .ending")
        if page.locator(".ending").count():
            break
        act(page, choose.randrange(1000))
    table = live(server, page)
    assert table.match.is_over
    assert page.locator(".ending a[href$='/replay']").is_visible()
    assert page.locator(".ending a[href$='/journal']").is_visible()
    page.click(".ending form button")
    page.wait_for_selector("#choices")
    assert live(server, page).seats[1 - side].person_id is not None


def test_two_people_far_apart_play_a_whole_round(visit: Visit, server: Server) -> None:
    anna = visit()
    begin(anna, "friend", 0)
    link = anna.input_value("#invitation")
    boris = visit(link.removeprefix(server.url), locale="ru-RU")
    assert "Anna" in boris.inner_text("main")
    boris.fill("input[name=name]", "Борис")
    boris.click("button.primary")
    boris.wait_for_selector("#choices")
    anna.wait_for_selector("#choices")  # her page has heard that he came
    watcher = visit(f"/t/{anna.get_attribute('#state', 'data-table')}")
    table = live(server, anna)
    choose = random.Random(5)
    while int(table.match.state.round_number) == 1 and not table.match.is_over:
        page = anna if 0 in table.asked else boris
        page.wait_for_selector(CHOICES)
        act(page, choose.randrange(1000))
        assert watcher.locator(CHOICES).count() == 0
        for other in (anna, boris):
            other.wait_for_selector(f"#state[data-version='{table.version(0 if other is anna else 1)}']")
    watcher.wait_for_selector(f"#state[data-version='{table.version(2)}']")
    assert "The US" in anna.inner_text("#log-lines")
    assert "США" in boris.inner_text("#log-lines")
    anna.click("#chat-box summary")
    anna.fill("[data-chat] input[name=text]", "Good luck!")
    anna.click("[data-chat] button")
    boris.wait_for_selector("#said:has-text('Good luck!')")


def test_a_shared_screen_hides_the_hands_until_it_has_been_passed_on(visit: Visit, server: Server) -> None:
    page = visit()
    begin(page, "same")
    table = live(server, page)
    choose = random.Random(4)
    passed = 0
    for _ in range(24):
        page.wait_for_selector(f"{CHOICES}, #uncover")
        if page.locator("#uncover").count():
            assert page.locator(".cards li").count() == 0
            passed += 1
            page.click("#uncover")
            page.wait_for_selector(CHOICES)
        side = int(page.get_attribute("#state", "data-reader"))
        state = table.game.known_state(table.view(1 - side), 1 - side)
        public = {card for cards in table.game.known_state(table.view(2), 2)["cards"].values() for card in cards}
        source = page.content()
        for card in set(state["cards"]["hand"]) - public:
            assert f'"{card}"' not in source
        act(page, choose.randrange(1000))
    assert passed > 5


def test_the_language_changes_in_the_middle_of_a_game(visit: Visit) -> None:
    page = visit()
    begin(page, "computer")
    page.wait_for_selector(CHOICES)
    act(page, 0)
    for language, word in (
        ("ru", "Что произошло"),
        ("de", "Was geschah"),
        ("pl", "Co się stało"),
        ("en", "What happened"),
    ):
        page.select_option("#language", language)
        page.wait_for_selector(f"html[lang={language}] #state")
        assert word.casefold() in page.inner_text("#happened").casefold()
        page.wait_for_selector(CHOICES)


def test_a_turn_is_played_by_keys_alone(visit: Visit, server: Server) -> None:
    page = visit()
    begin(page, "computer", 0)
    table = live(server, page)
    page.wait_for_selector(CHOICES)
    page.keyboard.press("?")
    assert page.locator("#choices kbd").first.is_visible()
    for _ in range(60):
        page.wait_for_selector(CHOICES)
        before = version(page)
        if sum(entry.actor == 0 for entry in table.match.entries) % 2:
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
            if page.locator("button.armed").count():
                page.keyboard.press("Enter")
        else:
            page.keyboard.press("1")
            if page.locator("button.armed").count():
                page.keyboard.press("1")
        page.wait_for_selector(f"#state:not([data-version='{before}'])")
        if page.locator("#undo").count():
            undone = version(page)
            page.keyboard.press("u")
            page.wait_for_selector(f"#state:not([data-version='{undone}'])")
            assert is_asked(page)
            break
    else:
        pytest.fail("nothing could be undone")
    # The focus is somewhere sensible, never lost.
    assert page.evaluate("document.activeElement !== document.body")


def test_the_board_is_clicked_and_shows_what_would_happen(visit: Visit) -> None:
    page = visit()
    begin(page, "computer", 0)
    for number in range(80):
        page.wait_for_selector(CHOICES)
        if page.locator("#board [data-place].can").count() > 1:
            break
        act(page, 1 if page.locator("#choices .group.card").count() else number)
    place = page.locator("#board [data-place].can").first
    place.click()
    page.wait_for_selector("#menu:not([hidden]) button")
    page.locator("#menu button").first.hover()
    page.wait_for_selector("#board .ghosts", state="attached")
    before = version(page)
    page.locator("#menu button").first.click()
    if page.locator("#menu button.armed").count():
        page.locator("#menu button.armed").click()
    page.wait_for_selector(f"#state:not([data-version='{before}'])")


@pytest.mark.parametrize("language", ["de", "ru"])
def test_nothing_is_wider_than_a_phone(visit: Visit, language: str) -> None:
    page = visit(**PHONE, locale=language)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    begin(page, "computer", 1)
    for number in range(8):
        page.wait_for_selector(CHOICES)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.get_attribute("#state", "data-layout") == "narrow"
        act(page, number)
    for path in ("/", "/account"):
        page.goto(page.url.split("/t/")[0] + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_page_that_was_away_catches_up(visit: Visit, server: Server) -> None:
    page = visit()
    begin(page, "computer", 0)
    page.wait_for_selector(CHOICES)
    other = page.context.new_page()
    other.goto(page.url)
    page.context.set_offline(True)
    page.wait_for_timeout(200)
    page.context.set_offline(False)
    other.wait_for_selector(CHOICES)
    act(other, 0)
    page.wait_for_selector(f"#state[data-version='{live(server, page).version(0)}']")
    assert re.search(r"Round 1", page.inner_text("#log-lines"))
