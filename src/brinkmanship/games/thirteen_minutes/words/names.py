"""The names in the data file of 13 Minutes, and the `Words` that use them."""

from __future__ import annotations

from brinkmanship.engine.message import Ref
from brinkmanship.games.cuban.data import Names
from brinkmanship.games.cuban.words.cards import branch_names
from brinkmanship.games.thirteen_minutes.rules.data import GameData
from brinkmanship.games.thirteen_minutes.words.cards import board_of
from brinkmanship.text.words import NameTable, Words

DOMAIN = "13-minutes"
PAGES_DOMAIN = "13-minutes-pages"
"""The catalogue of the pages around the game: options, editions, captions."""
_DOMAINS = (DOMAIN, PAGES_DOMAIN)


def words(data: GameData, language: str) -> Words:
    """Return the words of 13 Minutes in one language, with the names of `data`.

    The alternatives of an event have names too (kind ``branch``): the sentences printed on the card.
    """
    known = names(data)
    plain = Words(language, _DOMAINS, known)
    return Words(language, _DOMAINS, {**known, **branch_names(board_of(data), data.card, plain)})


def names(data: GameData) -> NameTable:
    """Return all names of the data file: kinds ``card``, ``battleground`` (a card or Cuba), ``area``, ``colour``."""
    table: dict[Ref, Names] = {Ref("battleground", data.cuba.id): data.cuba.names}
    for card in data.card:
        table[Ref("card", card.id)] = table[Ref("battleground", card.id)] = card.names
    for area in data.area:
        table[Ref("area", area.id)] = area.names
    for colour in data.colour:
        table[Ref("colour", colour.id)] = colour.names
    return table
