"""Playing in a real browser: whole games, two people far apart, one screen for two, keys, languages, a phone."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from support.browsing import (
    CHOICES,
    PHONE,
    Visit,
    act,
    begin,
    confirm,
    is_asked,
    live,
    type_answer,
    version,
    view,
    wait_for,
    wait_for_change,
    wait_until,
)
from support.serving import Server


@pytest.mark.parametrize(
    ("game", "side", "seed"),
    [pytest.param("13-days", 0, 1, marks=pytest.mark.long), ("13-days", 1, 2), ("13-minutes", 0, 3)],
)
def test_a_whole_game_against_the_computer_is_clicked_to_its_end(
    visit: Visit, server: Server, game: str, side: int, seed: int
) -> None:
    page = visit(reduced_motion="reduce")
    begin(page, "computer", side, game=game)
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
        page = anna if 0 in table.to_move else boris
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


def invite(visit: Visit, server: Server, game: str, reduced_motion: str = "reduce") -> tuple[Any, Any]:
    """Anna, who plays the US, and Boris in a browser of his own."""
    anna = visit(reduced_motion=reduced_motion)
    begin(anna, "friend", 0, game=game)
    boris = visit(anna.input_value("#invitation").removeprefix(server.url), reduced_motion="reduce")
    boris.fill("input[name=name]", "Boris")
    boris.click("button.primary")
    for page in (anna, boris):
        page.wait_for_selector("#choices")
    return anna, boris


def test_no_browser_learns_what_the_other_has_bid_or_that_it_has(visit: Visit, server: Server) -> None:
    anna, boris = invite(visit, server, "13-minutes")
    table = live(server, anna)
    anna.goto(anna.url)
    anna.wait_for_selector("#choices")
    anna.wait_for_selector("#state .here:not(:empty)", state="attached")  # who is there comes with the first heartbeat
    asked: list[str] = []
    anna.on("request", lambda request: asked.append(request.url))
    before = anna.inner_html("#state")
    boris.keyboard.press("5")
    confirm(boris)
    boris.wait_for_selector("#state[data-version='1']")
    assert "your bid: 5" in boris.inner_text("#board")
    anna.goto(anna.url)
    anna.wait_for_selector("#choices")
    anna.wait_for_selector("#state .here:not(:empty)", state="attached")
    assert anna.inner_html("#state") == before
    assert [url for url in asked if "/state" in url] == []
    act(anna, 2)
    for page in (anna, boris):
        page.wait_for_selector("#log-lines:has-text('Bids: US 2, USSR 5')")
    assert table.match.state.lost.tolist() == [2, 5]


LISTEN_TO_MOTION = """() => {
    const animate = Element.prototype.animate;
    window.moved = [];
    Element.prototype.animate = function (...how) { window.moved.push(this.id); return animate.apply(this, how); };
}"""


UNTIL_STILL = "Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null)"


def press(page: Any) -> None:
    """The first choice of the menu that is open."""
    before = view(page)
    page.locator("#menu button").first.click()
    confirm(page)
    wait_for_change(page, before)


def test_a_card_is_played_on_the_board_and_slides_with_its_cubes(visit: Visit, server: Server) -> None:
    anna, boris = invite(visit, server, "13-minutes", reduced_motion="no-preference")
    act(anna, 1)
    act(boris, 0)
    anna.wait_for_selector("button[data-kind=first]")
    act(anna, 0)
    anna.wait_for_selector("#board .area.can")
    anna.evaluate(UNTIL_STILL)
    anna.evaluate(LISTEN_TO_MOTION)
    anna.click("#board .area.can[data-area=neutral]", position={"x": 20, "y": 60})
    press(anna)
    played = anna.get_attribute("#board [id^=place-]:not(#place-cuba)", "id")
    assert anna.evaluate("moved") == [played]  # from the hand to the table
    if live(server, anna).to_move == [1]:
        boris.wait_for_selector("button[data-kind=decline]")
        act(boris, 1)
    else:
        act(anna, 1)
    anna.click("#board #place-cuba.can")
    anna.wait_for_selector("#board .ghosts .ghost-card")
    anna.evaluate(UNTIL_STILL)
    anna.evaluate("moved = []")
    before = view(anna)
    confirm(anna)
    wait_for_change(anna, before)
    assert anna.evaluate("moved") == ["cube-us-cuba-1", "place-cuba"]  # from the supply, and then both
    assert "Cuba: neutral area → US sphere of influence" in anna.inner_text("#log-lines")


def test_a_shared_screen_hides_the_hands_until_it_has_been_passed_on(visit: Visit, server: Server) -> None:
    page = visit()
    begin(page, "same")
    table = live(server, page)
    choose = random.Random(4)
    passed = 0
    for _ in range(14):
        page.wait_for_selector(f"{CHOICES}, #uncover")
        if page.locator("#uncover").count():
            assert page.locator(".cards li").count() == 0
            passed += 1
            page.click("#uncover")
            page.wait_for_selector(CHOICES)
        side = int(page.get_attribute("#state", "data-viewer"))
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
        page.wait_for_load_state("load")  # the list of languages works
        assert word.casefold() in page.inner_text("#happened").casefold()
        page.wait_for_selector(CHOICES)


def test_a_turn_is_played_by_keys_alone(visit: Visit, server: Server) -> None:
    page = visit()
    begin(page, "computer", 0)
    table = live(server, page)
    page.wait_for_selector(CHOICES)
    page.click("[data-keys]")
    assert page.locator("#choices kbd").first.is_visible()
    for _ in range(60):
        page.wait_for_selector(CHOICES)
        before = view(page)
        if sum(entry.actor == 0 for entry in table.match.entries) % 2:
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        else:
            type_answer(page, page.locator(CHOICES).first)
        page.keyboard.press("Enter")
        wait_for_change(page, before)
        if page.locator("#undo").count():
            undone = view(page)
            page.keyboard.press("u")
            wait_for_change(page, undone)
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
    page.wait_for_selector("#board .ghosts", state="attached")
    before = view(page)
    confirm(page)
    wait_for_change(page, before)


@pytest.mark.parametrize("language", ["de", "ru"])
def test_nothing_is_wider_than_a_phone(visit: Visit, language: str) -> None:
    page = visit(**PHONE, locale=language)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    begin(page, "computer", 1)
    for number in range(8):
        page.wait_for_selector(CHOICES, state="attached")
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
    at_least = live(server, page).version(0)  # the computer may go on meanwhile
    wait_until(page, lambda: int(version(page)) >= at_least)
    assert re.search(r"Round 1", page.inner_text("#log-lines"))


def test_what_was_revealed_cannot_be_taken_back_in_the_browser_either(visit: Visit, server: Server) -> None:
    anna = visit()
    begin(anna, "friend", 0)
    boris = visit(anna.input_value("#invitation").removeprefix(server.url))
    boris.fill("input[name=name]", "Boris")
    boris.click("button.primary")
    anna.wait_for_selector(CHOICES)
    act(anna, 0)
    anna.wait_for_selector("#undo")  # while he has not chosen nothing is revealed
    old_form = anna.inner_html("form:has(#undo)")
    boris.wait_for_selector(CHOICES)
    act(boris, 0)
    table = live(server, anna)
    for side, page in enumerate((anna, boris)):
        page.wait_for_selector(f"#state[data-version='{table.version(side)}']")
        assert page.locator("#undo").count() == 0
    # Nor with the form of a page that was not up to date, nor with one that claims to be.
    for version_sent, said in ((1, "has changed in the meantime"), (table.version(0), "taken back")):
        anna.evaluate(
            "([html, version]) => { const form = document.createElement('form'); form.method = 'post';"
            "form.action = `/t/${document.querySelector('#state').dataset.table}/undo`; form.innerHTML = html;"
            "form.elements.version.value = version; document.body.append(form); form.submit(); }",
            [old_form, version_sent],
        )
        anna.wait_for_selector(".problem")
        assert said in anna.inner_text(".problem")
    assert len(table.records) == 2


def test_the_theme_is_changed_and_remembered(visit: Visit) -> None:
    page = visit(color_scheme="light")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("[data-theme-toggle]")
    night = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert night != paper
    page.goto(page.url + "library")
    assert page.get_attribute("html", "data-theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == night
    page.click("[data-theme-toggle]")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == paper


NOTIFICATIONS = """
window.notes = [];
window.Notification = class {
  static permission = "default";
  static async requestPermission() { return Notification.permission = window.answer; }
  constructor(title, options) { notes.push(`${title}: ${options.body}`); }
};
"""


@pytest.mark.parametrize("answer", ["granted", "denied"])
def test_a_hidden_tab_tells_whose_turn_it_is_if_it_may(visit: Visit, server: Server, answer: str) -> None:
    anna = visit()
    begin(anna, "friend", 0)
    boris = visit(anna.input_value("#invitation").removeprefix(server.url))
    anna.add_init_script(f"window.answer = '{answer}'; {NOTIFICATIONS}")
    anna.reload()
    anna.click("#settings-box summary")
    anna.click("[data-notify]")
    assert anna.locator("[data-notify]").is_disabled() == (answer == "granted")
    anna.evaluate("Object.defineProperty(document, 'hidden', {value: true})")
    boris.fill("input[name=name]", "Boris")
    boris.click("button.primary")
    anna.wait_for_selector(CHOICES)
    if answer == "granted":
        wait_for(anna, "notes.length > 0")
    notes = anna.evaluate("notes")
    assert len(notes) == (answer == "granted")
    assert all("Boris" in note for note in notes)


@pytest.mark.parametrize(
    ("motion", "chosen"), [("no-preference", ""), ("no-preference", "off"), ("reduce", ""), ("reduce", "quick")]
)
def test_cubes_travel_unless_the_reader_wants_calm(visit: Visit, server: Server, motion: str, chosen: str) -> None:
    page = visit(reduced_motion=motion)
    page.add_init_script(
        "window.travels = 0; const move = Element.prototype.animate;"
        "Element.prototype.animate = function (...all) { travels += 1; return move.apply(this, all); };"
    )
    begin(page, "computer", 0)
    assert page.input_value("[data-speed]") == ("normal" if motion == "no-preference" else "off")
    if chosen:
        page.evaluate("document.querySelector('#settings-box').open = true")
        page.select_option("[data-speed]", chosen)
        page.reload()
        assert page.input_value("[data-speed]") == chosen
    table = live(server, page)
    cubes = table.match.state.influence.sum()
    for number in range(40):
        page.wait_for_selector(CHOICES)
        act(page, number)
        if table.match.state.influence.sum() != cubes:
            break
    page.wait_for_selector(CHOICES)
    assert bool(page.evaluate("travels")) == (chosen == "quick" if chosen else motion == "no-preference")
