"""Signatures of the compiled functions of a game, for the generic loops that take them by address."""

from __future__ import annotations

from typing import Any

from numba import types

from brinkmanship.engine.chance import RANDOM
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import RULES, STATE, filled_in, pointer

ACTIONS = types.Array(types.int16, 1, "C")
"""The compiled type of a list of actions."""
GAME_FUNCTIONS = "start actor legal apply sample result view"
"""Names of the functions that a loop over whole games takes."""
POINTS = types.Array(types.float64, 1, "C")
"""The compiled type of utilities, one for each side, and of the parts of a score."""

_SIGNATURES: dict[str, tuple[Any, ...]] = {
    # The functions of `Game`.
    "start": (types.void, RULES, STATE),
    "actor": (types.int64, RULES, STATE),
    "pending": (types.int64, RULES, STATE),
    "legal": (types.int64, RULES, STATE, types.int64, ACTIONS),
    "apply": (types.void, RULES, STATE, types.int64),
    "sample": (types.int64, RULES, STATE, RANDOM),
    "result": (types.int64, RULES, STATE, POINTS),
    "view": (types.void, RULES, STATE, types.int64, STATE),
    "redeal": (types.void, RULES, STATE, types.int64, RANDOM, STATE),
    "audience": (types.int64, RULES, STATE, types.int64),
    # The functions of players (`engine.playout.Policy`, `players.search`) and of learned values (`forecast.moment`).
    "policy": (types.int64, RULES, STATE, types.int64, RANDOM),
    "value": (types.float64, RULES, STATE, types.int64),
    "cut": (types.boolean, RULES, STATE, STATE),
    "stretch": (types.int64, RULES, STATE),
    "score": (types.void, RULES, STATE, types.int64, POINTS),
    "moment": (types.int64, RULES, STATE),
}


def signature(game: type[Game], name: str) -> tuple[Any, ...]:
    """Return the signature of a function of a game: the compiled types of its result and of its arguments."""
    return filled_in(_SIGNATURES[name], game.rules_type, game.state_type)


def pointers(game: type[Game], names: str) -> list[Any]:
    """Return the types of functions as arguments of a compiled loop.

    Args:
        game: the class of the ruleset.
        names: names of functions with a space between them, in the order of the loop's arguments.
    """
    return [pointer(*signature(game, name)) for name in names.split()]


def functions(game: Game, names: str) -> list[Any]:
    """Return the compiled functions of a game as arguments for a call of such a loop; see `pointers`."""
    return [getattr(game, name) for name in names.split()]
