"""How the terminal shows each game: one class per game that draws positions and cards, found by its `kit`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from rich.console import RenderableType
from rich.text import Text

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.record import State


class Step(NamedTuple):
    """A part of an action that is chosen by itself."""

    key: str
    """What to type for it."""
    label: Text


class Asking:
    """How a game's choices are named, asked and typed; a game's class changes what is different there."""

    help_keys: tuple[str, ...] = ("play.help.choices",)
    """The texts of the help below the commands."""

    def goal(self) -> Message | None:
        """How one wins, and how one loses at once; a game without words does not say it."""
        return None

    def place(self, place: str) -> Ref:
        """The name of a place that actions name."""
        return Ref("battleground", place)

    def track(self, track: str) -> Ref:
        """The name of a track that actions name."""
        return Ref("track", track)

    def card(self, card: str) -> Ref | None:
        """The name of a card that actions name, None where it is more than one thing."""
        return Ref("card", card)

    def steps(self, action: int) -> tuple[Step, ...]:  # noqa: ARG002 - for games that have such actions
        """The parts of an action that menus ask for one after the other; none where it is one choice."""
        return ()

    def written_out(self, line: str, side: int) -> list[str]:  # noqa: ARG002 - for games that have such lines
        """The actions of a side, as journals write them, that a line stands for; none where it is no such line."""
        return []


class Table(Protocol):
    """The terminal's drawing of one game in one language.

    A view may be a side's, an onlooker's, or a whole state: whatever is known in it is shown.
    """

    help_keys: tuple[str, ...]

    def goal(self) -> Message | None:
        """See `Asking.goal`."""
        ...

    def place(self, place: str) -> Ref:
        """See `Asking.place`."""
        ...

    def track(self, track: str) -> Ref:
        """See `Asking.track`."""
        ...

    def card(self, card: str) -> Ref | None:
        """See `Asking.card`."""
        ...

    def steps(self, action: int) -> tuple[Step, ...]:
        """See `Asking.steps`."""
        ...

    def written_out(self, line: str, side: int) -> list[str]:
        """See `Asking.written_out`."""
        ...

    def position(self, view: State, reader: int, width: int, past: Sequence[ViewedEntry]) -> list[RenderableType]:
        """The board and all that lies on the table, but no hands."""
        ...

    def hands(self, view: State, reader: int, width: int) -> list[RenderableType]:
        """The hands that are known, in short; cards of the reader's own hand with their numbers."""
        ...

    def card_line(self, card: str, width: int) -> list[Text]:
        """A card in a menu: its line, then its text in as many as it needs."""
        ...

    def ending(self, view: State) -> list[RenderableType]:
        """What is turned up when the game is over."""
        ...

    def card_page(self, asked: str, view: State, reader: int) -> RenderableType | None:
        """A card, by its number in the reader's hand or by a part of its name; None if there is no such card."""
        ...

    def known_cards(self, view: State, reader: int, width: int) -> list[RenderableType]:
        """All cards the reader knows the place of: hand, discards, what it put away."""
        ...

    def note(self, action: int, width: int) -> list[Text]:
        """What a person should read before taking an action, nothing if its name says it all."""
        ...

    def is_nothing(self, action: int) -> bool:
        """Whether an action has no effect; where it is the only one the terminal takes it without asking."""
        ...
