"""From a journal to the ruleset it was played by."""

from __future__ import annotations

from pathlib import Path

from brinkmanship.engine.errors import JournalError, OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.journal import Journal
from brinkmanship.games.registry import UnknownGameError, load_game


def ruleset_of(record: Journal, cards: Path | None) -> Game:
    """The game and options that a journal names, with the package's cards or a file.

    Raises:
        JournalError: it names a game or an option that does not exist.
        DataFileError: the data file cannot be used.
    """
    try:
        return load_game(record.game_id, cards, record.options)
    except (UnknownGameError, OptionError) as error:
        raise JournalError(record.file, None, error.reason) from error
