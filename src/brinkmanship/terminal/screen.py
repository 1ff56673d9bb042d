"""The screen protocol: a `Session` speaks to a `Screen` without knowing which one.

`full_screen.FullScreen` draws everything in its place; `line_ui.LineScreen` prints line by line, for pipes, screen
viewers, and users who like to scroll back. Texts passed to a screen are already in the user's language.
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
class Prompt:
    """A question and its choices."""

    text: str
    menu: Menu
    hint: str
    """Other possible inputs."""


@dataclass(frozen=True)
class Page:
    """Everything a side sees when it is to decide, or when the game is over; nothing of the other side's."""

    title: str
    you: str
    """The viewing side with its mark; "" for an observer."""
    position: Sequence[RenderableType]
    notes: Sequence[str] = ()
    """Lines under the title: standing of a campaign, goal of the game."""
    hands: Sequence[RenderableType] = ()
    happened: str = ""
    """Heading of the log."""
    log: Sequence[Text] = ()
    new: int = 0
    """Number of last log lines that are new to this viewer."""
    more: Callable[[int], str] = str
    """Returns the text that replaces a number of new lines for which the screen has no room."""
    question: Prompt | None = None
    ending: Sequence[RenderableType] = ()
    """Information revealed at the end of the game."""
    result: str = ""
    """Result of a finished game."""


class Screen(Protocol):
    """Output and input of a session."""

    @property
    def width(self) -> int:
        """Columns for a position."""
        ...

    @property
    def menu_width(self) -> int:
        """Columns for a menu."""
        ...

    def speak(self, words: Words) -> None:
        """Switch the screen's own texts to another language."""
        ...

    def page(self, page: Page) -> None:
        """Show a new page."""
        ...

    def ask(self, question: Prompt) -> None:
        """Ask again, or more closely, while the page stays."""
        ...

    def leaf(self, parts: Sequence[RenderableType]) -> None:
        """Show a text beside the page: help, a card, the log, rules."""
        ...

    def complain(self, text: str) -> None:
        """Show in one line why an input was not accepted."""
        ...

    def tell(self, text: str) -> None:
        """Show a message that stays readable after the game, unwrapped so that a file name can be copied."""
        ...

    def read(self, prompt: str) -> str:
        """Return the user's input.

        Raises:
            EOFError: there is no further input.
        """
        ...

    def read_text(self, prompt: str) -> str:
        """Return a text that the user types and that answers no question of the game, e.g. the name of a file.

        Raises:
            EOFError: there is no further input.
        """
        ...

    def confirm(self, question: str, yes: str, no: str, otherwise: str) -> bool:
        """Return the answer to a yes-or-no question; show `otherwise` for any other input."""
        ...

    def hand_over(self, text: Text) -> None:
        """Show nothing but this text until Enter is pressed."""
        ...


def is_yes(answer: str, yes: str, no: str) -> bool | None:
    """Return the meaning of an answer in the user's language or in English, None if it is neither yes nor no."""
    said = answer.strip().casefold()
    for word, value in ((yes, True), ("yes", True), (no, False), ("no", False)):
        if said and word.startswith(said):
            return value
    return None


def printable(text: str) -> str:
    """Return a user's input, shortened and without characters that would move the cursor."""
    return "".join(char if char.isprintable() else "?" for char in text[:30])
