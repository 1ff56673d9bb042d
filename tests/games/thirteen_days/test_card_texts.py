"""The sentences on the cards of 13 Days: complete, in four languages, and made from the data.

All texts stand in ``tests/golden/card_texts.txt`` so that a reviewer reads them in a diff. After a change:

    python tests/games/thirteen_days/test_card_texts.py
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from brinkmanship.games.thirteen_days.rules.data import Card, GameData
from brinkmanship.games.thirteen_days.words.cards import agenda_text, card_notes, card_text
from brinkmanship.games.thirteen_days.words.names import words
from brinkmanship.text import LANGUAGES
from brinkmanship.text.options import option_text

GOLDEN = Path(__file__).parents[2] / "golden" / "card_texts.txt"
DATA_FILE = files("brinkmanship.games.thirteen_days") / "cards.toml"
DATA = msgspec.convert(tomllib.loads(DATA_FILE.read_text("utf-8")), GameData)
in_every_language = pytest.mark.parametrize("language", LANGUAGES)
WORDS = {language: words(DATA, language) for language in LANGUAGES}


def all_texts(data: GameData) -> str:
    """Every card and agenda in every language, as in the golden file."""
    spoken = {language: words(data, language) for language in LANGUAGES}
    blocks = []
    for card in data.card:
        lines = [f"card {card.id}"]
        lines += [f"  {lang}  {_hang(card_text(data, card, spoken[lang]))}" for lang in LANGUAGES]
        blocks.append("\n".join(lines))
    for agenda in data.agenda:
        lines = [f"agenda {agenda.id}"]
        lines += [f"  {lang}  {_hang(agenda_text(data, agenda, spoken[lang]))}" for lang in LANGUAGES]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _hang(text: str) -> str:
    return text.replace("\n", "\n      ")


def event(side: str, *effects: dict[str, Any]) -> Card:
    card = {"id": "x", "side": side, "cubes": 1, "defcon_icon": False, "names": {"en": "X"}, "effects": list(effects)}
    return msgspec.convert(card, Card)


def text(language: str, side: str, *effects: dict[str, Any]) -> str:
    return card_text(DATA, event(side, *effects), WORDS[language])


# ---- the cards of the game


def test_all_texts_are_those_of_the_golden_file() -> None:
    assert all_texts(DATA) == GOLDEN.read_text("utf-8"), (
        "new texts? read them: python tests/games/thirteen_days/test_card_texts.py"
    )


@in_every_language
def test_every_option_and_every_value_is_explained(language: str) -> None:
    for name, option in DATA.options.items():
        assert option_text(WORDS[language], name)
        for value in option.values:
            assert option_text(WORDS[language], name, value).endswith(".")


@in_every_language
def test_the_note_says_whether_the_card_shows_the_defcon_symbol(language: str) -> None:
    notes = {card_notes(card, WORDS[language]) for card in DATA.card if card.defcon_icon}
    others = {card_notes(card, WORDS[language]) for card in DATA.card if not card.defcon_icon}
    assert len(notes) == len(others) == 1
    assert notes != others


# ---- a changed number changes the sentence


@pytest.mark.parametrize(
    ("language", "two", "three", "five"),
    [
        ("en", "Remove 2 US cubes", "Remove 3 US cubes", "Remove 5 US cubes"),
        ("ru", "Уберите суммарно 2 жетона", "Уберите суммарно 3 жетона", "Уберите суммарно 5 жетонов"),
        ("de", "Entferne insgesamt 2 US-Einfluss", "Entferne insgesamt 3 US-", "Entferne insgesamt 5 US-"),
        ("pl", "Usuń łącznie 2 znaczniki", "Usuń łącznie 3 znaczniki", "Usuń łącznie 5 znaczników"),
    ],
)
def test_the_number_of_cubes_is_that_of_the_data(language: str, two: str, three: str, five: str) -> None:
    for n, expected in ((2, two), (3, three), (5, five)):
        assert text(language, "ussr", {"op": "remove", "of": "us", "where": ["all"], "exactly": n}).startswith(expected)


TOGETHER = {"en": "in total", "ru": "суммарно", "de": "insgesamt", "pl": "łącznie"}
PLACES = [["all"], ["political"], ["berlin", "italy"]]


@in_every_language
@pytest.mark.parametrize("where", PLACES, ids=" ".join)
def test_a_sum_over_several_battlegrounds_cannot_be_read_as_so_many_on_each(language: str, where: list[str]) -> None:
    for effect in ({"op": "place", "max": 3, "each": 2}, {"op": "place", "exactly": 2}, {"op": "remove", "max": 3}):
        said = text(language, "us", {**effect, "of": "us", "where": where}).casefold()
        assert TOGETHER[language] in said
    for effect in ({"op": "place", "max": 1}, {"op": "remove", "max": 3, "sites": 1}):
        assert TOGETHER[language] not in text(language, "us", {**effect, "of": "us", "where": where}).casefold()
    alone = {"op": "place", "of": "us", "where": ["berlin"], "max": 3}
    assert TOGETHER[language] not in text(language, "us", alone).casefold()


@in_every_language
def test_no_sentence_names_the_battlegrounds_twice(language: str) -> None:
    some = text(language, "us", {"op": "remove", "of": "us", "where": ["all"], "max": 3, "sites": 2})
    noun = {"en": "battleground", "ru": "зон", "de": "Gebiet", "pl": "pól"}[language]
    assert some.count(noun) == 1


def test_english_speaks_to_the_player_and_of_anybody_else() -> None:
    mine = {"op": "place", "of": "actor", "where": ["all"], "max": 2}
    assert text("en", "un", mine) == "Place up to 2 of your cubes in total on any battlegrounds."
    theirs = {"op": "place", "by": "opponent", "of": "opponent", "where": ["all"], "max": 2}
    assert text("en", "un", theirs) == "The opponent may place up to 2 of their cubes in total on any battlegrounds."


def test_the_deck_is_as_even_as_the_printed_one() -> None:  # a typing error would hardly leave such symmetry
    for side in ("us", "ussr", "un"):
        cubes = sorted((card.cubes for card in DATA.card if card.side == side), reverse=True)
        assert (cubes, sum(cubes)) == ([3] * 4 + [2] * 5 + [1] * 4, 26)
    icons = [card.side for card in DATA.card if card.defcon_icon]
    assert {side: icons.count(side) for side in ("un", "us", "ussr")} == {"un": 3, "us": 4, "ussr": 6}


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["by at most 1 step", "by at most 2 steps", "by at most 5 steps"]),
        ("ru", ["максимум на 1 шаг ", "максимум на 2 шага", "максимум на 5 шагов"]),
        ("de", ["um bis zu 1 Stufe ", "um bis zu 2 Stufen", "um bis zu 5 Stufen"]),
        ("pl", ["maksymalnie o 1 stopień", "maksymalnie o 2 stopnie", "maksymalnie o 5 stopni "]),
    ],
)
def test_the_number_of_steps_is_that_of_the_data(language: str, expected: list[str]) -> None:
    for n, steps in zip((1, 2, 5), expected, strict=True):
        shift = {"op": "shift", "of": "us", "tracks": ["military"], "pick": "one", "dir": "down", "max": n}
        assert steps in text(language, "us", shift)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["1 Prestige", "2 Prestige", "5 Prestige"]),
        ("ru", ["1 очко престижа", "2 очка престижа", "5 очков престижа"]),
        ("de", ["1 Ansehenspunkt", "2 Ansehenspunkte", "5 Ansehenspunkte"]),
        ("pl", ["1 punkt prestiżu", "2 punkty prestiżu", "5 punktów prestiżu"]),
    ],
)
def test_the_gain_of_prestige_is_that_of_the_data(language: str, expected: list[str]) -> None:
    for n, gain in zip((1, 2, 5), expected, strict=True):
        assert text(language, "us", {"op": "prestige", "of": "us", "exactly": n}).endswith(f"{gain}.")


@in_every_language
def test_every_number_on_the_cards_is_read_from_the_data(language: str) -> None:
    for card in DATA.card:
        for effect in msgspec.to_builtins(card)["effects"]:
            for field in ("max", "exactly", "n", "delta"):
                if isinstance(effect.get(field), int):
                    changed = {**effect, field: effect[field] - 1 if effect[field] > 1 else 2}
                    assert text(language, card.side, changed) != text(language, card.side, effect), (card.id, field)


# ---- every branch of the vocabulary

PLACES = [
    ["military"],
    ["all"],
    ["italy"],
    ["berlin", "alliances"],
    ["political", "atlantic"],
    ["military", "political"],
]
PLACES += [["cuba_military", "cuba_political"], ["television", "world_opinion"]]
PARTIES = ["actor", "opponent", "us", "ussr", "tv_leader"]
BOTH = [{"by": by, "of": of} for by in PARTIES for of in PARTIES]
CONDITIONS = [
    {"leader_on": "italy"},
    {"leader_on": "television"},
    {"marker": "us", "track": "political", "area": "defcon_2"},
    {"higher": "ussr", "than": "us", "track": "world_opinion"},
    {"cubes_of": "ussr", "at": "atlantic", "at_least": 1},
]
TRACKS = [["military"], ["military", "political"], ["military", "political", "world_opinion"]]


def place(**fields: Any) -> dict[str, Any]:
    return {"op": "place", "where": ["all"], "max": 2, **fields}


def remove(**fields: Any) -> dict[str, Any]:
    return {"op": "remove", "where": ["all"], **fields}


def shift(**fields: Any) -> dict[str, Any]:
    return {"op": "shift", "tracks": TRACKS[2], "pick": "one", "dir": "either", "max": 2, **fields}


def vocabulary() -> list[tuple[dict[str, Any], ...]]:
    """Events that together use every effect and every field, alone and where fields meet."""
    found: list[dict[str, Any]] = []
    for where in PLACES:
        found += [place(where=where, each=each) for each in (None, 1, 2)]
        found += [place(where=where, max=None, exactly=3), place(where=where, max=None, exactly=3, each=1)]
        found += [place(where=where, min=1), place(where=where, min=2), place(where=where, max=None, min=1)]
        found += [place(where=where, filter=f"of_has_{what}", each=1) for what in ("cubes", "no_cubes")]
        found += [remove(where=where, sites=sites, **n) for sites in (None, 1, 2) for n in ({"max": 2}, {"max": "all"})]
        found += [remove(where=where, sites=sites, amount="half_up") for sites in (None, 1, 2)]
        found += [
            remove(where=where, min=1, max="all"),
            remove(where=where, exactly=2),
            remove(where=where, max=3, min=1),
        ]
        found += [{"op": "command", "n": 3, "where": where, "place_only": only} for only in (True, False)]
    for pick, dir, tracks in product(("one", "all", "up_to_two", "highest"), ("up", "down", "either"), TRACKS):
        found += [shift(pick=pick, dir=dir, tracks=tracks, max=3, min=n) for n in (0, 1, 3)]
        found += [shift(pick=pick, dir=dir, tracks=tracks, max=None, exactly=1)]
        found += [shift(pick=pick, dir=dir, tracks=tracks, max=None, steps="as_moved_before", optional=True)]
    for parties in BOTH:
        found += [place(filter="of_has_no_cubes", **parties), place(max=None, exactly=1, where=["italy"], **parties)]
        found += [
            place(max=None, exactly=2, **parties),
            remove(max="all", **parties),
            remove(amount="half_up", **parties),
        ]
        found += [remove(amount="half_up", sites=1, **parties), {"op": "relocate", "max": 2, **parties}]
        found += [shift(pick=pick, **parties) for pick in ("one", "all", "up_to_two", "highest")]
        found += [shift(tracks=["military"], optional=True, **parties), {"op": "take_card", **parties}]
    for party in PARTIES:
        found += [{"op": "command", "n": 2, "by": party, "optional": optional} for optional in (True, False)]
        found += [{"op": "exchange_hand", "by": party}, {"op": "prestige", "of": party, "exactly": 2}]
        found += [
            {"op": "modifier", "of": party, "delta": delta, "floor": floor} for delta in (2, -1) for floor in (None, 1)
        ]
        found += [
            {"op": "deflation_ban", "of": party},
            {"op": "place_until", "of": party, "where": ["italy"], "stop": STOPS},
        ]
        found += [choice(party, {"effects": [place()]}, {"effects": []})]
        found += [choice(party, *({"effects": [place(by="opponent")], "requires": c} for c in CONDITIONS))]
    found += [
        choice(
            "us",
            {"effects": [choice("ussr", {"effects": [place(), remove(exactly=1)]}, {"effects": []})]},
            {"effects": []},
        )
    ]
    conditional = [
        {**effect, "if": condition} for condition in CONDITIONS for effect in (place(), shift(by="tv_leader"))
    ]
    return [(effect,) for effect in found] + [(effect, effect, place()) for effect in found + conditional]


STOPS = ["leads_by_1", "battleground_full", "supply_empty"]


def choice(by: str, *options: dict[str, Any]) -> dict[str, Any]:
    return {"op": "choose", "by": by, "options": list(options)}


@in_every_language
@pytest.mark.parametrize("side", ["us", "ussr", "un"])
def test_there_are_words_for_whatever_a_designer_may_write(side: str, language: str) -> None:
    for effects in vocabulary():
        said = text(language, side, *effects)
        assert said[0].isupper(), said
        assert said.endswith("."), said
        assert not re.search(r"[{}|_\x1f]|  (?!•)|\s[,.:;)]|\(\s|\.\.|None", said.replace("\n  ", "\n")), said


@in_every_language
def test_who_decides_is_told_unless_it_is_the_reader(language: str) -> None:
    assert text(language, "us", place(of="us", by="us")) == text(language, "us", place(of="us"))
    assert text(language, "un", place(of="us", by="us")) != text(language, "un", place(of="us"))
    assert text(language, "us", place(of="us", by="ussr")) != text(language, "us", place(of="us"))


def test_a_condition_after_the_first_effect_looks_at_the_beginning_of_the_event() -> None:
    later = text("en", "us", place(of="us"), {**shift(of="us"), "if": CONDITIONS[0]})
    assert "If a side leads in Italy when the Event begins, move one US marker" in later


def test_groups_written_out_one_by_one_are_the_group() -> None:
    assert text("en", "un", place(where=["italy", "turkey", "cuba_political"])) == text(
        "en", "un", place(where=["political"])
    )


def test_renamed_cuba_is_no_longer_spoken_of_as_cuba() -> None:
    built = msgspec.to_builtins(DATA)
    built["battleground"][0]["names"] = {"en": "Malta"}
    malta = msgspec.convert(built, GameData)
    card = next(card for card in malta.card if card.id == "fidel_castro")
    assert (
        card_text(malta, card, words(malta, "en"))
        == "Place up to 3 USSR cubes in total in “Malta” and Cuba (political)."
    )
    assert (
        card_text(malta, card, words(malta, "de"))
        == "Platziere insgesamt bis zu 3 UdSSR-Einflussmarker in „Malta“ und auf Kuba (politisch)."
    )


if __name__ == "__main__":
    GOLDEN.write_text(all_texts(DATA), "utf-8")
