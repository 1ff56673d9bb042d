"""The catalogues are complete and alike in four languages; `Words` renders messages, names and forms."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

import brinkmanship
from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.text import LANGUAGE_NAMES, LANGUAGES, Either, MissingTextError, Words
from brinkmanship.text.words import catalogue_file

CATALOGUES = sorted(Path(brinkmanship.__file__).parent.rglob("*.po"))
DOMAINS = sorted({file.name.rsplit(".", 2)[0] for file in CATALOGUES})
PLURAL_FORMS = {"en": 2, "ru": 3, "de": 2, "pl": 3}

in_every_language = pytest.mark.parametrize("language", LANGUAGES)
in_every_catalogue = pytest.mark.parametrize(
    ("domain", "language"), [(domain, language) for domain in DOMAINS for language in LANGUAGES]
)


@cache
def catalogue(domain: str, language: str) -> Catalog:
    with catalogue_file(domain, language).open("rb") as file:
        return read_po(file, abort_invalid=True)


@cache
def texts(domain: str, language: str) -> dict[str, tuple[str, ...]]:
    """Every key with its text, or its plural forms."""
    found = {}
    for entry in catalogue(domain, language):
        if entry.id:
            key = entry.id if isinstance(entry.id, str) else entry.id[0]
            found[key] = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string)
    return found


def placeholders(text: str) -> set[str]:
    return {name for name, _ in re.findall(r"\{(\w+)(:\w+)?\}", text)}


def words(language: str, **names: dict[str, str]) -> Words:
    return Words(language, ["13-days"], {Ref("battleground", id): name for id, name in names.items()})


# ---- the catalogues


def test_there_are_catalogues_of_the_program_and_of_the_game() -> None:
    assert {"common", "13-days"} <= set(DOMAINS)
    assert set(LANGUAGE_NAMES) == set(LANGUAGES)


@in_every_catalogue
def test_every_key_of_the_english_catalogue_and_no_other_is_in_each_language(domain: str, language: str) -> None:
    assert list(texts(domain, language)) == list(texts(domain, "en"))


@in_every_catalogue
def test_no_text_is_empty_or_marked_as_doubtful(domain: str, language: str) -> None:
    assert [key for key, forms in texts(domain, language).items() if not all(text.strip() for text in forms)] == []
    assert [entry.id for entry in catalogue(domain, language) if entry.id and entry.fuzzy] == []


@in_every_catalogue
def test_plural_forms_are_complete(domain: str, language: str) -> None:
    english = texts(domain, "en")
    for key, forms in texts(domain, language).items():
        assert len(forms) in (1, PLURAL_FORMS[language]), key
        assert (len(forms) == 1) == (len(english[key]) == 1), key
    assert catalogue(domain, language).num_plurals == PLURAL_FORMS[language]


@in_every_catalogue
def test_every_text_uses_the_arguments_of_the_english_one(domain: str, language: str) -> None:
    english = texts(domain, "en")
    for key, forms in texts(domain, language).items():
        for text in forms:
            assert placeholders(text) == placeholders(english[key][0]), (key, text)
            assert re.fullmatch(r"([^{}]|\{\w+(:\w+)?\})*", text), (key, text)


@pytest.mark.parametrize(
    ("language", "singular", "few", "many"),
    [("ru", [1, 21, 101], [2, 4, 22], [0, 5, 11, 12, 14, 111]), ("pl", [1], [2, 4, 22], [0, 5, 11, 12, 14, 21, 112])],
)
def test_plural_rules_of_russian_and_polish(
    language: str, singular: list[int], few: list[int], many: list[int]
) -> None:
    forms = texts("13-days", language)["cubes"]
    for expected, numbers in zip(forms, (singular, few, many), strict=True):
        for n in numbers:
            assert words(language).text(Message("cubes", {"n": n})) == expected.replace("{n}", str(n))


# ---- forms and names


@pytest.mark.parametrize(
    ("language", "at", "to", "out"),
    [
        ("en", "in the Atlantic", "to the Atlantic", "from the Atlantic"),
        ("ru", "в Атлантике", "в Атлантику", "из Атлантики"),
        ("de", "im Atlantik", "in den Atlantik", "aus dem Atlantik"),
        ("pl", "na Atlantyku", "na Atlantyk", "z Atlantyku"),
    ],
)
def test_a_battleground_has_forms_with_prepositions(language: str, at: str, to: str, out: str) -> None:
    assert [words(language).name("battleground", "atlantic", form) for form in ("at", "to", "from")] == [at, to, out]


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "in “North Sea”"), ("ru", "в зоне «North Sea»"), ("de", "in „Nordsee“"), ("pl", "na polu „North Sea”")],
)
def test_a_renamed_battleground_is_called_by_its_new_name(language: str, expected: str) -> None:
    renamed = words(language, atlantic={"en": "North Sea", "de": "Nordsee"})
    assert renamed.name("battleground", "atlantic", "at") == expected
    assert not renamed.knows(Ref("battleground", "atlantic"))


def test_a_form_nobody_wrote_falls_back_on_the_name() -> None:
    spoken = Words("de", ["13-days"], {Ref("card", "new"): {"en": "Fresh {n}|x"}})
    assert spoken.name("card", "new", "at") == "Fresh {n}|x"


@pytest.mark.parametrize(
    ("language", "both", "either"),
    [
        ("en", "in Berlin, Italy and Turkey", "in Berlin, Italy or Turkey"),
        ("ru", "в Берлине, Италии и Турции", "в Берлине, Италии или Турции"),
        ("de", "in Berlin, Italien und der Türkei", "in Berlin, Italien oder der Türkei"),
        ("pl", "w Berlinie, we Włoszech i w Turcji", "w Berlinie, we Włoszech lub w Turcji"),
    ],
)
def test_a_list_repeats_the_preposition_only_when_it_changes(language: str, both: str, either: str) -> None:
    three = tuple(Ref("battleground", id) for id in ("berlin", "italy", "turkey"))
    condition = Message("condition.leader_on", {"place": three})
    assert both in words(language).text(condition)
    assert either in words(language).text(Message("condition.leader_on", {"place": Either(three)}))


# ---- sentences and numbers


def test_a_sentence_begins_with_a_capital_letter_and_empty_arguments_leave_no_gap() -> None:
    prestige = Message("event.prestige", {"then": "", "who": Ref("side", "us"), "n": 1})
    assert words("de").sentence(prestige) == "Die USA erhalten 1 Ansehenspunkt"
    assert words("ru").sentence(prestige) == "США получают 1 очко престижа"
    chosen = Message("choice.place", {"n": 1, "where": Ref("battleground", "atlantic"), "result": ""})
    verdict: dict[str, Argument] = {
        "taken": chosen,
        "best": chosen,
        "x": 6,
        "error": 3,
        "mark": Message("mark.mistake"),
    }
    said = words("de").with_domain("analysis").sentence(Message("verdict", verdict))
    assert said.startswith("Du hast gewählt: 1 Einflussmarker im Atlantik platzieren. Besser:")


def test_numbers_have_a_true_minus_sign() -> None:
    spoken = words("en")
    assert [spoken.number(n) for n in (-3, 0, 3)] == ["\u22123", "0", "3"]
    assert [spoken.signed(n) for n in (-3, 0, 3)] == ["\u22123", "0", "+3"]


@in_every_language
def test_a_missing_key_is_an_error_that_names_key_and_language(language: str) -> None:
    with pytest.raises(MissingTextError, match=rf"'no\.such\.key' in '{language}'"):
        words(language).text(Message("no.such.key", {"n": 3}))
    with pytest.raises(MissingTextError, match=rf"'battleground\.moon' in '{language}'"):
        words(language).name("battleground", "moon")
    with pytest.raises(KeyError, match="needs an argument 'who'"):
        words(language).text(Message("event.prestige", {"then": "", "n": 1}))


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="there are en, ru, de, pl"):
        Words("fr")
