"""The rules and the rulings of 13 Days in words: complete and alike in four languages, with the numbers of the data."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from itertools import pairwise

import msgspec
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from brinkmanship.games.thirteen_days.rules.data import GameData
from brinkmanship.games.thirteen_days.words.cards import agenda_text
from brinkmanship.games.thirteen_days.words.names import words
from brinkmanship.games.thirteen_days.words.rulebook import PICTURES, rules_sections, rules_text
from brinkmanship.games.thirteen_days.words.rulings import TOPICS, rulings
from brinkmanship.text import LANGUAGES, MissingTextError, Ruling
from brinkmanship.text.options import option_text
from brinkmanship.text.words import RuleSection, load_catalogue

DATA = msgspec.convert(
    tomllib.loads((files("brinkmanship.games.thirteen_days") / "cards.toml").read_text("utf-8")), GameData
)
RULE_IDS = [f"R{n}" for n in range(1, 56)]

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def with_limits(**limits: int) -> GameData:
    return msgspec.structs.replace(DATA, limits=msgspec.structs.replace(DATA.limits, **limits))


def with_default(option: str, value: str | bool) -> GameData:
    changed = msgspec.structs.replace(DATA.options[option], default=value, other=[DATA.options[option].default])
    return msgspec.structs.replace(DATA, options={**DATA.options, option: changed})


def section(data: GameData, language: str, id: str) -> RuleSection:
    return next(section for section in rules_sections(data, language) if section.id == id)


def all_rulings(data: GameData, language: str) -> dict[str, Ruling]:
    return {ruling.number: ruling for ruling in rulings(data, words(data, language))}


def tables(text: str) -> list[list[list[str]]]:
    """The cells of each table, row by row, as Markdown understands them."""
    found: list[list[list[str]]] = []
    tokens: list[Token] = MarkdownIt("commonmark").enable("table").parse(text)
    for before, token in pairwise(tokens):
        if before.type == "table_open":
            found.append([])
        elif before.type == "tr_open":
            found[-1].append([])
        if before.type in ("th_open", "td_open"):
            found[-1][-1].append(token.content)
    return found


# ---- the rules


@in_every_language
def test_the_sections_have_the_same_ids_and_levels_in_every_language(language: str) -> None:
    shape = [(section.id, section.level) for section in rules_sections(DATA, language)]
    assert shape == [(section.id, section.level) for section in rules_sections(DATA, "en")]
    assert len({id for id, _ in shape}) == len(shape)
    assert {"about", "board", "setup", "round", "turn", "defcon", "agendas", "world-opinion"} < {id for id, _ in shape}
    assert {"letter", "end", "limits", "quick-reference", "misunderstandings"} < {id for id, _ in shape}


@in_every_language
def test_every_placeholder_is_filled_and_the_plain_text_has_no_pictures(language: str) -> None:
    assert not re.findall(r"[{}]|\n\n\n", rules_text(DATA, language))
    bodies = "\n".join(section.text for section in rules_sections(DATA, language))
    assert re.findall(r"\{[^}]*\}", bodies) == [f"{{picture:{name}}}" for name in PICTURES]
    assert all(line == line.strip() for line in bodies.splitlines() if "{" in line)


@in_every_language
def test_the_tables_are_whole_and_list_every_battleground_and_agenda(language: str) -> None:
    spoken = words(DATA, language)
    battlegrounds = tables(section(DATA, language, "board").text)[0]
    assert [row[0] for row in battlegrounds[1:]] == [place.names[language] for place in DATA.battleground]
    assert battlegrounds[2][2] == ", ".join(
        spoken.name("battleground", id) for id in ("cuba_military", "cuba_political")
    )
    agendas = tables(section(DATA, language, "agendas").text)[0]
    assert [row[2] for row in agendas[1:]] == [agenda_text(DATA, agenda, spoken) for agenda in DATA.agenda]
    assert [row[1] for row in agendas[1:]] == [str(agenda.copies) for agenda in DATA.agenda]
    setup = tables(section(DATA, language, "setup").text)[0]
    assert [row[1:] for row in setup[2:]] == [
        ["15", "15"],
        ["1", "2"],
        ["2", "1"],
        ["1", "1"],
        ["0", "0"],
        ["✓", "–"],
    ]
    assert all(len({len(row) for row in table}) == 1 for table in tables(rules_text(DATA, language)))


@pytest.mark.parametrize(
    ("language", "seventeen", "eighteen", "twenty_one"),
    [
        ("en", "17 influence cubes", "18 influence cubes", "21 influence cubes"),
        ("ru", "17 жетонов влияния", "18 жетонов влияния", "21 жетон влияния"),
        ("de", "17 Einflussmarker", "18 Einflussmarker", "21 Einflussmarker"),
        ("pl", "17 znaczników wpływów", "18 znaczników wpływów", "21 znaczników wpływów"),
    ],
)
def test_the_number_of_cubes_is_that_of_the_data(language: str, seventeen: str, eighteen: str, twenty_one: str) -> None:
    for cubes, expected in ((17, seventeen), (18, eighteen), (21, twenty_one)):
        data = with_limits(cubes_per_side=cubes)
        assert expected in section(data, language, "board").text
        assert tables(section(data, language, "setup").text)[0][2][1:] == [str(cubes - 2)] * 2
        assert f" {cubes} " in section(data, language, "limits").text


@in_every_language
def test_every_limit_of_the_data_stands_in_the_rules(language: str) -> None:
    for name in msgspec.structs.asdict(DATA.limits):
        assert rules_text(with_limits(**{name: 33}), language) != rules_text(DATA, language), name


@in_every_language
def test_areas_start_names_and_options_are_those_of_the_data(language: str) -> None:
    text = rules_text(DATA, language)
    areas = msgspec.structs.replace(DATA, areas={**DATA.areas, "defcon_2": [4, 5], "defcon_1": [6]})
    assert "4–6" in text
    assert "4–6" not in rules_text(areas, language)
    start = msgspec.structs.replace(DATA.start, letter="ussr", prestige=-2, cubes_us={})
    setup = tables(section(msgspec.structs.replace(DATA, start=start), language, "setup").text)[0]
    assert [setup[1][1], setup[2][1], *setup[-2][1:], *setup[-1][1:]] == ["–", "17", "0", "+2", "–", "✓"]
    sea = msgspec.structs.replace(DATA.battleground[1], names={"en": "North Sea"})
    renamed = msgspec.structs.replace(DATA, battleground=[DATA.battleground[0], sea, *DATA.battleground[2:]])
    assert tables(section(renamed, language, "board").text)[0][2][0] == "North Sea"
    for option in ("agenda_icon_order", "letter_declared", "letter_on_event_command", "initiative_chosen"):
        default, other = DATA.options[option].values
        assert option_text(words(DATA, language), option, default) in text
        assert option_text(words(DATA, language), option, other) in rules_text(with_default(option, other), language)


@in_every_language
def test_the_rules_have_the_length_of_rules_and_not_of_a_book(language: str) -> None:
    assert 1200 < len(rules_text(DATA, language).split()) < 2100


def test_a_placeholder_without_a_value_is_an_error_that_names_it() -> None:
    without_option = msgspec.structs.replace(DATA, options={})
    with pytest.raises(MissingTextError, match=r"rules\.de\.md.*option\."):
        rules_text(without_option, "de")


# ---- the rulings


@in_every_language
def test_every_ruling_has_a_title_and_a_text(language: str) -> None:
    found = rulings(DATA, words(DATA, language))
    assert [ruling.number for ruling in found] == RULE_IDS
    assert len({ruling.title for ruling in found}) == len(found)
    for ruling in found:
        assert ruling.topic
        assert 5 < len(ruling.title) <= 60, ruling
        assert not ruling.title.endswith("."), ruling
        assert len(ruling.text) > 40, ruling
        assert ruling.text.endswith("."), ruling
        assert 1 <= len(re.findall(r"[.?!](?= |$)", ruling.text)) <= 4, ruling


@in_every_language
def test_each_option_of_the_data_belongs_to_its_ruling(language: str) -> None:
    found = all_rulings(DATA, language)
    assert {name: option.rule for name, option in DATA.options.items()} == {
        ruling.option: ruling.number for ruling in found.values() if ruling.option
    }
    for ruling in found.values():
        values = DATA.options[ruling.option].values if ruling.option else []
        assert [value.value for value in ruling.values] == values
        assert [value.is_default for value in ruling.values] == [value == values[0] for value in values]
        spoken = words(DATA, language)
        assert [value.text for value in ruling.values] == [option_text(spoken, ruling.option or "", v) for v in values]


def test_an_option_moves_to_the_ruling_that_the_data_names() -> None:
    moved = msgspec.structs.replace(DATA.options["command_onto"], rule="R55")
    found = all_rulings(msgspec.structs.replace(DATA, options={"command_onto": moved}), "en")
    assert {ruling.number: ruling.option for ruling in found.values() if ruling.option} == {"R55": "command_onto"}


@in_every_language
def test_rulings_use_the_names_and_limits_of_the_data(language: str) -> None:
    card = msgspec.structs.replace(DATA.card[DATA.card_index("fifty_fifty")], names={"en": "Prime Time"})
    cards = [card if card.id == old.id else old for old in DATA.card if old.id != "suez_hungary"]
    found = all_rulings(msgspec.structs.replace(with_limits(prestige_lead_max=7), card=cards), language)
    assert "Prime Time" in found["R34"].title
    assert "Suez Hungary" in found["R39"].title, "a card taken out of the file is called by its id"
    assert " 7" in found["R7"].text


@in_every_language
def test_rulings_name_only_things_of_the_data_file(language: str) -> None:
    known = {card.id for card in DATA.card} | {place.id for place in DATA.battleground}
    known |= {*DATA.areas, *msgspec.structs.asdict(DATA.limits)}
    catalogue = load_catalogue("13-days-rulings", language)
    for number in RULE_IDS:
        for part in ("title", "text"):
            text = catalogue.gettext(f"ruling.{number}.{part}")
            assert set(re.findall(r"\{(\w+)", text)) <= known, (number, part)


def test_the_topics_cover_all_rulings_in_order() -> None:
    assert [f"R{n}" for numbers in TOPICS.values() for n in numbers] == RULE_IDS
