"""The text of a card's event, and names for its alternatives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Protocol

from brinkmanship.engine.message import Ref
from brinkmanship.games.cuban.data import AnyEffect, Choose, effects_in_order
from brinkmanship.games.cuban.words.event import EventText
from brinkmanship.games.cuban.words.places import Board
from brinkmanship.text.words import NameTable, Words


class EventCard(Protocol):
    """The fields of a card that its text needs."""

    @property
    def id(self) -> str: ...

    @property
    def side(self) -> Literal["us", "ussr", "un"]: ...

    @property
    def effects(self) -> list[AnyEffect]: ...


def event_text(board: Board, card: EventCard, words: Words) -> str:
    """Return the text of a card's event. Each alternative of a choice is on a separate line, after a bullet."""
    return EventText(board, card.side, words).text(card.effects)


def branch_names(board: Board, cards: Iterable[EventCard], words: Words) -> NameTable:
    """Return the alternatives of the events as names (kind ``branch``): their sentences without the full stop.

    The id is the card, the number of the effect that offers them (from 0, in the order of the rules' tables) and that
    of the alternative (from 1).
    """
    return {
        Ref("branch", f"{card.id}.{number}.{branch}"): {"en": text.removesuffix(".")}
        for card in cards
        for number, effect in enumerate(effects_in_order(card.effects))
        if isinstance(effect, Choose)
        for branch, text in enumerate(EventText(board, card.side, words).branches(effect), 1)
    }
