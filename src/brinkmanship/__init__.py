"""Brinkmanship: a rules engine for three two-player crisis games.

>>> import brinkmanship as brink
>>> position = brink.Position(brink.load("13-days"), seed=1)
>>> position
<Position of 13-days: us and ussr asked, 3 legal, after 'chance deal ...'>

See docs/research/python.md for a tour. Names are imported on first use, to keep the start of the command line fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from brinkmanship.engine import errors as _errors

if TYPE_CHECKING:
    from brinkmanship.compilation import compile
    from brinkmanship.engine.errors import (
        BrinkError,
        DataFileError,
        IllegalActionError,
        JournalError,
        MalformedActionError,
        OptionError,
    )
    from brinkmanship.engine.game import Game
    from brinkmanship.engine.match import Match
    from brinkmanship.engine.perspective import Perspective
    from brinkmanship.games.registry import UnknownGameError
    from brinkmanship.players import Player, load_player
    from brinkmanship.position import LegalAction, Position, PositionError, Result, View, load, read, read_all
    from brinkmanship.simulation import CompiledPlayer, GameResult, PythonPlayer, play_games

__version__ = "1.0.0"

_WHERE = {
    "brinkmanship.compilation": ("compile",),
    "brinkmanship.engine.errors": (
        "BrinkError",
        "DataFileError",
        "IllegalActionError",
        "JournalError",
        "MalformedActionError",
        "OptionError",
    ),
    "brinkmanship.engine.game": ("Game",),
    "brinkmanship.engine.match": ("Match",),
    "brinkmanship.engine.perspective": ("Perspective",),
    "brinkmanship.games.registry": ("UnknownGameError",),
    "brinkmanship.players": ("Player", "load_player"),
    "brinkmanship.position": ("LegalAction", "Position", "PositionError", "Result", "View", "load", "read", "read_all"),
    "brinkmanship.simulation": ("CompiledPlayer", "GameResult", "PythonPlayer", "play_games"),
}
_MODULES = {name: module for module, names in _WHERE.items() for name in names}

__all__ = [
    "BrinkError",
    "CompiledPlayer",
    "DataFileError",
    "Game",
    "GameResult",
    "IllegalActionError",
    "JournalError",
    "LegalAction",
    "MalformedActionError",
    "Match",
    "OptionError",
    "Perspective",
    "Player",
    "Position",
    "PositionError",
    "PythonPlayer",
    "Result",
    "UnknownGameError",
    "View",
    "compile",
    "load",
    "load_player",
    "play_games",
    "read",
    "read_all",
]


def _in_english(error: _errors.LocalizedError) -> str:
    # Load the texts when an error is formatted, not with the package: most programs format none.
    text: str = import_module("brinkmanship.text.errors").error_text(error, "en")
    return text


_errors.render_with(_in_english)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
