"""What a game is shown on and typed into; a `Session` speaks to one and does not know which.

`full_screen.FullScreen` draws everything in its place; `line_ui.LineScreen` prints line by line: for pipes, for screen
readers, and for whoever likes to scroll back. What is said to a screen is already in the reader's language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from rich.console import RenderableType
from rich.text import Text

from brinkmanship.terminal.menu import Menu
from brinkmanship.text import Words


@dataclass(frozen=True)
class Question:
    """What is asked, and what may be answered."""

    text: str
    menu: Menu
    hint: str
    """What else can be typed."""


@dataclass(frozen=True)
class Page:
    """All that a side sees when it is asked, or when the game is over: nothing of the other one's."""

    title: str
    you: str
    """Who looks, with the mark of the side; nothing for whoever only watches."""
    position: Sequence[RenderableType]
    notes: Sequence[str] = ()
    """Lines under the title: how a campaign stands, what the game is about."""
    hands: Sequence[RenderableType] = ()
    happened: str = ""
    """The heading of the log."""
    log: Sequence[Text] = ()
    new: int = 0
    """So many of the last lines of the log are new to this reader."""
    more: Callable[[int], str] = str
    """What stands for so many new lines that the screen has no room for."""
    question: Question | None = None
    ending: Sequence[RenderableType] = ()
    """What is turned up when the game is over."""
    result: str = ""
    """Who has won, of a game that is over."""


class Screen(Protocol):
    """A place to look at and to type into."""

    @property
    def width(self) -> int:
        """The columns for a position."""
        ...

    @property
    def menu_width(self) -> int:
        """The columns for a menu."""
        ...

    def speak(self, words: Words) -> None:
        """Say in another language what the screen says by itself."""
        ...

    def page(self, page: Page) -> None:
        """Show everything anew."""
        ...

    def ask(self, question: Question) -> None:
        """Ask again, or more closely, while the page stays."""
        ...

    def leaf(self, parts: Sequence[RenderableType]) -> None:
        """Show something to read beside the page: help, a card, the log, rules."""
        ...

    def complain(self, text: str) -> None:
        """Say in one line what was wrong with an answer."""
        ...

    def tell(self, text: str) -> None:
        """Say something that stays to be read after the game, unbroken so that a file's name can be copied."""
        ...

    def read(self, prompt: str) -> str:
        """What the person types.

        Raises:
            EOFError: nothing more will be typed.
        """
        ...

    def confirm(self, question: str, yes: str, no: str, otherwise: str) -> bool:
        """The answer to a question of yes or no; `otherwise` is said about any other answer."""
        ...

    def hand_over(self, text: Text) -> None:
        """Leave nothing to be seen but this, until somebody has pressed Enter."""
        ...


def is_yes(answer: str, yes: str, no: str) -> bool | None:
    """What an answer means, in the reader's language or in English, and None if neither."""
    said = answer.strip().casefold()
    for word, value in ((yes, True), ("yes", True), (no, False), ("no", False)):
        if said and word.startswith(said):
            return value
    return None


def printable(text: str) -> str:
    """What somebody typed, short and without characters that would move the cursor."""
    return "".join(char if char.isprintable() else "?" for char in text[:30])
