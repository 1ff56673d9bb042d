"""What one reads about 13 Minutes: rules, rulings, options, histories, lessons; alike in four languages."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from brinkmanship.engine.message import Message
from brinkmanship.games import GAMES, load_game
from brinkmanship.text import LANGUAGES, Ruling, Words
from brinkmanship.text.history import history_of
from brinkmanship.text.options import option_text
from brinkmanship.text.thirteen_minutes.example import EXAMPLE, controller
from brinkmanship.text.thirteen_minutes.rules import PAGES_DOMAIN, PICTURES, rules_sections, rules_text
from brinkmanship.text.thirteen_minutes.rulings import RULINGS_DOMAIN, TOPICS, VARIANTS, rulings
from brinkmanship.text.words import load_catalogue
from brinkmanship.web.lessons import course_of

GAME = "13-minutes"
NUMBERS = [number for numbers in TOPICS.values() for number in numbers]
SPECIFICATION = Path(__file__).parents[1] / "docs" / "rules" / f"{GAME}.md"
LESSON = re.compile(r"; lesson (?P<name>[a-z_]+)(?P<answers>: .+)?")

in_every_language = pytest.mark.parametrize("language", LANGUAGES)
needs_the_game = pytest.mark.skipif(GAME not in GAMES, reason="the rules of 13 Minutes are not registered")


@cache
def deck() -> Any:
    return load_game(GAME).data


def with_numbers(part: str, **numbers: int) -> Any:
    return msgspec.structs.replace(deck(), **{part: msgspec.structs.replace(getattr(deck(), part), **numbers)})


def with_default(option: str, value: str | bool | int) -> Any:
    changed = msgspec.structs.replace(deck().options[option], default=value, other=[deck().options[option].default])
    return msgspec.structs.replace(deck(), options={**deck().options, option: changed})


def source(language: str) -> list[str]:
    """The rules as they are written, section by section."""
    text = (files("brinkmanship.text.thirteen_minutes") / f"rules.{language}.md").read_text("utf-8")
    return re.split(r"^(?=#+ )", text, flags=re.MULTILINE)[1:]


def ruling_texts(language: str) -> dict[str, tuple[str, str]]:
    catalogue = load_catalogue(RULINGS_DOMAIN, language)
    return {n: (catalogue.gettext(f"ruling.{n}.title"), catalogue.gettext(f"ruling.{n}.text")) for n in NUMBERS}


def sentences(text: str) -> int:
    return len(re.findall(r"(?<!\d)[.?!](?= |$)", text))  # not the point of "24. Oktober"


# ---- the rules


@in_every_language
def test_the_headings_have_the_same_ids_and_levels_in_every_language(language: str) -> None:
    def shape(language: str) -> list[tuple[str, str]]:
        return [re.findall(r"^(#+) .+ \{#([a-z-]+)\}\n", section)[0] for section in source(language)]

    assert shape(language) == shape("en")
    ids = [id for _, id in shape(language)]
    assert len(set(ids)) == len(ids)
    assert {"about", "table", "setup", "bid", "turn", "event", "command", "movement", "end", "war"} < set(ids)
    assert {"example", "campaign", "secret", "quick-reference", "first-game", "misunderstandings"} < set(ids)


@in_every_language
def test_each_language_uses_the_same_placeholders_in_each_section(language: str) -> None:
    def used(language: str) -> list[set[str]]:
        return [set(re.findall(r"\{([\w.]+(?=[:}]))", section)) for section in source(language)]

    assert used(language) == used("en")


@in_every_language
def test_the_pictures_stand_in_their_order_and_have_captions(language: str) -> None:
    assert tuple(re.findall(r"^\{picture:(\w+)\}$", "\n".join(source(language)), re.MULTILINE)) == PICTURES
    words = Words(language, (PAGES_DOMAIN,))
    assert all(words.sentence(Message(f"picture.{name}")).endswith(".") for name in PICTURES)


def test_the_example_counts_as_the_specification_says() -> None:  # G38
    worth = {lying.id: 2 if lying.id == "cuba" else 1 for lying in EXAMPLE}
    points = {side: sum(worth[lying.id] for lying in EXAMPLE if controller(lying) == side) for side in ("us", "ussr")}
    assert points == {"us": 6, "ussr": 5}
    assert sum(lying.us for lying in EXAMPLE) <= 13 - 2
    assert sum(lying.ussr for lying in EXAMPLE) <= 13 - 1


@needs_the_game
@in_every_language
def test_every_placeholder_is_filled_and_the_plain_text_has_no_pictures(language: str) -> None:
    assert not re.findall(r"[{}]|\n\n\n", rules_text(deck(), language))
    bodies = "\n".join(section.text for section in rules_sections(deck(), language))
    assert re.findall(r"\{[^}]*\}", bodies) == [f"{{picture:{name}}}" for name in PICTURES]
    assert 1600 < len(rules_text(deck(), language).split()) < 2500


@needs_the_game
@in_every_language
def test_every_number_of_the_data_stands_in_the_rules(language: str) -> None:
    for part in ("limits", "scoring"):
        for name in msgspec.structs.asdict(getattr(deck(), part)):
            if name != "cubes_per_battleground":  # said by the option cube_limit
                changed = rules_text(with_numbers(part, **{name: 34}), language)
                assert changed != rules_text(deck(), language), name


@needs_the_game
@in_every_language
def test_the_rules_say_what_the_options_are_by_default(language: str) -> None:
    words = Words(language, (PAGES_DOMAIN,))
    for name in ("tiebreak", "command_zero", "cube_limit", "foreign_push", "campaign_sides", "campaign_both_13"):
        default, other = deck().options[name].values[:2]
        assert option_text(words, name, default) in rules_text(deck(), language)
        assert option_text(words, name, other) in rules_text(with_default(name, other), language)


@needs_the_game
@in_every_language
def test_the_table_of_colours_names_every_card_once(language: str) -> None:
    cards = next(section.text for section in rules_sections(deck(), language) if section.id == "cards")
    table = [line for line in cards.splitlines() if line.startswith("|")]
    for card in deck().card:
        assert sum(line.count(card.names[language]) for line in table) == 1, card.id


# ---- the rulings


def test_every_ruling_and_answer_of_the_specification_has_its_text_and_no_other() -> None:
    said = set(re.findall(r"\*\*([QF]\d+)\*\*", SPECIFICATION.read_text("utf-8")))
    assert said == set(NUMBERS) - set(VARIANTS)
    assert {f"Q{n}" for n in range(1, 51)} | {f"F{n}" for n in range(1, 20)} == said


@in_every_language
def test_every_ruling_has_a_title_and_a_text(language: str) -> None:
    found = ruling_texts(language)
    assert len({title for title, _ in found.values()}) == len(found)
    for number, (title, text) in found.items():
        assert 5 < len(title) <= 60, number
        assert not title.endswith("."), number
        assert len(text) > 30, number
        assert text.endswith("."), number
        assert 1 <= sentences(text) <= 4, number


@needs_the_game
@in_every_language
def test_each_option_of_the_data_belongs_to_one_ruling(language: str) -> None:
    found: tuple[Ruling, ...] = rulings(deck(), Words(language))
    assert sorted(ruling.option for ruling in found if ruling.option) == sorted(deck().options)
    for ruling in found:
        assert [value.value for value in ruling.values] == (
            deck().options[ruling.option].values if ruling.option else []
        )


@needs_the_game
@in_every_language
def test_rulings_name_only_things_of_the_data_file(language: str) -> None:
    known = {card.id for card in deck().card} | set(msgspec.structs.asdict(deck().limits))
    known |= set(msgspec.structs.asdict(deck().scoring))
    for number, texts in ruling_texts(language).items():
        assert set(re.findall(r"\{(\w+)", " ".join(texts))) <= known, number


# ---- options, editions, cards


@needs_the_game
@in_every_language
def test_every_option_value_and_edition_is_explained(language: str) -> None:
    words = Words(language, (PAGES_DOMAIN,))
    for name, option in deck().options.items():
        assert option_text(words, name)
        values = [*option.values, *(option.range or ())]
        assert all(option_text(words, name, value).endswith(".") for value in values), name
    for preset in deck().presets:
        assert words.sentence(Message(f"preset.{preset}"))
        assert words.sentence(Message(f"preset.{preset}.why")).endswith(".")


@in_every_language
def test_any_number_of_an_option_is_said_with_its_plural(language: str) -> None:
    words = Words(language, (PAGES_DOMAIN,))
    said = {"en": "21 points.", "ru": "21 очка.", "de": "21 Punkte.", "pl": "21 punktów."}[language]
    assert option_text(words, "campaign_target", 21).endswith(said)


@needs_the_game
@in_every_language
def test_every_card_has_its_history(language: str) -> None:
    for card in deck().card:
        text = history_of(card.id, language)
        assert 2 <= sentences(text) <= 3, card.id
        assert text.endswith("."), card.id


@in_every_language
def test_a_card_that_nobody_wrote_about_has_no_history(language: str) -> None:
    assert history_of("peace_at_last", language) == ""


# ---- the guided first game


@in_every_language
def test_every_lesson_has_its_words_and_no_word_is_left_over(language: str) -> None:
    journal = (files("brinkmanship.web.lessons") / f"{GAME}.brink").read_text("utf-8")
    lessons = [match for line in journal.splitlines() if (match := LESSON.fullmatch(line))]
    wanted = {
        f"lesson.{GAME}.{lesson['name']}.{part}"
        for lesson in lessons
        for part in (("title", "text", "ask", "right", "wrong") if lesson["answers"] else ("title", "text"))
    }
    catalogue = (files("brinkmanship.text") / "catalogues" / f"library.{language}.po").read_text("utf-8")
    assert set(re.findall(rf'^msgid "(lesson\.{GAME}\..+)"$', catalogue, re.MULTILINE)) == wanted
    assert all(
        lesson["answers"].count("*") < lesson["answers"].count("|") + 1 for lesson in lessons if lesson["answers"]
    )


@needs_the_game
def test_what_a_lesson_offers_is_legal_and_the_game_goes_on_with_a_right_answer() -> None:
    game = load_game(GAME)
    course = course_of(game)
    for lesson in course.lessons:
        if lesson.answers:
            state = course.match.state_after(lesson.place)
            legal = {game.action_text(action) for action in game.legal_actions(state, course.side)}
            assert {answer.text for answer in lesson.answers} <= legal, lesson.name
            right = [answer.text for answer in lesson.answers if answer.is_right]
            assert course.match.entries[lesson.place].text in right, lesson.name
            assert len(right) < len(lesson.answers), lesson.name


@needs_the_game
def test_what_the_lessons_say_of_the_position_is_true() -> None:
    course = course_of(load_game(GAME))
    places = deck().places
    states = {lesson.name: course.match.state_after(lesson.place) for lesson in course.lessons}

    def lies(lesson: str, place: str, area: str, us: int, ussr: int) -> bool:
        state, index = states[lesson], places.index(place)
        return (["us", "neutral", "ussr"][state["area"][index]], *state["influence"][:, index]) == (area, us, ussr)

    assert lies("card", "fidel_castro", "ussr", 0, 2)
    assert lies("pull", "fidel_castro", "neutral", 1, 2)
    assert lies("pull", "cuba", "neutral", 0, 2)
    assert lies("danger", "quarantine", "us", 2, 0)
    assert lies("danger", "scramble", "us", 0, 0)
    assert lies("danger", "cuba", "us", 3, 2)
    assert lies("handle", "nuclear_submarines", "ussr", 0, 1)
    assert lies("trap", "nuclear_submarines", "neutral", 1, 1)
    assert lies("trap", "u_thant", "ussr", 0, 1)
    assert lies("trap", "moscow_is_our_brain", "neutral", 0, 1)
    assert lies("end", "nuclear_submarines", "ussr", 0, 1)
    assert lies("end", "wave_and_smile", "us", 0, 0)
    assert [sum(score) for score in states["end"]["score"]] == [4, 9]
    outcome = course.match.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (0, "nuclear")


# ---- the manual of the deck

MANUAL = (Path(__file__).parents[1] / "docs" / f"cards-{GAME}.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```toml\n(effects = .*?)^```", MANUAL, re.MULTILINE | re.DOTALL)
U_THANT = 'effects = [{ op = "move", where = ["all"], sites = 2, dir = "neutral", max = 1 }]\n'


def original() -> str:
    return (files("brinkmanship.games.thirteen_minutes") / "cards.toml").read_text("utf-8")


@needs_the_game
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[10:60].strip())
def test_an_example_of_the_manual_is_a_card_that_loads(example: str, tmp_path: Path) -> None:
    assert original().count(U_THANT) == 1
    path = tmp_path / "my.toml"
    path.write_text(original().replace(U_THANT, example), "utf-8")
    assert load_game(GAME, path).data.card


@needs_the_game
def test_the_card_that_the_manual_shows_is_in_the_file() -> None:
    shown = re.findall(r"^   ```toml\n(.*?)^   ```", MANUAL, re.MULTILINE | re.DOTALL)[0]
    assert re.sub("^   ", "", shown, flags=re.MULTILINE) in original()
