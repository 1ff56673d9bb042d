"""Words: message keys become English, Russian, German or Polish; see `words`, and a package per game beside it.

The rooms that know no game by name ask here: `words_for` a ruleset, `cards_of` it, `agendas_of`, `rules_of` and
`rulings_of` it. The words of a game are the package that its `kit` names, which offers `GameTexts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Protocol, TypeVar, cast

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import kit_for
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

G_contra = TypeVar("G_contra", bound=Game, contravariant=True)


class GameTexts(Protocol[G_contra]):
    """What the package of a game's words offers."""

    def words_of(self, game: G_contra, language: str, /) -> Words:
        """See `words_for`."""
        ...

    def cards_of(self, game: G_contra, words: Words, /) -> list[CardText]:
        """See `cards_of`."""
        ...

    def agendas_of(self, game: G_contra, words: Words, /) -> list[AgendaText]:
        """See `agendas_of`."""
        ...

    def status_of(self, game: G_contra, words: Words, /) -> list[RecordStatus]:
        """See `status_of`."""
        ...

    def rules_of(self, game: G_contra, language: str, /) -> tuple[RuleSection, ...]:
        """See `rules_of`."""
        ...

    def rulings_of(self, game: G_contra, words: Words, /) -> tuple[Ruling, ...]:
        """See `rulings_of`."""
        ...


def words_for(game: Game, language: str) -> Words:
    """The words of a ruleset in one language: its catalogues, and the names as its data file gives them.

    Raises:
        ValueError: the program does not speak this language.
    """
    return _texts(game).words_of(game, language)


def cards_of(game: Game, words: Words) -> list[CardText]:
    """Every card of a ruleset, as its data and options make it, in the order of the data file."""
    return _texts(game).cards_of(game, words)


def agendas_of(game: Game, words: Words) -> list[AgendaText]:
    """Every agenda of a ruleset."""
    return _texts(game).agendas_of(game, words)


def status_of(game: Game, words: Words) -> list[RecordStatus]:
    """What is known of each field of the data file; of the cards, or of what else its records are."""
    return _texts(game).status_of(game, words)


def rules_of(game: Game, language: str) -> tuple[RuleSection, ...]:
    """The rules of a ruleset for players, heading by heading."""
    return _texts(game).rules_of(game, language)


def section_of(game: Game, question: Message) -> str:
    """The section of the rules that a question comes from, by its id; "" where the words of the game name none. They do
    so in a table ``SECTIONS``: by the key of the question, and by "" for all others."""
    while question.key.startswith("wait") and isinstance(asked := question.args.get("what"), Message):
        question = asked
    sections: Mapping[str, str] = getattr(_texts(game), "SECTIONS", {})
    return sections.get(question.key, sections.get("", ""))


def rulings_of(game: Game, words: Words) -> tuple[Ruling, ...]:
    """Every point that the printed rules leave open, and how this ruleset decides it."""
    return _texts(game).rulings_of(game, words)


def card_text_for(game: Game, card_id: str, words: Words) -> CardText:
    """One card of a ruleset.

    Raises:
        KeyError: the ruleset has no card with this id.
    """
    for card in cards_of(game, words):
        if card.id == card_id:
            return card
    raise KeyError(card_id)


def _texts(game: Game) -> GameTexts[Game]:
    return cast("GameTexts[Game]", kit_for(game).module("words") or import_module("brinkmanship.text.default"))
