"""No text carries the header of its catalogue, and the texts shown to a waiting player speak of the other side."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import brinkmanship
from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.testing import walk
from brinkmanship.text import LANGUAGES, words_for

CATALOGUES = {file.name: file for file in sorted(Path(brinkmanship.__file__).parent.rglob("*.po"))}
FILES = sorted(CATALOGUES)
HEADER = re.compile(
    r"\b(?:Plural-Forms|Content-Type|Content-Transfer-Encoding|MIME-Version):|nplurals=|\bmsg(?:id|str)\b"
)

VISITORS = (
    "web",
    "players",
    "analysis",
    "account",
    "workshop",
    "branches",
    "puzzles",
    "library",
    "common",
    "series",
    "matches",
    "oidc",
    "profiles",
    "sharing",
    "printing",
    "seeks",
    "board_text",
    "card_driven",
    "tournaments",
    "push",
    "watch",
    "annotated",
    "daily",
    "solo",
    "record",
)
"""Domains that a visitor of the server reads."""
STRAIGHT_APOSTROPHE = re.compile(r"[^\W\d_]'[^\W\d_]|[a-z]s' [a-z]")
NUMBER_OF_THINGS = re.compile(r"\{n(?::\w+)?\} [a-z]+s\b")
"""A number before an English plural, which may be 1."""

WAITING = {
    "en": re.compile(r"Waiting for (?:the US|the USSR|Ukraine|Russia|both sides) to (?!an? |the )[a-z]+\b.*"),
    "ru": re.compile(r"Ждём (?:США|СССР|Украину|Россию|обе стороны): .+"),
    "de": re.compile(r"Warten auf (?:die USA|die UdSSR|die Ukraine|Russland|beide Seiten): [A-ZÄÖÜ].+"),
    "pl": re.compile(r"Czekamy na (?:USA|ZSRR|Ukrainę|Rosję|obie strony): .+"),
}
TO_THE_READER = {
    "en": re.compile(r"\byou(?:rs?)?\b|\?", re.IGNORECASE),
    "ru": re.compile(r"\b(?:вы|вас|вам|ваш\w*)\b|\b\w{2,}(?:йте|ите|ьте)\b|\?", re.IGNORECASE),
    "de": re.compile(r"\b(?:du|dir|dich|dein\w*)\b|\?", re.IGNORECASE),
    "pl": re.compile(r"\b(?:ty|ci|cię|twój|twoj\w+|możesz)\b|\?", re.IGNORECASE),
}
"""Words that speak to the viewer: personal pronouns, Russian imperatives, questions."""
NEVER_WAITED_FOR = re.compile(
    r"ask\.(?:over|step\.\w+|agendas|bids"  # told to everybody
    r"|deal|draw|random_card|coin|turn_up|draw_event|deal_card|roll|die|dice_sum|hits|any_zone"  # chance
    r"|(?:place|remove)_more|take_cubes(?:\.more)?|put_cubes|exchange|chosen_move)"  # a part of ask.event
)
GAMES = 4

in_every_file = pytest.mark.parametrize("file", FILES)
in_every_language = pytest.mark.parametrize("language", LANGUAGES)
for_every_game = pytest.mark.parametrize("game_id", BUILT_IN)


@cache
def texts(file: str) -> dict[str, tuple[str, ...]]:
    """Return every key of a catalogue with its text, or its plural forms."""
    with CATALOGUES[file].open("rb") as opened:
        entries = [entry for entry in read_po(opened) if entry.id]
    keys = [entry.id if isinstance(entry.id, str) else entry.id[0] for entry in entries]
    said = [(entry.string,) if isinstance(entry.string, str) else tuple(entry.string) for entry in entries]
    return dict(zip(keys, said, strict=True))


@in_every_file
def test_no_text_holds_a_line_of_the_header_or_ends_in_a_line_break(file: str) -> None:
    wrong = {key: text for key, forms in texts(file).items() for text in forms if HEADER.search(text)}
    assert wrong == {}
    assert [key for key, forms in texts(file).items() if any(text.endswith("\n") for text in forms)] == []


@in_every_file
def test_apostrophes_are_curly(file: str) -> None:
    wrong = [key for key, forms in texts(file).items() if any(STRAIGHT_APOSTROPHE.search(text) for text in forms)]
    assert wrong == []


@pytest.mark.parametrize("file", [f"{domain}.en.po" for domain in VISITORS])
def test_a_number_of_things_has_plural_forms_and_percent_no_space(file: str) -> None:
    for key, forms in texts(file).items():
        assert len(forms) > 1 or not NUMBER_OF_THINGS.search(forms[0]), key
        assert not any("} %" in text for text in forms), key


@pytest.mark.parametrize("file", [file for file in FILES if file.endswith(".en.po")])
def test_a_number_of_dice_may_be_one(file: str) -> None:
    for key, forms in texts(file).items():
        assert len(forms) > 1 or not re.search(r"\{\w+\} (combat )?dice\b", forms[0]), key


# ---- what a player reads while the other side decides


@for_every_game
@in_every_language
def test_every_question_has_words_of_its_own_for_the_side_that_waits(game_id: str, language: str) -> None:
    said = texts(f"{game_id}.{language}.po")
    asked = [key for key in said if key.startswith("ask.") and "|" not in key and not NEVER_WAITED_FOR.fullmatch(key)]
    assert [key for key in asked if f"{key}|wait" not in said] == []
    for key in asked:
        for text in said[f"{key}|wait"]:
            assert not TO_THE_READER[language].search(text), key
            if language != "en":  # the English infinitive is the imperative after "to"
                assert text[0].isupper() or text.split()[0] != said[key][0].split()[0], key


@cache
def waited_for(game_id: str) -> tuple[Message, ...]:
    """Return every text about waiting in a few games, each once."""
    game = load_game(game_id)
    found: dict[str, Message] = {}
    for number in range(GAMES):
        for position in walk(game, number, 1962):
            for viewer in (0, 1, OBSERVER):
                message = game.narrator.prompt(game.view_of(position.state, viewer), viewer)
                if message.key.startswith("wait"):
                    found.setdefault(repr(message), message)
    return tuple(found.values())


@for_every_game
@in_every_language
def test_a_text_about_waiting_names_the_other_side_and_its_task(game_id: str, language: str) -> None:
    words = words_for(load_game(game_id), language)
    said = {words.sentence(message) for message in waited_for(game_id)}
    assert len(said) > 10
    for sentence in said:
        assert WAITING[language].fullmatch(sentence), sentence
        assert not TO_THE_READER[language].search(sentence), sentence
