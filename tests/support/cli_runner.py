"""Runs the command `brink` in this process, with a person at the keyboard who sees the screen before answering."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from typing import NamedTuple
from unittest.mock import patch

from brinkmanship.cli import main


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


class Screen(io.StringIO):
    """All that was printed; `page` is what was printed since the last answer."""

    def __init__(self) -> None:
        super().__init__()
        self.read_to = 0

    def page(self) -> str:
        """What has been printed since the last answer."""
        return self.getvalue()[self.read_to :]


class Robot(io.TextIOBase):
    """Standard input that answers by what is on the screen; an `EOFError` closes it."""

    def __init__(self, screen: Screen, answer: Callable[[str], str]) -> None:
        self.screen = screen
        self.answer = answer

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override] # noqa: ARG002
        page = self.screen.page()
        self.screen.read_to = len(self.screen.getvalue())
        try:
            return self.answer(page) + "\n"
        except EOFError:
            return ""


def nobody(_: str) -> str:
    """Closes the input at once."""
    raise EOFError


def run(*args: str, answer: Callable[[str], str] = nobody) -> Result:
    """`brink` with these arguments."""
    screen, errors = Screen(), io.StringIO()
    environment = {"COLUMNS": "80", "LINES": "50", "TERM": "dumb"}
    with (
        patch.dict("os.environ", environment),
        patch.object(sys, "argv", ["brink", *args]),
        patch.object(sys, "stdout", screen),
        patch.object(sys, "stderr", errors),
        patch.object(sys, "stdin", Robot(screen, answer)),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
            return Result(code, screen.getvalue(), errors.getvalue())
    raise AssertionError("main() always exits")


def menu_keys(page: str) -> list[str]:
    """The numbers of the menu on a page."""
    return re.findall(r"(?m)(?<!\S)(\d+)  (?=\S)", page[max(0, page.rfind("\n\n")) :])
