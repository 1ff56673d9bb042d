"""Interface between the terminal and a game: one class per game, found by its `kit`, draws positions and cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from rich.console import RenderableType
from rich.text import Text

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.record import State


class ActionPart(NamedTuple):
    """A part of an action that is chosen separately."""

    key: str
    """Text to type for it."""
    label: Text


class Asking:
    """Defaults for naming, asking and typing a game's choices; a game's class overrides what differs."""

    help_keys: tuple[str, ...] = ("play.help.choices",)
    """Keys of the help texts below the commands."""

    def goal(self) -> Message | None:
        """Return how the game is won, and lost at once; None for a game without such a text."""
        return None

    def place(self, place: str) -> Ref:
        """Return the name of a place that actions name."""
        return Ref("battleground", place)

    def track(self, track: str) -> Ref:
        """Return the name of a track that actions name."""
        return Ref("track", track)

    def card(self, card: str) -> Ref | None:
        """Return the name of a card that actions name, None if it stands for several things."""
        return Ref("card", card)

    def steps(self, action: int) -> tuple[ActionPart, ...]:  # noqa: ARG002 - for games that have such actions
        """Return the parts of an action that menus ask for successively; empty if it is a single choice."""
        return ()

    def written_out(self, line: str, side: int) -> list[str]:  # noqa: ARG002 - for games that have such lines
        """Return the actions of a side, in journal form, that a shorthand line stands for; empty for other lines."""
        return []


class Table(Protocol):
    """The terminal's drawing of one game in one language.

    A view may be a side's, an observer's, or a whole state: everything known in it is shown.
    """

    help_keys: tuple[str, ...]

    def goal(self) -> Message | None: ...

    def place(self, place: str) -> Ref: ...

    def track(self, track: str) -> Ref: ...

    def card(self, card: str) -> Ref | None: ...

    def steps(self, action: int) -> tuple[ActionPart, ...]: ...

    def written_out(self, line: str, side: int) -> list[str]: ...

    def position(self, view: State, viewer: int, width: int, past: Sequence[ViewedEntry]) -> list[RenderableType]:
        """Return the board and everything on the table, except hands."""
        ...

    def hands(self, view: State, viewer: int, width: int) -> list[RenderableType]:
        """Return the known hands in short form; cards in the viewer's own hand have numbers."""
        ...

    def card_line(self, card: str, width: int) -> list[Text]:
        """Return a card for a menu: its line, then its text in as many lines as needed."""
        ...

    def ending(self, view: State) -> list[RenderableType]:
        """Return the information revealed at the end of the game."""
        ...

    def card_page(self, query: str, view: State, viewer: int) -> RenderableType | None:
        """Return a card by its number in the viewer's hand or by a part of its name, or None."""
        ...

    def known_cards(self, view: State, viewer: int, width: int) -> list[RenderableType]:
        """Return all cards whose location the viewer knows: hand, discards, set-aside cards."""
        ...

    def note(self, action: int, width: int) -> list[Text]:
        """Return notes to read before taking an action; empty if its name is sufficient."""
        ...

    def is_nothing(self, action: int) -> bool:
        """Return True if an action has no effect; the terminal takes it without asking if it is the only one."""
        ...
