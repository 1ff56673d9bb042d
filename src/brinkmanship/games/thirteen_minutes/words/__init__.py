"""Texts of 13 Minutes: names from its data file, and the texts of its cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.words.cards import card_notes, card_text
from brinkmanship.games.thirteen_minutes.words.names import words
from brinkmanship.games.thirteen_minutes.words.rulebook import rules_sections
from brinkmanship.games.thirteen_minutes.words.rulings import rulings
from brinkmanship.text import GameTexts
from brinkmanship.text.history import day_of, history_of
from brinkmanship.text.words import CardText, RuleSection, Ruling, Words

__all__ = ["ThirteenMinutesTexts"]


class ThirteenMinutesTexts(GameTexts[ThirteenMinutes]):
    """Texts of 13 Minutes."""

    sections: ClassVar[Mapping[str, str]] = {
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

    def words_of(self, game: ThirteenMinutes, language: str, /) -> Words:
        return words(game.data, language)

    def cards_of(self, game: ThirteenMinutes, words: Words, /) -> list[CardText]:
        return [
            CardText(
                id=card.id,
                name=words.name("card", card.id),
                side=card.side,
                side_name=words.name("side", card.side),
                cubes=card.cubes,
                icon=False,
                text=card_text(game.data, card, words),
                notes=card_notes(card, words),
                history=history_of("card", card.id, words.language),
                day=day_of("card", card.id),
                status=dict(card.status.marks()),
                colour=card.colour,
                colour_name=words.name("colour", card.colour),
            )
            for card in game.data.card
        ]

    def rules_of(self, game: ThirteenMinutes, language: str, /) -> tuple[RuleSection, ...]:
        return rules_sections(game.data, language)

    def rulings_of(self, game: ThirteenMinutes, words: Words, /) -> tuple[Ruling, ...]:
        return rulings(game.data, words)
