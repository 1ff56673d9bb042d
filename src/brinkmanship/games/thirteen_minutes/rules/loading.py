"""Reads the data file of 13 Minutes, the package's own or a copy with the printed values, and checks all of it.

Reading and its errors are `engine.data_file`, the checks of events `games.cuban.checks`. What a deck must be is
ruling Q50.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from brinkmanship.engine.data_file import (
    DataSource,
    Faults,
    exactly_these,
    fault,
    known_name,
    names,
    options,
    read,
    shown,
    unique_ids,
)
from brinkmanship.games.cuban.checks import Dialect, EventChecks, foreign_words
from brinkmanship.games.thirteen_minutes.rules.data import COLOURS, CUBA_ID, Area, Colour, GameData
from brinkmanship.games.thirteen_minutes.rules.tables import OPTION_VALUES

AREAS = ("us", "neutral", "ussr")
DECK = {"us": 5, "ussr": 5, "un": 3}
"""Cards of each side (K1)."""
COLOURED = {"military": 5, "political": 4, "world_opinion": 4}
"""Cards of each colour (F8, K2)."""

DIALECT = Dialect(
    title="13 Minutes",
    other="13 Days",
    foreign=dict.fromkeys(
        ("place_until", "shift", "prestige", "modifier", "deflation_ban", "exchange_hand", "take_card")
    ),
    words=("tv_leader", "leader_on", "marker", "track", "area", "higher", "than"),
)
"""What DEFCON tracks, Prestige on a track and a deck to draw from are needed for."""

RESERVED_IDS = (CUBA_ID, "just_played", "all", *COLOURS)
"""Words of a `where`, which no card can have as its id."""


def load(path: DataSource | None = None) -> GameData:
    """Read and check a data file; without a path the package's own ``cards.toml``.

    Raises:
        DataFileError: the file cannot be read or used; the message names file, line, card and field.
    """
    return read(path, __package__, GameData, _faults, DIALECT.foreign)


def _faults(raw: dict[str, Any], data: GameData) -> Faults:
    """Everything that keeps the data from being played, in the order of the file."""
    yield from foreign_words(raw, DIALECT)
    yield from options(data.options, OPTION_VALUES)
    yield from _presets(data)
    yield from _in_order("area", data.area, AREAS)
    yield from _in_order("colour", data.colour, COLOURS)
    for index, colour in enumerate(data.colour):
        if colour.cards != COLOURED[colour.id]:
            at = ("colour", index, "cards")
            yield fault(at, "must_be.by_rule", what=COLOURED[colour.id], value=colour.cards, rule="F8, K2")
    yield from names(("cuba", "names"), data.cuba.names)
    yield from _cards(data)


def _presets(data: GameData) -> Faults:
    for preset, values in data.presets.items():
        for name, value in values.items():
            yield from known_name(("presets", preset, name), name, OPTION_VALUES, "option")
            option = data.options[name]
            least, most = option.range or (0, 0)
            taken = least <= int(value) <= most if option.range else value in option.values
            if not taken:
                yield fault(("presets", preset, name), "no_value", value=shown(value))


def _in_order(kind: str, entries: Sequence[Area | Colour], expected: tuple[str, ...]) -> Faults:
    """The table is fixed: the arrays of the rules, the journals and the pictures rely on its order."""
    yield from exactly_these((), [entry.id for entry in entries], expected, kind)
    for index, entry in enumerate(entries):
        if entry.id != expected[index] or entry.order != index:
            name = shown(expected[index])
            yield fault((kind, index, "order"), "order.number", number=index + 1, name=name, order=index)
        yield from names((kind, index, "names"), entry.names)


def _cards(data: GameData) -> Faults:
    """Q50; the number of cards, their values and marks are matters of shape."""
    yield from unique_ids("card", [card.id for card in data.card])
    checks = EventChecks(data.places, _groups(data))
    for index, card in enumerate(data.card):
        if card.id in RESERVED_IDS:
            yield fault(("card", index, "id"), "id_taken", name=shown(card.id))
        yield from checks.card(("card", index), card)
    yield from _count("side", Counter(card.side for card in data.card), DECK)
    yield from _count("colour", Counter(card.colour for card in data.card), COLOURED)


def _groups(data: GameData) -> dict[str, tuple[str, ...]]:
    by_colour = {colour: tuple(card.id for card in data.card if card.colour == colour) for colour in COLOURS}
    return {**by_colour, "all": data.places, "just_played": ("just_played",)}


def _count(field: str, found: Counter[str], expected: dict[str, int]) -> Faults:
    for name, number in expected.items():
        if found[name] != number:
            yield fault((), "deck_count", found=found[name], field=field, name=shown(name), needed=number)
