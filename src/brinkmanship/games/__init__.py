"""The rules of games. Each has a folder of its own; `load_game` finds them by the game's id, as its `kit` says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from brinkmanship.engine.cache import is_compiled as is_module_compiled
from brinkmanship.engine.cache import note_compiled
from brinkmanship.engine.data_file import DataSource
from brinkmanship.engine.game import Game
from brinkmanship.engine.options import OptionValue
from brinkmanship.kit import UnknownGameError, kit_of, module_of, part

__all__ = ["UnknownGameError", "game_class", "is_compiled", "load_game"]


def game_class(game_id: str) -> type[Game]:
    """The class of a game by its id ("13-days").

    Raises:
        UnknownGameError: no game has this id.
    """
    place = kit_of(game_id).rules
    found = cast("type[Game]", part(place))
    note_compiled(module_of(place))
    return found


def is_compiled(game_id: str) -> bool:
    """Whether these rules have been compiled on this machine before, so that asking for the game takes a second."""
    return is_module_compiled(module_of(kit_of(game_id).rules))


def load_game(
    game_id: str, data_file: DataSource | None = None, options: Mapping[str, OptionValue] | None = None
) -> Game:
    """A ruleset: a game by its id, with the package's data or a file, and options (missing ones: their defaults).

    The option "preset" stands for all options of one of the game's presets.

    Raises:
        UnknownGameError: no game has this id.
        DataFileError: the data file cannot be used.
        OptionError: an unknown option or value.
    """
    loaded = game_class(game_id).load(data_file, options)
    loaded.source = data_file
    return loaded
