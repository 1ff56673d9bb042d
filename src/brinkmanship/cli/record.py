"""From a journal to the ruleset it was played by."""

from __future__ import annotations

from pathlib import Path

from brinkmanship.engine.errors import JournalError, OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.journal import Journal
from brinkmanship.games import GAMES, load_game


def ruleset_of(record: Journal, cards: Path | None) -> Game:
    """The game and options that a journal names, with the package's cards or a file.

    Raises:
        JournalError: it names a game or an option that does not exist.
        DataFileError: the data file cannot be used.
    """
    if record.game_id not in GAMES:
        raise JournalError(record.file, None, f"there is no game {record.game_id!r}; the games are: {', '.join(GAMES)}")
    try:
        return load_game(record.game_id, cards, record.options)
    except OptionError as error:
        raise JournalError(record.file, None, str(error)) from error
