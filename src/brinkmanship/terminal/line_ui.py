"""Line interface: for pipes, screen readers, and users who like to scroll back."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from brinkmanship.terminal.screen import Page, Prompt, is_yes, printable
from brinkmanship.terminal.style import QUIET, one_line, show
from brinkmanship.text import Words

_FEW_LINES = 6
"""Minimum log lines shown."""
_HIGH = 40
"""Minimum height in lines for the full log; lower screens show less of it, so that the question stays visible."""
_HEIGHT_WITHOUT_LOG = 32
_CLEAR_EVERYTHING = "\x1b[H\x1b[2J\x1b[3J"  # the screen and the scroll-back buffer


class LineScreen:
    """A `Screen` that prints line by line."""

    def __init__(self, console: Console) -> None:
        self.console = console

    @property
    def width(self) -> int:
        return max(self.console.width, 40)

    @property
    def menu_width(self) -> int:
        return self.width

    def speak(self, words: Words) -> None:
        """Do nothing: the screen has no texts of its own."""

    def page(self, page: Page) -> None:
        self._clear(everything=bool(page.result))
        self._title(page)
        self._print(page.position)
        self._print(page.hands)
        self._log(page)
        self._print(page.ending)
        if page.result:
            self.console.print()
            self.console.print(Padding(Text(page.result, "bold reverse"), (0, 0, 0, 1)))
        if page.question is not None:
            self.ask(page.question)

    def ask(self, question: Prompt) -> None:
        self.console.print()
        self.console.print(Padding(Text(question.text, "bold"), (0, 0, 0, 1)))
        for line in question.menu.lines():
            self.console.print(line)
        self.console.print(Padding(Text(question.hint, QUIET), (0, 0, 0, 1)))

    def leaf(self, parts: Sequence[RenderableType]) -> None:
        self._print(parts)

    def complain(self, text: str) -> None:
        self.console.print(Padding(Text(text, "bold"), (0, 0, 0, 1)))

    def tell(self, text: str) -> None:
        self.console.print(Text(" " + text), soft_wrap=True)

    def read(self, prompt: str) -> str:
        self.console.file.flush()
        text = input(prompt)
        if not sys.stdin.isatty():
            print(printable(text))  # echo piped input
        return text

    def read_text(self, prompt: str) -> str:
        return self.read(f"{prompt} ")

    def confirm(self, question: str, yes: str, no: str, otherwise: str) -> bool:
        while True:
            answer = is_yes(self.read(f" {question} ({yes}/{no}) "), yes, no)
            if answer is not None:
                return answer
            self.complain(otherwise)

    def hand_over(self, text: Text) -> None:
        """Show only this text until Enter is pressed; wipe the scroll-back buffer and the input history too."""
        self._clear(everything=True)
        self.console.print(text)
        self.read("")
        self._clear(everything=True)

    def _title(self, page: Page) -> None:
        line = Text(f" {page.title} ")
        line.append(" " * (self.width - line.cell_len - Text(page.you).cell_len - 2)).append(page.you + " ")
        line.stylize("bold reverse")
        self._print([one_line(line)])
        for note in page.notes:
            self.console.print(Padding(Text(note, "italic"), (0, 0, 0, 1)))

    def _log(self, page: Page) -> None:
        """Print the new lines, at least a few, at most as many as fit."""
        low = self.console.is_terminal and self.console.height < _HIGH
        few = _FEW_LINES // 2 if low else _FEW_LINES
        room = max(self.console.height - _HEIGHT_WITHOUT_LOG, 2 * few) if self.console.is_terminal else page.new
        count = min(max(page.new, few), max(room, few), len(page.log))
        if page.result:
            count = page.new
        if not count:
            return
        if not low:
            self.console.print()
        self.console.print(Text(" " + page.happened, "bold"))
        if page.new > count:
            self.console.print(Text("   " + page.more(page.new - count), QUIET))
        for number, line in enumerate(page.log[-count:], len(page.log) - count):
            shown = line.copy()
            if number < len(page.log) - page.new:
                shown.stylize(QUIET)
            self.console.print(Padding(shown, (0, 0, 0, 1)))

    def _print(self, parts: Iterable[RenderableType]) -> None:
        show(self.console, parts)

    def _clear(self, *, everything: bool = False) -> None:
        if not self.console.is_terminal:
            self.console.print()
        elif everything:
            self.console.file.write(_CLEAR_EVERYTHING)
            _forget_input()
        else:
            self.console.clear()


def _forget_input() -> None:
    """Clear the input history, which arrow keys would show to the next user."""
    with suppress(ImportError):
        import readline

        readline.clear_history()


def prepare_input() -> None:
    """Enable line editing on a terminal, and replace undecodable bytes instead of failing."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 - the import enables line editing in `input`
    for stream in (sys.stdin, sys.stdout):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
