"""The games. Each has a folder that holds all that is special about it; `load_game` finds them by their id."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import Game

GAMES = {"13-days": "brinkmanship.games.thirteen_days.game:ThirteenDays"}
"""Where each game's class is; importing it compiles the game, so it is done only for the game that is asked for."""


class UnknownGameError(BrinkError, ValueError):
    """No game has this id."""


def game_class(game_id: str) -> type[Game]:
    """The class of a game by its id ("13-days").

    Raises:
        UnknownGameError: no game has this id.
    """
    if game_id not in GAMES:
        raise UnknownGameError(f"there is no game {game_id!r}; the games are: {', '.join(GAMES)}")
    module, name = GAMES[game_id].split(":")
    found: type[Game] = getattr(import_module(module), name)
    return found


def load_game(
    game_id: str, data_file: str | Path | None = None, options: Mapping[str, str | bool] | None = None
) -> Game:
    """A ruleset: a game by its id, with the package's data or a file, and options (missing ones: their defaults).

    Raises:
        UnknownGameError: no game has this id.
        DataFileError: the data file cannot be used.
        OptionError: an unknown option or value.
    """
    return game_class(game_id).load(data_file, options)
