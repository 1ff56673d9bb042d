"""The texts of 13 Days: names from its data file, the texts of its cards, agendas and options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.words.cards import agenda_text, card_notes, card_text
from brinkmanship.games.thirteen_days.words.names import words
from brinkmanship.games.thirteen_days.words.rulebook import rules_sections
from brinkmanship.games.thirteen_days.words.rulings import rulings
from brinkmanship.text import GameTexts
from brinkmanship.text.history import day_of, history_of
from brinkmanship.text.words import AgendaText, CardText, RuleSection, Ruling, Words

__all__ = ["ThirteenDaysTexts"]


class ThirteenDaysTexts(GameTexts[ThirteenDays]):
    """Texts of 13 Days."""

    sections: ClassVar[Mapping[str, str]] = {
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

    def words_of(self, game: ThirteenDays, language: str, /) -> Words:
        return words(game.data, language)

    def cards_of(self, game: ThirteenDays, words: Words, /) -> list[CardText]:
        """Return the cards as they are in the game's data, which already has the options applied."""
        return [
            CardText(
                id=card.id,
                name=words.name("card", card.id),
                side=card.side,
                side_name=words.name("side", card.side),
                cubes=card.cubes,
                icon=card.defcon_icon,
                text=card_text(game.data, card, words),
                notes=card_notes(card, words),
                history=history_of("card", card.id, words.language),
                day=day_of("card", card.id),
                status=dict.fromkeys(card.disputed, "disputed"),
            )
            for card in game.data.card
        ]

    def agendas_of(self, game: ThirteenDays, words: Words, /) -> list[AgendaText]:
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

    def rules_of(self, game: ThirteenDays, language: str, /) -> tuple[RuleSection, ...]:
        return rules_sections(game.data, language)

    def rulings_of(self, game: ThirteenDays, words: Words, /) -> tuple[Ruling, ...]:
        return rulings(game.data, words)
