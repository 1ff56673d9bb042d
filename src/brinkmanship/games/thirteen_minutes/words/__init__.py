"""The words of 13 Minutes: names from its data file, the texts of its cards."""

from __future__ import annotations

from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.words.cards import card_notes, card_text
from brinkmanship.games.thirteen_minutes.words.names import DOMAIN, names, words
from brinkmanship.games.thirteen_minutes.words.rules import rules_sections
from brinkmanship.games.thirteen_minutes.words.rulings import rulings
from brinkmanship.text.history import day_of, history_of
from brinkmanship.text.options import option_text
from brinkmanship.text.words import AgendaText, CardText, RecordStatus, RuleSection, Ruling, Words, status_of_cards

__all__ = [
    "DOMAIN",
    "SECTIONS",
    "agendas_of",
    "card_notes",
    "card_text",
    "cards_of",
    "names",
    "option_text",
    "rules_of",
    "rulings_of",
    "status_of",
    "words",
    "words_of",
]


SECTIONS = {
    "": "turn",
    "ask.bid": "bid",
    "ask.bids": "bid",
    "ask.first": "bid",
    "ask.play": "turn",
    "ask.use": "turn",
    "ask.offer": "opponent-cards",
    "ask.command": "command",
    "ask.event": "event",
    "ask.over": "end",
}
"""The section of the rules that a question comes from: by its key, and by "" for all others."""


def words_of(game: ThirteenMinutes, language: str) -> Words:
    """See `brinkmanship.text.words_for`."""
    return words(game.data, language)


def cards_of(game: ThirteenMinutes, words: Words) -> list[CardText]:
    """See `brinkmanship.text.cards_of`."""
    return [
        CardText(
            id=card.id,
            name=words.name("card", card.id),
            side=card.side,
            side_name=words.name("side", card.side),
            cubes=card.cubes,
            icon=False,
            text=card_text(game.data, card, words),
            notes=card_notes(game.data, card, words),
            history=history_of("card", card.id, words.language),
            day=day_of("card", card.id),
            status=dict(card.status.marks()),
            colour=card.colour,
            colour_name=words.name("colour", card.colour),
        )
        for card in game.data.card
    ]


def agendas_of(game: ThirteenMinutes, words: Words) -> list[AgendaText]:  # noqa: ARG001 - as every game
    """See `brinkmanship.text.agendas_of`: this game has none."""
    return []


def status_of(game: ThirteenMinutes, words: Words) -> list[RecordStatus]:
    """See `brinkmanship.text.status_of`."""
    return status_of_cards(cards_of(game, words))


def rules_of(game: ThirteenMinutes, language: str) -> tuple[RuleSection, ...]:
    """See `brinkmanship.text.rules_of`."""
    return rules_sections(game.data, language)


def rulings_of(game: ThirteenMinutes, words: Words) -> tuple[Ruling, ...]:
    """See `brinkmanship.text.rulings_of`."""
    return rulings(game.data, words)
