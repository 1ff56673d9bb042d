"""The errors of the engine. Each message says what was wrong and what would be right."""

from __future__ import annotations

from pathlib import Path


class BrinkError(Exception):
    """What a person or another program did wrong; the command line shows its message and exits with 2."""


class MalformedActionError(BrinkError, ValueError):
    """A text or number that is no action of this game at all."""


class IllegalActionError(BrinkError, ValueError):
    """An action of this game that is not legal in this position."""


class OptionError(BrinkError, ValueError):
    """An unknown option of a ruleset, or a value it does not take."""


class DataFileError(BrinkError, ValueError):
    """A data file (cards, scenario) that cannot be used.

    Attributes:
        file: the file as it was named by the caller.
        line: the line, counted from 1, or None where the fault has no single place.
    """

    def __init__(self, file: str | Path, line: int | None, message: str) -> None:
        self.file = str(file)
        self.line = line
        super().__init__(f"{file}:{line}: {message}" if line else f"{file}: {message}")


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
