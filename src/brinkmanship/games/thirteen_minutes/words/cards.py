"""The sentence on a card of 13 Minutes, generated from the effects that the game carries out."""

from __future__ import annotations

from brinkmanship.engine.message import Message, Ref
from brinkmanship.games.cuban.words.cards import event_text
from brinkmanship.games.cuban.words.places import Board
from brinkmanship.games.thirteen_minutes.rules.data import COLOURS, Card, GameData
from brinkmanship.text.words import Words


def board_of(data: GameData) -> Board:
    """Return the battlegrounds as sentences name them: cards by their colour, and Cuba."""
    groups = {colour: tuple(card.id for card in data.card if card.colour == colour) for colour in COLOURS}
    return Board(data.places, groups, data.limits.cubes_per_side)


def card_text(data: GameData, card: Card, words: Words) -> str:
    """Implement `brinkmanship.games.cuban.words.cards.event_text`."""
    return event_text(board_of(data), card, words)


def card_notes(card: Card, words: Words) -> tuple[str, ...]:
    """Return the notes on a card: its colour, and its reconstructed fields."""
    notes = [words.sentence(Message("note.colour", {"colour": Ref("colour", card.colour)}))]
    fields = tuple(Message(f"field.{name}") for name, mark in card.status.marks().items() if mark == "reconstructed")
    if fields:
        notes.append(words.sentence(Message("note.reconstructed", {"fields": fields})))
    return tuple(notes)
