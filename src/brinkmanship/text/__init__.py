"""Words: message keys become English, Russian, German or Polish; see `words`, and a package per game beside it.

The rooms that know no game by name ask here: `words_for` a ruleset, `cards_of` it, `agendas_of`, `rules_of` and
`rulings_of` it. A new game adds its package to `PACKAGES` and offers these functions there (`words_of` for the first).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from brinkmanship.engine.game import Game
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
    "PACKAGES",
    "AgendaText",
    "CardText",
    "Either",
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
    "status_of",
    "words_for",
]

PACKAGES = {
    "13-days": "brinkmanship.text.thirteen_days",
    "13-minutes": "brinkmanship.text.thirteen_minutes",
    "ukrainian-crisis": "brinkmanship.text.ukrainian_crisis",
}
"""Where the words of each game are, imported when they are needed."""


def words_for(game: Game, language: str) -> Words:
    """The words of a ruleset in one language: its catalogues, and the names as its data file gives them.

    Raises:
        ValueError: the program does not speak this language.
    """
    words: Words = _package(game).words_of(game, language)
    return words


def cards_of(game: Game, words: Words) -> list[CardText]:
    """Every card of a ruleset, as its data and options make it, in the order of the data file."""
    cards: list[CardText] = _package(game).cards_of(game, words)
    return cards


def agendas_of(game: Game, words: Words) -> list[AgendaText]:
    """Every agenda of a ruleset."""
    agendas: list[AgendaText] = _package(game).agendas_of(game, words)
    return agendas


def status_of(game: Game, words: Words) -> list[RecordStatus]:
    """What is known of each field of the data file; of the cards, unless the game has other records than cards."""
    package = _package(game)
    if hasattr(package, "status_of"):
        records: list[RecordStatus] = package.status_of(game, words)
        return records
    return [RecordStatus(card.name, card.id, card.status) for card in cards_of(game, words)]


def rules_of(game: Game, language: str) -> tuple[RuleSection, ...]:
    """The rules of a ruleset for players, heading by heading."""
    sections: tuple[RuleSection, ...] = _package(game).rules_of(game, language)
    return sections


def rulings_of(game: Game, words: Words) -> tuple[Ruling, ...]:
    """Every point that the printed rules leave open, and how this ruleset decides it."""
    found: tuple[Ruling, ...] = _package(game).rulings_of(game, words)
    return found


def card_text_for(game: Game, card_id: str, words: Words) -> CardText:
    """One card of a ruleset.

    Raises:
        KeyError: the ruleset has no card with this id.
    """
    for card in cards_of(game, words):
        if card.id == card_id:
            return card
    raise KeyError(card_id)


def _package(game: Game) -> Any:
    return import_module(PACKAGES[game.id])
