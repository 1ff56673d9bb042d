"""Load the ruleset of a journal."""

from __future__ import annotations

from pathlib import Path

from brinkmanship.engine.errors import JournalError, OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.journal import Journal
from brinkmanship.games.registry import UnknownGameError, load_game


def ruleset_of(record: Journal, cards: Path | None) -> Game:
    """Return the ruleset named by a journal, with the packaged cards or those of a file.

    Raises:
        JournalError: the journal names an unknown game or option.
        DataFileError: the data file cannot be used.
    """
    try:
        return load_game(record.game_id, cards, record.options)
    except (UnknownGameError, OptionError) as error:
        raise JournalError(record.file, None, error.reason) from error
