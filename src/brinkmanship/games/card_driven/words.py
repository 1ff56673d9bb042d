"""Texts of card-driven games: names from the data file, sentences from the layer's catalogue, cards from their effects.

A game's own catalogue comes first, so that it may say things differently; it has ``effect.special.plus`` and
``effect.special.minus`` for its special steps.
"""

from __future__ import annotations

from brinkmanship.engine.message import Message, Ref
from brinkmanship.games.card_driven.rules.data import EVERYWHERE, Card, Effect
from brinkmanship.games.card_driven.rules.ruleset import CardDrivenGame
from brinkmanship.text import CardText, Either, GameTexts, Words, default

DOMAIN = "card_driven"


class CardDrivenTexts(GameTexts[CardDrivenGame]):
    """Base class of the texts of a card-driven game; a game's subclass may be empty."""

    def words_of(self, game: CardDrivenGame, language: str, /) -> Words:
        return default.words_of(game, language).with_domain(DOMAIN)

    def cards_of(self, game: CardDrivenGame, words: Words, /) -> list[CardText]:
        return [
            CardText(
                id=card.id,
                name=words.name("card", card.id),
                side=card.side,
                side_name=words.name("side", card.side),
                cubes=card.ops,
                icon=False,
                text=event_text(card, words),
                notes=(words.sentence(Message("card.once")),) if card.once else (),
            )
            for card in game.data.card
        ]


def event_text(card: Card, words: Words) -> str:
    """Return the event of a card in sentences."""
    return " ".join(f"{words.sentence(_effect(effect))}." for effect in card.event)


def _effect(effect: Effect) -> Message:
    n = abs(effect.n)
    if effect.do in ("track", "special"):
        which = {"track": Ref("track", effect.track)} if effect.track else {}
        return Message(f"effect.{effect.do}.{'plus' if effect.n > 0 else 'minus'}", {"n": n, **which})
    if EVERYWHERE in effect.where:
        return Message(f"effect.{effect.do}", {"n": n})
    return Message(f"effect.{effect.do}.at", {"n": n, "where": Either(Ref("place", id) for id in effect.where)})
