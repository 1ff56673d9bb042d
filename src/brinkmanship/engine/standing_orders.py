"""Standing orders: answers a side gives in advance to questions that the other side's deeds put to it.

What may be ordered is the game's to say (`Game.orders`); each order has a text, as actions have, by which it is kept.
Where both an order about one card and one about all cards fit, the one about the card counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from brinkmanship.engine.message import Message, Ref


class StandingOrder(NamedTuple):
    """An order that may be given."""

    text: str
    """As it is kept: "decline", "trigger scramble"."""
    message: Message
    """As people read it."""

    @property
    def about(self) -> str:
        """What it is about; a side has one order about a thing."""
        return about(self.text)


def about(text: str) -> str:
    """What an order is about, by its text: "scramble"; "" where it is about all."""
    return text.partition(" ")[2]


ALONE = StandingOrder("done alone", Message("order.done"))
"""The order to end what nothing can be added to: a question with one answer, which names nothing. A game offers it for
questions of which both sides know that there is no other answer; so it tells nothing."""


def about_cards(answers: Sequence[str], cards: Sequence[str]) -> Iterator[StandingOrder]:
    """The orders to answer the offer of a card's event: of any card the last of `answers`, and each for each card.

    Args:
        answers: the kinds of action (`ActionParts.kind`) that answer such an offer; the last declines it.
        cards: the ids of the cards that may be offered.
    """
    yield StandingOrder(answers[-1], Message(f"order.{answers[-1]}"))
    for card in cards:
        for answer in reversed(answers):
            yield StandingOrder(f"{answer} {card}", Message(f"order.{answer}.card", {"card": Ref("card", card)}))


def answer_about(card: str, orders: Collection[str], answers: Mapping[str, int]) -> int | None:
    """The action by which orders answer the offer of a card's event, None where none of them says anything of it.

    Args:
        answers: the action of each kind of answer.
    """
    for about in (f" {card}", ""):
        for answer, action in answers.items():
            if answer + about in orders:
                return action
    return None
