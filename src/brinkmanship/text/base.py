"""The base class of a game's texts. Its methods are the defaults for a game without texts, made from data and ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from brinkmanship.engine.game import Game
from brinkmanship.text import default
from brinkmanship.text.words import AgendaText, CardText, RecordStatus, RuleSection, Ruling, Words, status_of_cards

G = TypeVar("G", bound=Game)


class GameTexts(Generic[G]):
    """Base class of the texts of a game. A game overrides the texts that it has; `G` is the class of its rulesets."""

    sections: ClassVar[Mapping[str, str]] = {}
    """Sections of the rules that questions belong to: by the question's key, and by "" for all others."""

    def words_of(self, game: G, language: str, /) -> Words:
        """Return the words of a ruleset; see `text.words_for`."""
        return default.words_of(game, language)

    def cards_of(self, game: G, words: Words, /) -> list[CardText]:
        """Return every card of a ruleset, in the order of the data file; by default none."""
        del game, words
        return []

    def agendas_of(self, game: G, words: Words, /) -> list[AgendaText]:
        """Return every agenda of a ruleset; by default none."""
        del game, words
        return []

    def status_of(self, game: G, words: Words, /) -> list[RecordStatus]:
        """Return the certainty of each field of the data file; by default of the fields of the cards."""
        return status_of_cards(self.cards_of(game, words))

    def rules_of(self, game: G, language: str, /) -> tuple[RuleSection, ...]:
        """Return the rules for players as sections; by default none."""
        del game, language
        return ()

    def rulings_of(self, game: G, words: Words, /) -> tuple[Ruling, ...]:
        """Return each point that the printed rules leave open, with the decision of this ruleset; by default none."""
        del game, words
        return ()
