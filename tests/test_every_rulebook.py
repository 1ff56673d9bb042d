"""What one reads about a game is built alike in four languages, for every game: its rules and its guided first game."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.resources import files

import pytest

from brinkmanship.games import load_game
from brinkmanship.kit import KITS
from brinkmanship.text import LANGUAGES
from brinkmanship.web.lessons import course_of

LESSON = re.compile(r"; lesson (?P<name>[a-z_]+)(?P<answers>: .+)?")

for_every_game = pytest.mark.parametrize("game_id", KITS)
in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def sections(game_id: str, language: str) -> list[str]:
    """The rules as they are written."""
    text = (files(KITS[game_id].words) / f"rules.{language}.md").read_text("utf-8")
    return re.split(r"^(?=#+ )", text, flags=re.MULTILINE)[1:]


# ---- the rules


@for_every_game
@in_every_language
def test_the_headings_have_the_same_ids_and_levels_in_every_language(game_id: str, language: str) -> None:
    def shape(language: str) -> list[tuple[str, str]]:
        return [re.findall(r"^(#+) .+ \{#([a-z-]+)\}\n", section)[0] for section in sections(game_id, language)]

    assert shape(language) == shape("en")
    ids = [id for _, id in shape(language)]
    assert len(set(ids)) == len(ids)


@for_every_game
@in_every_language
def test_each_language_uses_the_same_placeholders_and_tables_in_each_section(game_id: str, language: str) -> None:
    def used(language: str) -> list[tuple[set[str], int]]:
        return [(set(re.findall(r"\{([\w.]+)", part)), part.count("\n|")) for part in sections(game_id, language)]

    assert used(language) == used("en")


@for_every_game
@in_every_language
def test_the_pictures_stand_in_their_order(game_id: str, language: str) -> None:
    pictures = import_module(f"{KITS[game_id].words}.rules").PICTURES
    written = "\n".join(sections(game_id, language))
    assert tuple(re.findall(r"^\{picture:(\w+)\}$", written, re.MULTILINE)) == pictures


# ---- the guided first game


@for_every_game
@in_every_language
def test_every_lesson_has_its_words_and_no_word_is_left_over(game_id: str, language: str) -> None:
    journal = (files("brinkmanship.web.lessons") / f"{game_id}.brink").read_text("utf-8")
    lessons = [match for line in journal.splitlines() if (match := LESSON.fullmatch(line))]
    wanted = {
        f"lesson.{game_id}.{lesson['name']}.{part}"
        for lesson in lessons
        for part in (("title", "text", "ask", "right", "wrong") if lesson["answers"] else ("title", "text"))
    }
    catalogue = (files("brinkmanship.text") / "catalogues" / f"library.{language}.po").read_text("utf-8")
    assert set(re.findall(rf'^msgid "(lesson\.{game_id}\..+)"$', catalogue, re.MULTILINE)) == wanted
    assert all(
        lesson["answers"].count("*") < lesson["answers"].count("|") + 1 for lesson in lessons if lesson["answers"]
    )


@for_every_game
def test_what_a_lesson_offers_is_legal_and_the_game_goes_on_with_a_right_answer(game_id: str) -> None:
    game = load_game(game_id)
    course = course_of(game)
    for lesson in course.lessons:
        if lesson.answers:
            state = course.seen.view(lesson.place)
            legal = {game.action_text(action) for action in game.legal_actions(state, course.side)}
            assert {answer.text for answer in lesson.answers} <= legal, lesson.name
            right = [answer.text for answer in lesson.answers if answer.is_right]
            assert course.seen.entries[lesson.place].text in right, lesson.name
            assert len(right) < len(lesson.answers), lesson.name
