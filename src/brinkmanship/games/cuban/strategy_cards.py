"""Strategy cards in the terminal, for games whose cards are an event or a number of cubes.

A view of such a game has the location of each card in `card`, and the cards in play on its `stack` of frames.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Generic, Protocol, TypeVar

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from brinkmanship.engine.message import Ref
from brinkmanship.engine.record import State
from brinkmanship.games.cuban.frame import TurnStep
from brinkmanship.terminal.protocol import Asking
from brinkmanship.terminal.style import MARKS, NEUTRAL_MARK, NEUTRAL_STYLE, QUIET, SIDE_STYLES, flowing, wrapped
from brinkmanship.text import Words
from brinkmanship.text.history import history_of

SIDES = ("us", "ussr")


class StrategyCard(Protocol):
    """The fields of a strategy card in every game."""

    @property
    def id(self) -> str: ...

    @property
    def side(self) -> str: ...


Card = TypeVar("Card", bound=StrategyCard)


class StrategyCards(Asking, Generic[Card]):
    """The card display of a game's terminal table."""

    words: Words
    cards: list[Card]
    """All cards, in the order of the data file."""
    in_hand: int
    """The location of the cards in the hand of the first side; the other hand is the next number."""

    @abstractmethod
    def _say(self, key: str, **args: Any) -> str:
        """Return a phrase of the game's table."""

    @abstractmethod
    def _card_title(self, card: Card) -> Text:
        """Return a card on one line."""

    @abstractmethod
    def _event(self, card: Card) -> str:
        """Return the event of a card."""

    @abstractmethod
    def _notes(self, card: Card) -> tuple[str, ...]:
        """Return the notes on the event."""

    def hands(self, view: State, viewer: int, width: int) -> list[RenderableType]:
        parts: list[RenderableType] = []
        for side, side_id in enumerate(SIDES):
            cards = self._in(view, self.in_hand + side)
            if cards and side == viewer:
                items = [Text(f"{n} ", QUIET) + self._card_title(card) for n, card in enumerate(cards, 1)]
                parts.append(flowing(self._say("your_hand"), items, width))
            elif cards:
                label = self._say("hand_of", side=Ref("side", side_id))
                parts.append(flowing(label, [self._card_title(card) for card in cards], width))
        return parts

    def card_line(self, card: str, width: int) -> list[Text]:
        shown = next(each for each in self.cards if each.id == card)
        return [self._card_title(shown), *(Text(line, QUIET) for line in wrapped(self._event(shown), width))]

    def _in(self, view: State, place: int) -> list[Card]:
        """Return the cards that a view knows to be at a location."""
        return [card for index, card in enumerate(self.cards) if view.card[index] == place]

    def _numbered(self, view: State, viewer: int, number: int) -> Card | None:
        """Return the card with this number in the viewer's hand."""
        hand = self._in(view, self.in_hand + viewer) if viewer < len(SIDES) else []
        return hand[number - 1] if 0 < number <= len(hand) else None

    def _card_side(self, card: Card) -> tuple[str, str]:
        """Return the mark of a card's side and its style."""
        if card.side == "un":
            return NEUTRAL_MARK, NEUTRAL_STYLE
        side = SIDES.index(card.side)
        return MARKS[side], SIDE_STYLES[side]

    def _event_in_play(self, frame: Any, card: Card) -> list[RenderableType]:
        """Return the event of a card in play, while it is carried out."""
        return [self._event_below(card)] if frame.step in (TurnStep.TRIGGER, TurnStep.EVENT) else []

    def _event_below(self, card: Card) -> RenderableType:
        """Return the event of a card, to be shown below its title."""
        return Padding(Text(self._event(card), QUIET), (0, 0, 0, 3))

    def _page(self, card: Card, facts: str = "") -> RenderableType:
        """Return a whole card."""
        page = self._card_title(card).append(facts, QUIET)
        page.append("\n" + self._event(card))
        for note in self._notes(card):
            page.append("\n" + note, QUIET)
        if history := history_of("card", card.id, self.words.language):
            page.append("\n" + history, QUIET)
        return Padding(page, (0, 0, 0, 1))
