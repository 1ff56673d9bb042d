"""What one reads about Ukrainian Crisis: rules, rulings, options, lessons; alike in four languages."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.words.cards import event_text
from brinkmanship.games.ukrainian_crisis.words.rulebook import PICTURES, rules_sections, rules_text
from brinkmanship.games.ukrainian_crisis.words.rulings import RULINGS_DOMAIN, TOPICS, VARIANTS
from brinkmanship.lessons import FIRST, lesson_of
from brinkmanship.text import LANGUAGES, Words, rulings_of, words_for
from brinkmanship.text.options import option_text
from brinkmanship.text.words import catalogue_file, load_catalogue

GAME = "ukrainian-crisis"
NUMBERS = [number for numbers in TOPICS.values() for number in numbers]
SPECIFICATION = Path(__file__).parents[3] / "docs" / "rules" / f"{GAME}.md"

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def game() -> UkrainianCrisis:
    ruleset = load_game(GAME)
    assert isinstance(ruleset, UkrainianCrisis)
    return ruleset


def ruling_texts(language: str) -> dict[str, tuple[str, str]]:
    catalogue = load_catalogue(RULINGS_DOMAIN, language)
    return {n: (catalogue.gettext(f"ruling.{n}.title"), catalogue.gettext(f"ruling.{n}.text")) for n in NUMBERS}


# ---- the rules


@in_every_language
def test_every_picture_has_a_caption(language: str) -> None:
    words = words_for(game(), language)
    assert all(words.sentence(Message(f"picture.{name}")).endswith(".") for name in PICTURES)


@in_every_language
def test_every_placeholder_is_filled_and_the_plain_text_has_no_pictures(language: str) -> None:
    text = rules_text(game(), language)
    assert not re.findall(r"[{}]|\n\n\n", text)
    assert 2500 < len(text.split()) < 3500
    bodies = "\n".join(section.text for section in rules_sections(game(), language))
    assert re.findall(r"\{[^}]*\}", bodies) == [f"{{picture:{name}}}" for name in PICTURES]


@in_every_language
def test_the_tables_of_the_rules_have_every_zone_country_and_event_and_mark_what_is_reconstructed(
    language: str,
) -> None:
    text = rules_text(game(), language)
    for zone in game().data.zone:
        assert re.search(rf"^\| {re.escape(zone.names[language])} \|", text, re.MULTILINE), zone.id
    for event in EVENTS:
        assert f"\n| {event.title} | " in text
    ranks = {country.id: f"{country.rank}{'' if country.id == 'GB' else '*'}" for country in game().data.country}
    for country in game().data.country:
        row = re.search(rf"^\| {re.escape(country.names[language])} \| [✓–] \| (\d\*?) \|", text, re.MULTILINE)
        assert row, country.id
        assert row[1] == ranks[country.id]


@in_every_language
def test_the_rules_say_how_the_chosen_options_play(language: str) -> None:
    chosen: dict[str, str | bool | int] = {
        "resource_selection": "random_draw",
        "first_turn_combat": True,
        "casualty_choice": "owner",
        "relocation_cures": True,
        "neutralise_sf": True,
        "prestige_ua": 23,
        "box_gb": "intervention",
    }
    other = load_game(GAME, options=chosen)
    assert isinstance(other, UkrainianCrisis)
    text, usual = rules_text(other, language), rules_text(game(), language)
    words = words_for(game(), language)
    for name in ("resource_selection", "first_turn_combat", "casualty_choice", "relocation_cures", "neutralise_sf"):
        assert option_text(words, name, chosen[name]) in text
        assert option_text(words, name, game().options[name]) in usual
    box = words.text(Message("box.intervention"))
    assert "23" in text
    assert text.count(box) == usual.count(box) + 1


@in_every_language
def test_without_dice_no_event_speaks_of_a_roll_and_the_rules_tell_of_belarus_and_moldova(language: str) -> None:
    other = load_game(GAME, options={"ordinary_cards": True, "no_randomness": True})
    assert isinstance(other, UkrainianCrisis)
    words = words_for(game(), language)
    for event in ("svoboda_shakeup", "paid_demonstrators", "moldova", "belarus"):
        assert event_text(other, event, words) != event_text(game(), event, words)
    roll = {"en": r"\bdie\b|\bdice\b|halved", "ru": "кубик|брос", "de": "Würfel|Wurf|halbiert", "pl": "kost|rzut"}[
        language
    ]
    for event in EVENTS:
        assert not re.search(roll, event_text(other, event.id, words), re.IGNORECASE), event.id
        assert event_text(other, event.id, words) in rules_text(other, language)
    without_dice = next(part.text for part in rules_sections(game(), language) if part.id == "no-dice")
    assert "R49" in without_dice


@in_every_language
def test_the_rules_page_says_where_it_departs_from_the_print(language: str) -> None:  # R34
    assert "R34" in rules_text(game(), language)
    assert "R34" in event_text(game(), "rally_for_the_motherland", words_for(game(), language))


def test_ports_of_the_sea_of_azov_are_shown_when_it_counts() -> None:  # R37
    other = load_game(GAME, options={"azov_is_black_sea": True})
    assert isinstance(other, UkrainianCrisis)
    assert rules_text(other, "en").count("⚓") == rules_text(game(), "en").count("⚓") + 2


# ---- the rulings


def test_every_ruling_of_the_specification_has_its_text_and_no_other() -> None:
    said = re.findall(r"^\| (R\d+) \|", SPECIFICATION.read_text("utf-8"), re.MULTILINE)
    assert set(said) == set(NUMBERS) - set(VARIANTS)
    assert len(NUMBERS) == len(set(NUMBERS))


@in_every_language
def test_every_ruling_has_a_title_and_a_text(language: str) -> None:
    found = ruling_texts(language)
    titles = [title for title, _ in found.values()]
    assert len(set(titles)) == len(found)
    for number, (title, text) in found.items():
        assert 5 < len(title) <= 70, number
        assert not title.endswith("."), number
        assert text.endswith("."), number
        assert 1 <= len(re.findall(r"[.?!](?= |$)", text)) <= 5, number


@in_every_language
def test_each_option_belongs_to_the_ruling_that_the_specification_says(language: str) -> None:
    rows = re.findall(r"^\| (R\d+) \|.*\| `(\w+)` = [^|]+\|$", SPECIFICATION.read_text("utf-8"), re.MULTILINE)
    found = {ruling.number: ruling for ruling in rulings_of(game(), words_for(game(), language))}
    options = {number: ruling.option for number, ruling in found.items() if ruling.option}
    assert options == dict(rows) | VARIANTS
    assert sorted(options.values()) == sorted(game().option_values())
    for number, option in options.items():
        values = [value.value for value in found[number].values]
        assert set(values) == set(game().option_values()[option])
        assert [value.value for value in found[number].values if value.is_default] == values[:1]


@in_every_language
def test_rulings_name_only_event_cards(language: str) -> None:
    known = {card.id for card in EVENTS}
    for number, texts in ruling_texts(language).items():
        assert set(re.findall(r"\{(\w+)", " ".join(texts))) <= known, number


# ---- options and ends of the game


@in_every_language
def test_every_option_and_value_is_explained(language: str) -> None:
    words = words_for(game(), language)
    for name, values in game().option_values().items():
        assert option_text(words, name)
        said = [option_text(words, name, value) for value in [*values, *game().option_ranges().get(name, ())]]
        assert all(text.endswith(".") for text in said), name
        assert len(set(said[: len(values)])) == len(values), name


@in_every_language
def test_any_starting_prestige_is_said_with_its_plural(language: str) -> None:
    said = {
        "en": "Russia begins with 21 Prestige.",
        "ru": "Россия начинает с 21 очком престижа.",
        "de": "Russland beginnt mit 21 Prestige.",
        "pl": "Rosja zaczyna z 21 punktami Prestiżu.",
    }
    assert option_text(words_for(game(), language), "prestige_ru", 21) == said[language]


@in_every_language
def test_every_level_of_victory_has_its_phrase_for_lists(language: str) -> None:
    words: Words = words_for(game(), language)
    said = {words.text(Message(f"reason.{reason}")) for reason in game().reasons[1:]}
    assert len(said) == len(game().reasons) - 1


# ---- the guided first game


@in_every_language
def test_lessons_name_only_event_cards(language: str) -> None:
    known = {card.id for card in EVENTS}
    catalogue = catalogue_file(f"{GAME}-lessons", language).read_text("utf-8")
    assert set(re.findall(r"\{(\w+)", catalogue)) <= known


def test_the_learner_of_the_guided_game_is_ukraine() -> None:
    assert lesson_of(game(), FIRST).side == 0


def test_what_the_lessons_say_of_the_position_is_true() -> None:
    course = lesson_of(game(), FIRST)
    shown = {lesson.name: game().public_state(course.seen.view(lesson.place)) for lesson in course.steps}

    def prestige(lesson: str) -> tuple[int, int]:
        return shown[lesson]["prestige"]["ua"], shown[lesson]["prestige"]["ru"]

    assert prestige("map") == (16, 29)  # Moldova cost Russia 3
    assert shown["deploy"]["resource_points"]["ua"] == 3
    assert shown["attempt"]["units"]["DON"] == {"ru_special": 1, "ru_militia": 1, "ua_militia": 1}
    assert shown["attempt"]["resource_points"]["ua"] == 9
    assert (prestige("event"), prestige("information")) == ((15, 28), (15, 22))
    assert shown["event"]["countries"]["GB"] == "support"
    assert prestige("income") == (21, 20)
    assert shown["income"]["countries"]["BY"] is None
    assert shown["income"]["opened"] == []
    assert (shown["neutralise"]["turn_type"], shown["move"]["segments"]) == ("combat", 2)
    assert shown["move"]["resource_points"]["ua"] == 4
    assert shown["move"]["units"]["DON"] == {"ru_special": 1, "ru_militia": 1, "ua_militia": 1}
    assert (shown["neutralise"]["units"]["SEV"], shown["move"]["units"]["CRI"]) == ({"ru_ground": 1}, {"ru_ground": 1})
    assert shown["end"]["units"]["DON"]["ru_militia neutralised"] == 1
    assert (shown["end"]["turn"], prestige("end")) == (3, (21, 14))
    worth = {zone.id: zone.vp for zone in game().data.zone}
    assert (-(-21 // 2) + worth["DON"], 14 // 2 + worth["CRI"]) == (11 + 6, 7 + 3)
