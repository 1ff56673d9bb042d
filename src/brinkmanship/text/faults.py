"""What is wrong with a data file, in the reader's language; see `engine.data_file`."""

from __future__ import annotations

from brinkmanship.engine.errors import DataFileError
from brinkmanship.text.words import Words

DOMAIN = "faults"


def reason(error: DataFileError, language: str) -> str:
    """What is wrong, with the card and field it is about, on one line."""
    return " ".join(Words(language, (DOMAIN,)).text(error.reason).splitlines())


def told(error: DataFileError, language: str) -> str:
    """The same after the file and the line: ``cards.toml:12: card "quarantine", effects[0].max: must be ...``."""
    place = f"{error.file}:{error.line}" if error.line else error.file
    return f"{place}: {reason(error, language)}"
