"""The games. Each has a folder that holds all that is special about it; `load_game` finds them by their id."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from brinkmanship.engine import compile as compiling
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import Game
from brinkmanship.engine.options import OptionValue

GAMES = {
    "13-days": "brinkmanship.games.thirteen_days.game:ThirteenDays",
    "13-minutes": "brinkmanship.games.thirteen_minutes.game:ThirteenMinutes",
    "ukrainian-crisis": "brinkmanship.games.ukrainian_crisis.game:UkrainianCrisis",
}
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
    compiling.note_compiled(_room(game_id), game_id)
    return found


def is_compiled(game_id: str) -> bool:
    """Whether these rules have been compiled on this machine before, so that asking for the game takes a second."""
    return compiling.is_compiled(_room(game_id), game_id)


def _room(game_id: str) -> str:
    return f"games/{GAMES[game_id].split('.')[2]}"


def load_game(
    game_id: str, data_file: str | Path | None = None, options: Mapping[str, OptionValue] | None = None
) -> Game:
    """A ruleset: a game by its id, with the package's data or a file, and options (missing ones: their defaults).

    The option "preset" stands for all options of one of the game's presets.

    Raises:
        UnknownGameError: no game has this id.
        DataFileError: the data file cannot be used.
        OptionError: an unknown option or value.
    """
    return game_class(game_id).load(data_file, options)
