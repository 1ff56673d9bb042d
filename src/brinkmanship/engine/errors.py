"""The errors of the engine. Each message says what was wrong and what would be right."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from brinkmanship.engine.message import Message


class BrinkError(Exception):
    """What a person or another program did wrong; the command line shows its message and exits with 2."""


class MalformedActionError(BrinkError, ValueError):
    """A text or number that is no action of this game at all."""


class IllegalActionError(BrinkError, ValueError):
    """An action of this game that is not legal in this position."""


class OptionError(BrinkError, ValueError):
    """An unknown option of a ruleset, or a value it does not take."""


class DataFileError(BrinkError, ValueError):
    """A data file (cards, scenario) that cannot be used. `str` says it in English, `text.faults` in every language.

    Attributes:
        file: the file as it was named by the caller.
        line: the line, counted from 1, or None where the fault has no single place.
        reason: what is wrong, with the card and field; a key of the catalogues ``faults``.
    """

    def __init__(self, file: str | Path, line: int | None, reason: Message) -> None:
        self.file = str(file)
        self.line = line
        self.reason = reason
        super().__init__(str(file), line, reason)

    def __str__(self) -> str:
        # By name, and only when it is read: what is compiled would else depend on every text of the program.
        told: str = import_module("brinkmanship.text.faults").told(self, "en")
        return told


class JournalError(BrinkError, ValueError):
    """A journal that cannot be read, or that breaks the rules of its game.

    Attributes:
        file: the file as it was named by the caller.
        line: the line, counted from 1, or None where the fault has no single place.
    """

    def __init__(self, file: str | Path, line: int | None, message: str) -> None:
        self.file = str(file)
        self.line = line
        super().__init__(f"{file}:{line}: {message}" if line else f"{file}: {message}")
