"""Signatures of the compiled functions of a game, for the generic loops that take them by address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import RULES, STATE, filled_in, named_tuple, pointer
from brinkmanship.engine.jit.function_address import at_address

ACTIONS = types.Array(types.int16, 1, "C")
"""The compiled type of a list of actions."""
POINTS = types.Array(types.float64, 1, "C")
"""The compiled type of utilities, one for each side, and of the parts of a score."""

Moment = Callable[[Any, Any], int]
"""``moment(rules, state) -> int``: the number of the moment of the game a state is in, -1 for none."""


class GameFunctions(NamedTuple):
    """The functions of a game, in one argument of a loop, which calls ``game.apply(rules, state, action)``.

    `Game` says what each of them does.
    """

    start: Callable[[Any, Any], None]
    actor: Callable[[Any, Any], int]
    pending: Callable[[Any, Any], int]
    legal: Callable[[Any, Any, int, npt.NDArray[np.int16]], int]
    apply: Callable[[Any, Any, int], None]
    sample: Callable[[Any, Any, Random], int]
    result: Callable[[Any, Any, npt.NDArray[np.float64]], int]
    view_for: Callable[[Any, Any, int, Any], None]
    """`Game.view`; Numba takes any attribute `view` for that of an array."""
    redeal: Callable[[Any, Any, int, Random, Any], None]
    audience: Callable[[Any, Any, int], int]


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
    "deal": (types.void, RULES, STATE, types.int64, POINTS, RANDOM, STATE),
    "moment": (types.int64, RULES, STATE),
}


def functions(game: Game) -> GameFunctions:
    """Return the compiled functions of a game as an argument for a compiled loop."""
    return GameFunctions(*(at_address(getattr(game, _name_of(field))) for field in GameFunctions._fields))


def functions_type(game: type[Game], cls: Any = GameFunctions) -> Any:
    """Return the compiled type of a named tuple of functions of a game; the names of its fields say which."""
    return named_tuple(cls, *(function_type(game, _name_of(field)) for field in cls._fields))


def _name_of(field: str) -> str:
    return "view" if field == "view_for" else field


def function_type(game: type[Game], name: str) -> Any:
    """Return the compiled type of a function of a game as an argument of a loop."""
    return pointer(*signature(game, name))


def signature(game: type[Game], name: str) -> tuple[Any, ...]:
    """Return the signature of a function of a game: the compiled types of its result and of its arguments."""
    return filled_in(_SIGNATURES[name], game.rules_type, game.state_type)
