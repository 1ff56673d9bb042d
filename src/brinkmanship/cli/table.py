"""How the terminal shows each game: one class per game that draws positions and cards, found by the game's id."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, Protocol

from rich.console import RenderableType
from rich.text import Text

from brinkmanship.engine.game import Game, State
from brinkmanship.text import Words

TABLES = {"13-days": "brinkmanship.cli.thirteen_days:ThirteenDaysTable"}
"""Where each game's class is."""


class Past(NamedTuple):
    """An action that was taken, as a reader knows it."""

    before: State
    """The reader's view before it."""
    action: int
    """-1 where the reader may not know it."""


class Table(Protocol):
    """The terminal's drawing of one game in one language.

    A view may be a side's, an onlooker's, or a whole state: whatever is known in it is shown.
    """

    def position(self, view: State, reader: int, width: int, past: Sequence[Past]) -> list[RenderableType]:
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

    def data_text(self) -> str:
        """The data file the game was loaded from."""
        ...


def table_for(game: Game, words: Words) -> Table:
    """The terminal's drawing of a game."""
    module, name = TABLES[game.id].split(":")
    table: Table = getattr(import_module(module), name)(game, words)
    return table
