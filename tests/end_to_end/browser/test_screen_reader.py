"""Games through the accessibility tree alone: heard, and decided with keys, without a picture or a mouse.

Of 13 Minutes a whole game; of the others the beginning. `tools/play_by_ear.py` plays all three to their ends.
"""

from __future__ import annotations

import random
from statistics import median

import pytest

from brinkmanship.drawing import drawing_of
from brinkmanship.games.thirteen_minutes.rules.state import CardIs
from brinkmanship.text import words_for
from support.browsing import Visit, begin, live, wait_until
from support.screen_reader import LISTEN, Listener
from support.serving import Server


def sit_down(visit: Visit, game: str) -> Listener:
    page = visit(reduced_motion="reduce")
    page.context.add_init_script(LISTEN)
    begin(page, "computer", 0, game=game)
    player = Listener(page)
    player.wait_for_question()
    return player


@pytest.mark.parametrize(
    ("game", "most"),
    [("13-minutes", 60), ("13-days", 6), ("ukrainian-crisis", 5)],
    ids=["13-minutes", "13-days", "ukrainian-crisis"],
)
def test_a_game_is_played_by_ear_and_keyboard(visit: Visit, server: Server, game: str, most: int) -> None:
    """`decide` checks that each decision is announced, and that the focus is never lost."""
    player = sit_down(visit, game)
    choose = random.Random(7)
    while not player.is_over and len(player.keys) < most:
        player.decide(choose)
    table = live(server, player.page)
    assert player.is_over == table.match.is_over
    assert median(player.keys) <= 5, player.keys
    assert max(player.keys) <= 6, player.keys


def test_keys_tell_the_question_the_state_the_hand_and_what_happened(visit: Visit, server: Server) -> None:
    player = sit_down(visit, "13-minutes")
    player.decide(random.Random(7))
    table = live(server, player.page)
    words = words_for(table.game, "en")
    held = zip(table.game.data.card, table.view(0).card, strict=True)
    cards = [words.name("card", card.id) for card, place in held if place == CardIs.IN_HAND]
    assert cards
    focus = player.focus()  # the heading, or the first answer if the next question was there at once
    assert player.ask("Shift+Q").startswith(player.question.rstrip("."))
    state, *_ = drawing_of(table.game).board_text(table.game, table.view(0), 0, words)
    assert player.ask("Shift+S") == ". ".join(state.facts)
    assert all(card in player.ask("Shift+C") for card in cards)
    assert "Both sides have bid" in player.ask("Shift+L")
    assert player.ask("Shift+L").strip() == player.ask("Shift+L").strip()
    assert player.focus() == focus


def test_a_position_that_is_only_drawn_again_is_silent(visit: Visit) -> None:
    player = sit_down(visit, "13-minutes")
    player.listen()
    before = player.page.get_attribute("#state", "data-now")
    player.page.evaluate("table.catchUp(true)")
    wait_until(player.page, lambda: player.page.get_attribute("#state", "data-now") != before)
    assert player.listen() == []


def test_the_board_in_words_is_beside_the_picture_or_in_its_place(visit: Visit) -> None:
    player = sit_down(visit, "13-days")
    page = player.page
    box, picture = page.get_by_role("region", name="Board in words"), page.locator("#board > svg")

    def is_wide() -> bool:
        """Return True if the box is to be seen; it is drawn again with the position."""
        place = box.bounding_box()
        return bool(place and place["width"] > 300)

    assert picture.is_visible()
    assert not is_wide()
    page.keyboard.press("Shift+B")
    assert player.focus() == "board-text-title"
    assert is_wide()
    page.keyboard.press("Escape")
    assert player.focus() == "prompt"
    for mode, shows_picture in (("beside", True), ("instead", False), ("off", True)):
        if not page.locator("#settings-box[open]").count():
            page.locator("#settings-box summary").click()
        page.get_by_role("combobox", name="Board in words").select_option(mode)
        page.get_by_role("button", name="Show", exact=True).click()
        page.wait_for_selector(f"#board-text.text-{mode}", state="attached")
        wait_until(page, lambda shown=shows_picture: picture.is_visible() == shown)
        wait_until(page, lambda wide=mode != "off": is_wide() == wide)
        assert box.get_by_role("table", name="Military").count() == 1
