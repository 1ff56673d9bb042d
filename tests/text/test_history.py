"""What is behind the cards, agendas and events: a text with a year in every language, and two sources for each."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from io import StringIO

import pytest
from babel.messages.pofile import read_po
from rich.console import Console

from brinkmanship.engine.match import Match
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.terminal.tables import table_for
from brinkmanship.terminal.words import terminal_words
from brinkmanship.text import LANGUAGES, agendas_of, cards_of, words_for
from brinkmanship.text.history import DAYS, DOMAIN, history_of
from brinkmanship.text.words import catalogue_file

SOURCE = "Source: "
"""Beginning of a comment above an English text that names a source."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def sentences(text: str) -> int:
    return len(re.findall(r"(?<!\b\d)(?<!\b\d\d)[.?!](?= |$)", text))  # not the point of "24. Oktober"


@cache
def sources() -> dict[str, tuple[str, ...]]:
    """The sources of every text, by its key."""
    with catalogue_file(DOMAIN, "en").open("rb") as file:
        found = {str(entry.id): entry.auto_comments for entry in read_po(file) if entry.id}
    return {
        key: tuple(line.removeprefix(SOURCE) for line in lines if line.startswith(SOURCE))
        for key, lines in found.items()
    }


@cache
def texts(language: str) -> dict[str, str]:
    """Every text of the catalogue, by its key."""
    with catalogue_file(DOMAIN, language).open("rb") as file:
        return {entry.id: entry.string for entry in read_po(file) if entry.id}


@in_every_language
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_card_agenda_and_event_tells_what_is_behind_it(game_id: str, language: str) -> None:
    game = load_game(game_id)
    words = words_for(game, language)
    for record in (*cards_of(game, words), *agendas_of(game, words)):
        assert 1 <= sentences(record.history) <= 3, record.id
        assert record.history.endswith("."), record.id
        assert _YEAR.search(record.history), record.id


@in_every_language
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_the_page_of_a_card_in_the_terminal_tells_it_too(game_id: str, language: str) -> None:
    game = load_game(game_id)
    words = terminal_words(game, language)
    table = table_for(game, words)
    view = Match(game).view(0)
    for record in (*cards_of(game, words), *agendas_of(game, words)):
        console = Console(width=20_000, file=StringIO())
        console.print(table.card_page(record.id, view, 0))
        assert record.history in console.file.getvalue(), record.id


@in_every_language
def test_what_nobody_wrote_about_has_no_history(language: str) -> None:
    assert history_of("card", "peace_at_last", language) == ""
    assert history_of("agenda", "u_thant", language) == ""


@in_every_language
def test_the_years_are_the_same_in_every_language(language: str) -> None:
    for key, text in texts("en").items():
        assert set(_YEAR.findall(texts(language)[key])) == set(_YEAR.findall(text)), key


@pytest.mark.parametrize(("key", "day"), DAYS.items())
def test_a_day_is_named_in_its_text(key: str, day: date) -> None:
    text = texts("en")[f"{DOMAIN}.{key}"]
    assert re.search(rf"\b{day.day}\b.* {day:%B} {day.year}\b", text), text


@in_every_language
def test_every_text_has_two_sources_and_every_source_a_text(language: str) -> None:
    assert set(sources()) == set(texts(language))
    for key, found in sources().items():
        assert len(set(found)) == 2, key
        assert all(len(source) > 10 for source in found), key
