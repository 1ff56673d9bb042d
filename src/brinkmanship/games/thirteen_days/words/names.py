"""The names in the data file of 13 Days, and the `Words` with them."""

from __future__ import annotations

from brinkmanship.engine.message import Ref
from brinkmanship.games.cuban.data import Names
from brinkmanship.games.cuban.words.cards import branch_names
from brinkmanship.games.thirteen_days.rules.data import GameData
from brinkmanship.games.thirteen_days.words.cards import board_of
from brinkmanship.text.words import NameTable, Words

DOMAIN = "13-days"


def words(data: GameData, language: str) -> Words:
    """Return the words of 13 Days in one language, with the names in `data`.

    The alternatives of an event have names too (kind ``branch``): their sentences on the card.
    """
    known = names(data)
    plain = Words(language, (DOMAIN,), known)
    return Words(language, (DOMAIN,), {**known, **branch_names(board_of(data), data.card, plain)})


def names(data: GameData) -> NameTable:
    """Return every name of the data file: kinds ``battleground``, ``track``, ``agenda``, ``card`` and ``area``."""
    table: dict[Ref, Names] = {}
    for battleground in data.battleground:
        table[Ref("battleground", battleground.id)] = battleground.names
    for track in data.track:
        table[Ref("track", track.id)] = track.names
    for agenda in data.agenda:
        scored = Ref("track", agenda.track) if agenda.track else Ref("battleground", agenda.battleground or "")
        table[Ref("agenda", agenda.id)] = agenda.names or table.get(scored) or {"en": agenda.id}
    for card in data.card:
        table[Ref("card", card.id)] = card.names
    for area in data.areas:
        table[Ref("area", area)] = {"en": area.replace("_", " ").upper()}
    return table
