"""Error messages about data files, journals, options and actions in the viewer's language; see `engine.errors`."""

from __future__ import annotations

from brinkmanship.engine.errors import FileError, LocalizedError
from brinkmanship.text.words import Words

DOMAIN = "faults"


def reason(error: LocalizedError, language: str) -> str:
    """Return the error message on one line; for a data file with the card and field."""
    return " ".join(Words(language, (DOMAIN,)).text(error.reason).splitlines())


def error_text(error: LocalizedError, language: str) -> str:
    """Return `reason` after file and line: ``cards.toml:12: card "quarantine", effects[0].max: must be ...``."""
    if not isinstance(error, FileError):
        return reason(error, language)
    place = f"{error.file}:{error.line}" if error.line else error.file
    return f"{place}: {reason(error, language)}"
