"""The names in the data file of 13 Days, and the `Words` that know them."""

from __future__ import annotations

from brinkmanship.engine.message import Ref
from brinkmanship.games.events.data import Names
from brinkmanship.games.thirteen_days.data import GameData
from brinkmanship.text.thirteen_days.cards import branch_texts
from brinkmanship.text.words import NameTable, Words

DOMAIN = "13-days"


def words(data: GameData, language: str) -> Words:
    """The words of 13 Days in one language, with the names as they stand in `data`.

    The alternatives of an event have names too (kind ``branch``): the sentences that stand on the card.
    """
    known = names(data)
    return Words(language, (DOMAIN,), {**known, **_branches(data, Words(language, (DOMAIN,), known))})


def _branches(data: GameData, words: Words) -> NameTable:
    table: dict[Ref, Names] = {}
    for card in data.card:
        for id, text in branch_texts(data, card, words).items():
            table[Ref("branch", id)] = {"en": text}
    return table


def names(data: GameData) -> NameTable:
    """Every name of the data file: kinds ``battleground``, ``track``, ``agenda``, ``card`` and ``area``."""
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
