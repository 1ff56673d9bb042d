"""Loader of the data file of 13 Minutes (the package's own or a copy with the printed values), with all checks.

`engine.data_file` reads it and raises the errors, `games.cuban.checks` checks the events. Ruling Q50 defines a valid
deck.
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
"""The effects dialect without the parts that need DEFCON tracks, a Prestige track or a deck to draw from."""

RESERVED_IDS = (CUBA_ID, "just_played", "all", *COLOURS)
"""Words of a `where`, which cannot be ids of cards."""


def load(path: DataSource | None = None) -> GameData:
    """Read and check a data file, by default the package's own ``cards.toml``.

    Raises:
        DataFileError: the file cannot be read or used; the message names file, line, card and field.
    """
    return read(path, __package__, GameData, _faults, DIALECT.foreign)


def _faults(raw: dict[str, Any], data: GameData) -> Faults:
    """Yield every fault that makes the data unplayable, in the order of the file."""
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
    """Check the order: the arrays of the rules, the journals and the pictures rely on it."""
    yield from exactly_these((), [entry.id for entry in entries], expected, kind)
    for index, entry in enumerate(entries):
        if entry.id != expected[index] or entry.order != index:
            name = shown(expected[index])
            yield fault((kind, index, "order"), "order.number", number=index + 1, name=name, order=index)
        yield from names((kind, index, "names"), entry.names)


def _cards(data: GameData) -> Faults:
    """Check the cards by Q50; their number, values and marks are checked by the schema."""
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
