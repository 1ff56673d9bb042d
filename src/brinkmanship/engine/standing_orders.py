"""Standing orders: choices a side makes in advance for questions that the other side's actions put to it.

Each game lists the possible orders (`Game.orders`). An order is stored by its text, like an action. An order about one
card overrides an order about all cards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from brinkmanship.engine.message import Message, Ref


class StandingOrder(NamedTuple):
    """An available order."""

    text: str
    """The stored text: "decline", "trigger scramble"."""
    message: Message
    """The text for the player."""

    @property
    def about(self) -> str:
        """The subject; a side has at most one order per subject."""
        return about(self.text)


def about(text: str) -> str:
    """Return the subject of an order by its text: "scramble"; "" for an order about everything."""
    return text.partition(" ")[2]


ALONE = StandingOrder("done alone", Message("order.done"))
"""The order to end an action that nothing can be added to: a question with one choice, which names nothing.

A game offers it for questions of which both sides know that there is only one choice, so it reveals nothing.
"""


def about_cards(answers: Sequence[str], cards: Sequence[str]) -> Iterator[StandingOrder]:
    """Yield the orders for offers of a card's event: the last of `answers` for any card, and each answer for each card.

    Args:
        answers: the kinds of action (`ActionParts.kind`) that respond to such an offer; the last declines it.
        cards: the ids of the cards that may be offered.
    """
    yield StandingOrder(answers[-1], Message(f"order.{answers[-1]}"))
    for card in cards:
        for answer in reversed(answers):
            yield StandingOrder(f"{answer} {card}", Message(f"order.{answer}.card", {"card": Ref("card", card)}))


def answer_about(card: str, orders: Collection[str], answers: Mapping[str, int]) -> int | None:
    """Return the action by which orders respond to the offer of a card's event, None if no order applies.

    Args:
        card: the id of the offered card.
        orders: texts of the side's orders.
        answers: the action for each kind of response.
    """
    for about in (f" {card}", ""):
        for answer, action in answers.items():
            if answer + about in orders:
                return action
    return None
