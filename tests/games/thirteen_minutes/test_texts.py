"""What one reads about 13 Minutes: rules, rulings, options, lessons; alike in four languages."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_minutes.words.example import EXAMPLE, controller
from brinkmanship.games.thirteen_minutes.words.rulebook import PAGES_DOMAIN, PICTURES, rules_sections, rules_text
from brinkmanship.games.thirteen_minutes.words.rulings import RULINGS_DOMAIN, TOPICS, VARIANTS, rulings
from brinkmanship.lessons import FIRST, lesson_of
from brinkmanship.text import LANGUAGES, Ruling, Words, cards_of, words_for
from brinkmanship.text.options import option_text
from brinkmanship.text.words import load_catalogue

GAME = "13-minutes"
NUMBERS = [number for numbers in TOPICS.values() for number in numbers]
SPECIFICATION = Path(__file__).parents[3] / "docs" / "rules" / f"{GAME}.md"

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def deck() -> Any:
    return load_game(GAME).data


def with_numbers(part: str, **numbers: int) -> Any:
    return msgspec.structs.replace(deck(), **{part: msgspec.structs.replace(getattr(deck(), part), **numbers)})


def with_default(option: str, value: str | bool | int) -> Any:
    changed = msgspec.structs.replace(deck().options[option], default=value, other=[deck().options[option].default])
    return msgspec.structs.replace(deck(), options={**deck().options, option: changed})


def ruling_texts(language: str) -> dict[str, tuple[str, str]]:
    catalogue = load_catalogue(RULINGS_DOMAIN, language)
    return {n: (catalogue.gettext(f"ruling.{n}.title"), catalogue.gettext(f"ruling.{n}.text")) for n in NUMBERS}


def sentences(text: str) -> int:
    return len(re.findall(r"(?<!\d)[.?!](?= |$)", text))  # not the point of "24. Oktober"


# ---- the rules


def test_every_chapter_of_the_rules_is_there() -> None:
    ids = {section.id for section in rules_sections(deck(), "en")}
    assert {"about", "table", "setup", "bid", "turn", "event", "command", "movement", "end", "war"} < ids
    assert {"example", "campaign", "secret", "quick-reference", "first-game", "misunderstandings"} < ids


@in_every_language
def test_every_picture_has_a_caption(language: str) -> None:
    words = Words(language, (PAGES_DOMAIN,))
    assert all(words.sentence(Message(f"picture.{name}")).endswith(".") for name in PICTURES)


def test_the_example_counts_as_the_specification_says() -> None:  # G38
    worth = {lying.id: 2 if lying.id == "cuba" else 1 for lying in EXAMPLE}
    points = {side: sum(worth[lying.id] for lying in EXAMPLE if controller(lying) == side) for side in ("us", "ussr")}
    assert points == {"us": 6, "ussr": 5}
    assert sum(lying.us for lying in EXAMPLE) <= 13 - 2
    assert sum(lying.ussr for lying in EXAMPLE) <= 13 - 1


@in_every_language
def test_every_placeholder_is_filled_and_the_plain_text_has_no_pictures(language: str) -> None:
    assert not re.findall(r"[{}]|\n\n\n", rules_text(deck(), language))
    bodies = "\n".join(section.text for section in rules_sections(deck(), language))
    assert re.findall(r"\{[^}]*\}", bodies) == [f"{{picture:{name}}}" for name in PICTURES]
    assert 1600 < len(rules_text(deck(), language).split()) < 2500


@in_every_language
def test_every_number_of_the_data_stands_in_the_rules(language: str) -> None:
    for part in ("limits", "scoring"):
        for name in msgspec.structs.asdict(getattr(deck(), part)):
            if name != "cubes_per_battleground":  # said by the option cube_limit
                changed = rules_text(with_numbers(part, **{name: 34}), language)
                assert changed != rules_text(deck(), language), name


@in_every_language
def test_the_rules_say_what_the_options_are_by_default(language: str) -> None:
    words = Words(language, (PAGES_DOMAIN,))
    for name in ("tiebreak", "command_zero", "cube_limit", "foreign_push", "campaign_sides", "campaign_both_13"):
        default, other = deck().options[name].values[:2]
        assert option_text(words, name, default) in rules_text(deck(), language)
        assert option_text(words, name, other) in rules_text(with_default(name, other), language)


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


@in_every_language
def test_each_option_of_the_data_belongs_to_one_ruling(language: str) -> None:
    found: tuple[Ruling, ...] = rulings(deck(), Words(language))
    assert sorted(ruling.option for ruling in found if ruling.option) == sorted(deck().options)
    for ruling in found:
        assert [value.value for value in ruling.values] == (
            deck().options[ruling.option].values if ruling.option else []
        )


@in_every_language
def test_rulings_name_only_things_of_the_data_file(language: str) -> None:
    known = {card.id for card in deck().card} | set(msgspec.structs.asdict(deck().limits))
    known |= set(msgspec.structs.asdict(deck().scoring))
    for number, texts in ruling_texts(language).items():
        assert set(re.findall(r"\{(\w+)", " ".join(texts))) <= known, number


# ---- options, editions, cards


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


# ---- the guided first game


def test_what_the_lessons_say_of_the_position_is_true() -> None:
    course = lesson_of(load_game(GAME), FIRST)
    places = deck().places
    states = {lesson.name: course.seen.view(lesson.place) for lesson in course.steps}

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
    outcome = course.seen.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (0, "nuclear")


# ---- the cards


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Move up to 2 battlegrounds 1 step towards the neutral area."),
        ("ru", "Передвиньте до 2 полей битвы на 1 шаг в сторону нейтральной зоны."),
        ("de", "Bewege bis zu 2 Gebiete 1 Schritt zum neutralen Bereich hin."),
        ("pl", "Przesuń najwyżej 2 pola o 1 krok w stronę strefy neutralnej."),
    ],
)
def test_a_card_that_moves_battlegrounds_says_what_the_number_counts(language: str, expected: str) -> None:
    words = words_for(load_game(GAME), language)
    assert next(card for card in cards_of(load_game(GAME), words) if card.id == "u_thant").text == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Place up to 2 of your cubes in total on at most 2 battlegrounds."),
        ("ru", "Положите суммарно до 2 своих кубиков не более чем на 2 поля битвы."),
        ("de", "Platziere insgesamt bis zu 2 eigene Einflussmarker auf höchstens 2 Gebieten."),
        ("pl", "Umieść łącznie do 2 własnych znaczników wpływów na najwyżej 2 polach."),
    ],
)
def test_a_card_names_the_battlegrounds_once(language: str, expected: str) -> None:
    words = words_for(load_game(GAME), language)
    assert next(card for card in cards_of(load_game(GAME), words) if card.id == "nuclear_submarines").text == expected


# ---- the manual of the deck

MANUAL = (Path(__file__).parents[3] / "docs" / "design" / "cards.md").read_text("utf-8")
MANUAL = MANUAL.split("\n## The deck of 13 Minutes\n")[1]
EXAMPLES = re.findall(r"^```toml\n(effects = .*?)^```", MANUAL, re.MULTILINE | re.DOTALL)
U_THANT = 'effects = [{ op = "move", where = ["all"], sites = 2, dir = "neutral", max = 1 }]\n'


def original() -> str:
    return (files("brinkmanship.games.thirteen_minutes") / "cards.toml").read_text("utf-8")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[10:60].strip())
def test_an_example_of_the_manual_is_a_card_that_loads(example: str, tmp_path: Path) -> None:
    assert original().count(U_THANT) == 1
    path = tmp_path / "my.toml"
    path.write_text(original().replace(U_THANT, example), "utf-8")
    assert load_game(GAME, path).data.card


def test_the_card_that_the_manual_shows_is_in_the_file() -> None:
    shown = re.findall(r"^   ```toml\n(.*?)^   ```", MANUAL, re.MULTILINE | re.DOTALL)[0]
    assert re.sub("^   ", "", shown, flags=re.MULTILINE) in original()
