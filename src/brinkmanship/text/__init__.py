"""Texts: `words` renders message keys in English, Russian, German or Polish.

Modules that know no game by name use these functions on a ruleset: `words_for`, `cards_of`, `agendas_of`, `rules_of`
and `rulings_of`. The texts of a game are a class in its package `words` that extends `base.GameTexts`; a game without
it gets the defaults, its data and its ids made readable (`default`).
"""

from __future__ import annotations

from functools import cache

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import Kit, implementation, kit_for
from brinkmanship.text.base import GameTexts
from brinkmanship.text.words import (
    LANGUAGE_NAMES,
    LANGUAGES,
    AgendaText,
    CardText,
    Either,
    MissingTextError,
    NameTable,
    RecordStatus,
    RuleSection,
    Ruling,
    RulingValue,
    Words,
)

__all__ = [
    "LANGUAGES",
    "LANGUAGE_NAMES",
    "AgendaText",
    "CardText",
    "Either",
    "GameTexts",
    "MissingTextError",
    "NameTable",
    "RecordStatus",
    "RuleSection",
    "Ruling",
    "RulingValue",
    "Words",
    "agendas_of",
    "card_text_for",
    "cards_of",
    "rules_of",
    "rulings_of",
    "section_of",
    "status_of",
    "words_for",
]


def words_for(game: Game, language: str) -> Words:
    """Return the words of a ruleset in one language: its catalogues, and the names from its data file.

    Raises:
        ValueError: the language is not supported.
    """
    return _texts(game).words_of(game, language)


def cards_of(game: Game, words: Words) -> list[CardText]:
    """Return every card of a ruleset with its options applied, in the order of the data file."""
    return _texts(game).cards_of(game, words)


def agendas_of(game: Game, words: Words) -> list[AgendaText]:
    """Return every agenda of a ruleset."""
    return _texts(game).agendas_of(game, words)


def status_of(game: Game, words: Words) -> list[RecordStatus]:
    """Return the certainty of each field of the data file: of the cards, or of its other records."""
    return _texts(game).status_of(game, words)


def rules_of(game: Game, language: str) -> tuple[RuleSection, ...]:
    """Return the rules of a ruleset for players, as sections."""
    return _texts(game).rules_of(game, language)


def section_of(game: Game, question: Message) -> str:
    """Return the id of the section of the rules that a question belongs to; "" if the game names none for it."""
    while question.key.startswith("wait") and isinstance(awaited := question.args.get("what"), Message):
        question = awaited
    sections = _texts(game).sections
    return sections.get(question.key, sections.get("", ""))


def rulings_of(game: Game, words: Words) -> tuple[Ruling, ...]:
    """Return every point that the printed rules leave open, with the decision of this ruleset."""
    return _texts(game).rulings_of(game, words)


def card_text_for(game: Game, card_id: str, words: Words) -> CardText:
    """Return one card of a ruleset.

    Raises:
        KeyError: the ruleset has no card with this id.
    """
    for card in cards_of(game, words):
        if card.id == card_id:
            return card
    raise KeyError(card_id)


def _texts(game: Game) -> GameTexts[Game]:
    return _texts_in(kit_for(game))


@cache
def _texts_in(kit: Kit) -> GameTexts[Game]:
    return (implementation(kit, "words", GameTexts) or GameTexts)()
