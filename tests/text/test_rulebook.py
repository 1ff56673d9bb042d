"""What one reads about a game is built alike in four languages, for every game: its rules."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from brinkmanship.games.registry import BUILT_IN, built_in
from brinkmanship.text import LANGUAGES

for_every_game = pytest.mark.parametrize("game_id", BUILT_IN)
in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def sections(game_id: str, language: str) -> list[str]:
    """The rules as they are written."""
    text = (built_in()[game_id].folder / "words" / f"rules.{language}.md").read_text("utf-8")
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
    pictures = import_module(built_in()[game_id].name_of("words.rulebook")).PICTURES
    written = "\n".join(sections(game_id, language))
    assert tuple(re.findall(r"^\{picture:(\w+)\}$", written, re.MULTILINE)) == pictures
