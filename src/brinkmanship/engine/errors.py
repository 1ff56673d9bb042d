"""Errors of the engine. Each message names the fault and the accepted values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from brinkmanship.engine.message import Message


class BrinkError(Exception):
    """An error caused by the user or another program; the command line shows its message and exits with 2."""


class LocalizedError(BrinkError, ValueError):
    """An error with a translatable reason: `text.errors` formats it in every language, `str` in English.

    Attributes:
        reason: the fault, as a key of the catalogues ``faults`` with arguments. Plain text is shown unchanged.
    """

    def __init__(self, reason: Message | str) -> None:
        super().__init__(reason)
        self.reason = _message(reason)

    def __str__(self) -> str:
        return _render(self)


def _bare(error: LocalizedError) -> str:
    """Return the key of the reason and its arguments, the only text available to the engine alone."""
    key, args = error.reason
    return " ".join([key, *(f"{name}={value}" for name, value in args.items())])


_render: Callable[[LocalizedError], str] = _bare


def render_with(render: Callable[[LocalizedError], str]) -> None:
    """Set the function that formats a `LocalizedError` for `str`.

    The engine has no texts of its own. The package installs its English ones when it is imported.
    """
    global _render
    _render = render


class MalformedActionError(LocalizedError):
    """A text or number that is not an action of this game."""


class IllegalActionError(LocalizedError):
    """An action of this game that is not legal in this position."""


class OptionError(LocalizedError):
    """An unknown option of a ruleset or of a command, or an invalid value."""


class FileError(LocalizedError):
    """A file that cannot be used.

    Attributes:
        file: the file as the caller named it.
        line: the line, counted from 1, or None if the fault has no single place.
        reason: the fault.
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
