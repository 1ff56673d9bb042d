"""Output of a session: texts, positions and the log of one game, in the user's language, on one screen."""

from __future__ import annotations

from collections.abc import Container, Sequence

from rich.console import RenderableType

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.perspective import Perspective
from brinkmanship.terminal.log import game_log, with_notes
from brinkmanship.terminal.screen import Page, Screen
from brinkmanship.terminal.style import MARKS
from brinkmanship.terminal.tables import table_for
from brinkmanship.terminal.words import terminal_words


class Presenter:
    """One game on one screen in one language; it is given perspectives, never the match.

    Args:
        game: the ruleset.
        screen: the screen.
        language: language of all output.
    """

    def __init__(self, game: Game, screen: Screen, language: str) -> None:
        self.game = game
        self.screen = screen
        self.speak(language)

    def speak(self, language: str) -> None:
        """Switch to another language."""
        self.words = terminal_words(self.game, language)
        self.screen.speak(self.words)
        self.table = table_for(self.game, self.words)

    def say(self, key: str, **args: int | str | Ref) -> str:
        """Return a text of the terminal."""
        return self.words.text(Message(f"play.{key}", args))

    def say_with_side(self, key: str, side: int) -> str:
        """Return a text that names a side."""
        return self.say(key, side=Ref("side", self.game.sides[side]))

    def complain(self, key: str, **args: int | str) -> None:
        """Show why an input was not accepted."""
        self.screen.complain(self.say(key, **args))

    def tell(self, key: str, **args: str) -> None:
        """Show a message that stays readable after the game."""
        self.screen.tell(self.say(key, **args))

    def confirm(self, key: str, **args: str) -> bool:
        """Return the answer to a yes-or-no question."""
        yes, no = self.words.text(Message("yes")), self.words.text(Message("no"))
        return self.screen.confirm(self.say(key, **args), yes, no, self.say("yes_or_no", yes=yes, no=no))

    def position(self, seen: Perspective) -> list[RenderableType]:
        """Return everything on the table, except hands."""
        return self.table.position(seen.view(), seen.viewer, self.screen.width, list(seen.seen()))

    def page(self, seen: Perspective, read: int, forced: Container[int], notes: Sequence[str]) -> Page:
        """Return the page of a viewer, without a question or an ending.

        Args:
            seen: the match as the viewer knows it.
            read: number of entries that the viewer has read before.
            forced: numbers of the entries made without asking.
            notes: lines under the title.
        """
        lines = game_log(seen, self.words)
        return Page(
            title=self.words.text(Message(f"game.{self.game.id}")),
            you=f"{MARKS[seen.viewer]} {self.say_with_side('you_are', seen.viewer)}" if seen.is_side else "",
            position=self.position(seen),
            notes=notes,
            happened=self.say("happened"),
            log=[*with_notes(lines, forced, self.say("forced"))],
            new=sum(line.entry > read for line in lines),
        )
