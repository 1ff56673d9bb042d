"""Lessons are answered with the controls of a table: on the board by mouse and by touch, and by keyboard."""

from __future__ import annotations

from typing import Any

import pytest

from brinkmanship.games.registry import load_game
from brinkmanship.lessons import Lesson, LessonStep, lesson_of
from support.browsing import PHONE, Visit, confirm, picture, type_answer, wait_for

LESSONS = (("13-days", "flags"), ("13-minutes", "cuba"), ("ukrainian-crisis", "zones"))
SCREENS = {"wide": {"viewport": {"width": 1440, "height": 900}}, "phone": PHONE}


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(("game_id", "lesson_id"), LESSONS)
def test_a_lesson_is_played_by_clicks_on_the_board_and_the_cards(
    game_id: str, lesson_id: str, screen: str, visit: Visit
) -> None:
    lesson = lesson_of(load_game(game_id), lesson_id)
    page = visit(f"/learn/{game_id}/{lesson_id}/1", **SCREENS[screen])
    page.wait_for_selector(f".board.{'narrow' if screen == 'phone' else 'wide'}")
    for number, step in enumerate(lesson.steps, 1):
        choose(page, lesson, step)
        picture(page, f"lesson-{game_id}-{number}-{screen}", whole=False)
        confirm(page)
        page.wait_for_selector(".verdict.good")
        if number < len(lesson.steps):
            page.click("#onwards")
            page.wait_for_selector(f"#state[data-version='{number + 1}']")
            page.wait_for_load_state("load")  # its scripts have run
    page.goto(page.url.partition("/learn")[0] + f"/learn/{game_id}")
    assert page.locator(".done-with").count() == 1


def choose(page: Any, lesson: Lesson, step: LessonStep) -> None:
    """Choose the right answer where its thing is on the board, otherwise with its button."""
    button = right_button(page, lesson, step)
    place = button.get_attribute("data-place")
    if place is None:
        button.click()
    else:
        thing = page.locator(f"#board .can[data-place='{place}']").last
        for _ in range(page.locator(f"#choices button[data-place='{place}']").count()):
            if "chosen" not in (button.get_attribute("class") or ""):
                thing.dispatch_event("click")
    assert "chosen" in (button.get_attribute("class") or "")


def right_button(page: Any, lesson: Lesson, step: LessonStep) -> Any:
    text = next(answer.text for answer in step.answers if answer.is_right)
    action = lesson.seen.game.parse_action(text, lesson.side)
    return page.locator(f"#choices button[name=action][value='{action}']")


@pytest.mark.parametrize(("game_id", "lesson_id"), LESSONS)
def test_a_lesson_is_played_by_keyboard(game_id: str, lesson_id: str, visit: Visit) -> None:
    lesson = lesson_of(load_game(game_id), lesson_id)
    page = visit(f"/learn/{game_id}/{lesson_id}/1")
    for number, step in enumerate(lesson.steps, 1):
        type_answer(page, right_button(page, lesson, step))
        page.keyboard.press("Enter")
        page.wait_for_selector(".verdict.good")
        if number < len(lesson.steps):
            wait_for(page, "document.activeElement.id === 'onwards'")
            page.keyboard.press("Enter")
            page.wait_for_selector(f"#state[data-version='{number + 1}']")
            page.wait_for_load_state("load")


def test_what_a_text_names_is_outlined_and_lights_up_with_its_name(visit: Visit) -> None:
    page = visit("/learn/13-days/flags/1")
    named = page.locator("#board .named")
    assert {place.get_attribute("data-place") for place in named.all()} >= {"italy", "turkey", "berlin", "atlantic"}
    page.locator("a[data-names='place:turkey']").first.focus()
    assert [lit.get_attribute("data-place") for lit in page.locator(".pointed").all()] == ["turkey"]
    page.locator("a[data-names='place:turkey']").first.click()
    page.locator("h1").first.click()
    assert page.locator(".pointed").count() == 0


def test_a_wrong_answer_shows_its_ghosts_and_another_may_follow(visit: Visit) -> None:
    page = visit("/learn/13-days/first/3", viewport={"width": 1440, "height": 900})
    wrong = page.locator("#choices button[data-count='3']")
    wrong.click()
    page.wait_for_selector("#board .ghosts")
    confirm(page)
    page.wait_for_selector(".verdict:not(.good)")
    assert page.locator("#board .ghosts").count() == 1
    page.locator("#choices button[data-count='1']").click()
    confirm(page)
    page.wait_for_selector(".verdict.good")
