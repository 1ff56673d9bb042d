"""The words of 13 Days: names from its data file, the texts of its cards, agendas and options."""

from __future__ import annotations

from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.words.cards import agenda_text, card_notes, card_text
from brinkmanship.games.thirteen_days.words.names import DOMAIN, names, words
from brinkmanship.games.thirteen_days.words.rules import rules_sections
from brinkmanship.games.thirteen_days.words.rulings import rulings
from brinkmanship.text.history import day_of, history_of
from brinkmanship.text.options import option_text
from brinkmanship.text.words import AgendaText, CardText, RecordStatus, RuleSection, Ruling, Words, status_of_cards

__all__ = [
    "DOMAIN",
    "SECTIONS",
    "agenda_text",
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
    "": "round",
    "ask.agenda": "agendas",
    "ask.agendas": "agendas",
    "ask.first.behind": "round",
    "ask.first.tied": "round",
    "ask.play": "turn",
    "ask.command": "command",
    "ask.event": "event",
    "ask.trigger": "opponent-cards",
    "ask.taken_card": "event",
    "ask.television": "world-opinion",
    "ask.alliances": "world-opinion",
    "ask.drawn_card": "world-opinion",
    "ask.over": "end",
}
"""The section of the rules that a question comes from: by its key, and by "" for all others."""


def words_of(game: ThirteenDays, language: str) -> Words:
    """See `brinkmanship.text.words_for`."""
    return words(game.data, language)


def cards_of(game: ThirteenDays, words: Words) -> list[CardText]:
    """See `brinkmanship.text.cards_of`; the options that change cards are already in the game's data."""
    return [
        CardText(
            id=card.id,
            name=words.name("card", card.id),
            side=card.side,
            side_name=words.name("side", card.side),
            cubes=card.cubes,
            icon=card.defcon_icon,
            text=card_text(game.data, card, words),
            notes=card_notes(game.data, card, words),
            history=history_of("card", card.id, words.language),
            day=day_of("card", card.id),
            status=dict.fromkeys(card.disputed, "disputed"),
        )
        for card in game.data.card
    ]


def agendas_of(game: ThirteenDays, words: Words) -> list[AgendaText]:
    """See `brinkmanship.text.agendas_of`."""
    return [
        AgendaText(
            id=agenda.id,
            name=words.name("agenda", agenda.id),
            copies=agenda.copies,
            icon=agenda.defcon_icon,
            text=agenda_text(game.data, agenda, words),
            history=history_of("agenda", agenda.id, words.language),
            day=day_of("agenda", agenda.id),
        )
        for agenda in game.data.agenda
    ]


def status_of(game: ThirteenDays, words: Words) -> list[RecordStatus]:
    """See `brinkmanship.text.status_of`."""
    return status_of_cards(cards_of(game, words))


def rules_of(game: ThirteenDays, language: str) -> tuple[RuleSection, ...]:
    """See `brinkmanship.text.rules_of`."""
    return rules_sections(game.data, language)


def rulings_of(game: ThirteenDays, words: Words) -> tuple[Ruling, ...]:
    """See `brinkmanship.text.rulings_of`."""
    return rulings(game.data, words)
