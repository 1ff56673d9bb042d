"""Pictograms of the cards of 13 Minutes."""

from __future__ import annotations

from collections.abc import Iterable

from brinkmanship.drawing.pictogram import LegendEntry, PictogramLine
from brinkmanship.games.cuban.pictogram_events import EventLines, explained
from brinkmanship.games.thirteen_minutes.drawing.labels import labels_for
from brinkmanship.games.thirteen_minutes.rules.data import Card
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.text import Words


def pictogram(game: ThirteenMinutes, _kind: str, id: str) -> list[PictogramLine]:
    """Return the marks of a card by its id; see `Drawing.pictogram`."""
    return card_lines(game, next(card for card in game.data.card if card.id == id))


def card_lines(game: ThirteenMinutes, card: Card) -> list[PictogramLine]:
    """Return the marks of an event."""
    return EventLines(card.side, [colour.id for colour in game.data.colour]).lines(card.effects)


def explain(game: ThirteenMinutes, words: Words, keys: Iterable[str]) -> list[LegendEntry]:
    """Implement `Drawing.explain`."""
    return explained(keys, labels_for(words, game.data))
