"""What is wrong with a data file, a journal, an option or an action, in the viewer's language; see `engine.errors`."""

from __future__ import annotations

from brinkmanship.engine.errors import FileError, LocalizedError
from brinkmanship.text.words import Words

DOMAIN = "faults"


def reason(error: LocalizedError, language: str) -> str:
    """What is wrong, of a data file with the card and field it is about, on one line."""
    return " ".join(Words(language, (DOMAIN,)).text(error.reason).splitlines())


def told(error: LocalizedError, language: str) -> str:
    """The same after the file and the line: ``cards.toml:12: card "quarantine", effects[0].max: must be ...``."""
    if not isinstance(error, FileError):
        return reason(error, language)
    place = f"{error.file}:{error.line}" if error.line else error.file
    return f"{place}: {reason(error, language)}"
