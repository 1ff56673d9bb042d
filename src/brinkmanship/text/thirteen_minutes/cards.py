"""The sentence on a card of 13 Minutes, written from the same effects that the game carries out."""

from __future__ import annotations

from brinkmanship.engine.message import Message, Ref
from brinkmanship.games.events.data import Choose, effects_in_order
from brinkmanship.games.thirteen_minutes.data import COLOURS, Card, GameData
from brinkmanship.text.events.event import EventText
from brinkmanship.text.events.places import Board
from brinkmanship.text.words import Words


def board_of(data: GameData) -> Board:
    """The battlegrounds as sentences name them: cards by their colour, and Cuba."""
    groups = {colour: tuple(card.id for card in data.card if card.colour == colour) for colour in COLOURS}
    return Board(data.places, groups, data.limits.cubes_per_side)


def card_text(data: GameData, card: Card, words: Words) -> str:
    """The event of a card in words. The alternatives of a choice stand on lines of their own, each after a bullet."""
    return EventText(board_of(data), card.side, words).text(card.effects)


def branch_texts(data: GameData, card: Card, words: Words) -> dict[str, str]:
    """The alternatives of a card's event, without the full stop. A key is the card, the number of the effect that
    offers them (from 0, in the order of the rules' tables) and that of the alternative (from 1)."""
    texts = {}
    for number, effect in enumerate(effects_in_order(card.effects)):
        if isinstance(effect, Choose):
            for branch, text in enumerate(EventText(board_of(data), card.side, words).branches(effect), 1):
                texts[f"{card.id}.{number}.{branch}"] = text.removesuffix(".")
    return texts


def card_notes(data: GameData, card: Card, words: Words) -> tuple[str, ...]:  # noqa: ARG001 - as in 13 Days
    """What to know beside the event: the colour of the card, and which of its fields are reconstructed."""
    notes = [words.sentence(Message("note.colour", {"colour": Ref("colour", card.colour)}))]
    fields = tuple(Message(f"field.{name}") for name, mark in card.status.marks().items() if mark == "reconstructed")
    if fields:
        notes.append(words.sentence(Message("note.reconstructed", {"fields": fields})))
    return tuple(notes)
