"""Pictograms: what a card does in marks that are drawn from its data, and a legend that explains every one of them."""

from __future__ import annotations

import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from copy import deepcopy
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from brinkmanship.drawing import drawing_of
from brinkmanship.drawing.pictogram import ROOM, PictogramLine, keys_of, length, rows, strip
from brinkmanship.engine.game import Game
from brinkmanship.games.cuban.data import AnyEffect
from brinkmanship.games.cuban.pictogram_events import EventLines
from brinkmanship.games.registry import load_game
from brinkmanship.text import LANGUAGES, agendas_of, cards_of, words_for

GAMES = ("13-days", "13-minutes")
KINDS = ("military", "political", "world_opinion")
PLACES = {"cuba_military": "military", "cuba_political": "political"}
AREAS = {"defcon_3": [1, 2, 3], "defcon_2": [4, 5, 6], "defcon_1": [7, 8]}

ALL_WORDS: list[dict[str, Any]] = [
    {"op": "place", "where": ["all"], "exactly": 2, "each": 1, "sites": 2, "filter": "other_has_cubes"},
    {"op": "place", "where": ["cuba"], "min": 1, "max": 2, "movement": "none", "area": ["own", "neutral"]},
    {"op": "place", "where": ["just_played"], "max": 1, "movement": "choose", "filter": "of_has_no_cubes"},
    {"op": "place", "where": ["military", "cuba_political"], "exactly": 1, "sites": 1, "optional": True},
    {"op": "move", "where": ["all"], "dir": "toward", "sites": 1, "exactly": 1, "area": ["opponent"]},
    {"op": "move", "where": ["political"], "dir": "away", "max": 2, "of": "opponent"},
    {"op": "move", "where": ["all"], "dir": "neutral", "max": 2, "if": {"cubes_of": "us", "at": "cuba", "at_least": 1}},
]
"""Words of the vocabulary that no card of the package uses, and some that do."""

in_every_game = pytest.mark.parametrize("game_id", GAMES)


def things(game: Game) -> list[tuple[str, str]]:
    """Every card and agenda, by kind and id."""
    words = words_for(game, "en")
    cards = [("card", card.id) for card in cards_of(game, words)]
    return [*cards, *(("agenda", agenda.id) for agenda in agendas_of(game, words))]


def lines_of(game: Game) -> list[PictogramLine]:
    """The marks of all of them."""
    return [line for kind, id in things(game) for line in drawing_of(game).pictogram(game, kind, id)]


def written(game_id: str) -> list[dict[str, Any]]:
    """The cards of the package as its data file writes them."""
    folder = {"13-days": "thirteen_days", "13-minutes": "thirteen_minutes"}[game_id]
    text = files(f"brinkmanship.games.{folder}").joinpath("cards.toml").read_text("utf-8")
    return list(tomllib.loads(text)["card"])


def event(effects: list[dict[str, Any]], side: str) -> list[PictogramLine]:
    """The marks of an event as a data file writes it."""
    read = [msgspec.convert(effect, AnyEffect) for effect in effects]
    return EventLines(side, KINDS, PLACES, AREAS).lines(read)


def numbers(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where numbers stand in data."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield at
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield from numbers(member, (*at, name))


def with_another(effects: list[dict[str, Any]], at: tuple[Any, ...], by: int) -> list[dict[str, Any]]:
    """The effects with one of their numbers changed."""
    changed = deepcopy(effects)
    inside: Any = changed
    for step in at[:-1]:
        inside = inside[step]
    inside[at[-1]] += by
    return changed


@in_every_game
def test_every_card_and_agenda_has_a_pictogram_of_its_own(game_id: str) -> None:
    game = load_game(game_id)
    drawing = drawing_of(game)
    strips = {(kind, id): strip(drawing.pictogram(game, kind, id)) for kind, id in things(game)}
    assert all(ET.fromstring(picture).get("aria-hidden") == "true" for picture in strips.values())
    assert not any("style=" in picture for picture in strips.values())


@in_every_game
def test_no_strip_is_wider_than_a_card_or_too_small_at_160_pixels(game_id: str) -> None:
    game = load_game(game_id)
    for kind, id in things(game):
        lines = drawing_of(game).pictogram(game, kind, id)
        assert max(length(row) for row in rows(lines)) <= ROOM, id
        assert len(rows(lines)) <= 3, id
        sizes = map(float, re.findall(r'font-size="([\d.]+)"', strip(lines)))
        assert all(size * 160 / ROOM >= 13 for size in sizes), id


@in_every_game
def test_another_number_in_the_data_is_another_strip(game_id: str) -> None:
    for card in written(game_id):
        effects, side = card["effects"], card["side"]
        before = strip(event(effects, side))
        for at in numbers(effects):
            if at[-1] == "sites" and effects[at[0]].get("where") == ["cuba"]:
                continue  # one place is one place
            assert any(strip(event(with_another(effects, at, by), side)) != before for by in (1, -1)), (card["id"], at)


def test_another_place_side_or_chooser_is_another_strip() -> None:
    one = {"op": "place", "where": ["italy"], "of": "us", "by": "us", "max": 2}
    others = [
        {"where": ["turkey"]},
        {"of": "ussr"},
        {"by": "ussr"},
        {"filter": "of_has_cubes"},
        {"exactly": 2, "max": None},
    ]
    strips = {strip(event([one | other], "us")) for other in ({}, *others)}
    assert len(strips) == 1 + len(others)


def test_alternatives_and_what_follows_stand_in_lines_of_their_own() -> None:
    gains = {"op": "prestige", "exactly": 1}
    choice = {"op": "choose", "by": "ussr", "options": [{"effects": [gains]}, {"effects": [gains, gains]}]}
    lines = event([gains, choice], "us")
    assert len(lines) == 4
    assert [sorted(keys_of([line]))[:1] for line in lines[:1]] == [["prestige"]]
    assert {"then", "chooser", "or", "side:ussr"} <= set(keys_of(lines))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_legend_explains_every_mark(language: str) -> None:
    for game_id in GAMES:
        game = load_game(game_id)
        made = [*lines_of(game), *event(ALL_WORDS, "us"), *event(ALL_WORDS, "un")]
        keys = list(keys_of(made))
        legend = drawing_of(game).explain(game, words_for(game, language), keys)
        assert [one.key for one in legend] == keys
        assert all(one.text and ET.fromstring(one.picture) is not None for one in legend)
        unexplained = [token for line in made for token in line.tokens if not token.keys and "<text" not in token.body]
        assert all("M1 0Q" in token.body or token.width == 6.0 for token in unexplained)  # a bracket's end, a gap
