"""The errors of the engine. Each message says what was wrong and what would be right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from brinkmanship.engine.message import Message


class BrinkError(Exception):
    """What a person or another program did wrong; the command line shows its message and exits with 2."""


class LocalizedError(BrinkError, ValueError):
    """An error whose reason `text.errors` tells in every language; `str` tells it as `render_with` says, in English.

    Attributes:
        reason: what is wrong; a key of the catalogues ``faults``. A text is told as it stands.
    """

    def __init__(self, reason: Message | str) -> None:
        super().__init__(reason)
        self.reason = _message(reason)

    def __str__(self) -> str:
        return _render(self)


def _bare(error: LocalizedError) -> str:
    """Return all that the engine alone can say: the key of the reason and its arguments."""
    key, args = error.reason
    return " ".join([key, *(f"{name}={value}" for name, value in args.items())])


_render: Callable[[LocalizedError], str] = _bare


def render_with(render: Callable[[LocalizedError], str]) -> None:
    """Set the function that makes the text of a `LocalizedError`, its `str`.

    The engine has no texts of its own. The package installs its English ones as soon as it is imported.
    """
    global _render
    _render = render


class MalformedActionError(LocalizedError):
    """A text or number that is no action of this game at all."""


class IllegalActionError(LocalizedError):
    """An action of this game that is not legal in this position."""


class OptionError(LocalizedError):
    """An unknown option of a ruleset or of a command, or a value it does not take."""


class FileError(LocalizedError):
    """A file that cannot be used.

    Attributes:
        file: the file as it was named by the caller.
        line: the line, counted from 1, or None where the fault has no single place.
        reason: what is wrong there.
    """

    def __init__(self, file: str | Path, line: int | None, reason: Message | str) -> None:
        BrinkError.__init__(self, str(file), line, reason)
        self.file = str(file)
        self.line = line
        self.reason = _message(reason)


class DataFileError(FileError):
    """A data file (cards, scenario) that cannot be used; the reason names the card and the field."""


class JournalError(FileError):
    """A journal that cannot be read, or that breaks the rules of its game."""


def _message(reason: Message | str) -> Message:
    return Message("fault.plain", {"what": reason}) if isinstance(reason, str) else reason
