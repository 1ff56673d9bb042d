"""Shared steps of programs that fit weights: the player, its games in batches, and the module with the weights."""

from __future__ import annotations

import base64
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from pprint import pformat
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.game import Game
from brinkmanship.engine.playout import Policy
from brinkmanship.players import load_player

HELD_OUT = 10
"""One game in this many is held out to evaluate the fit."""

Columns = TypeVar("Columns", bound=tuple[Any, ...])


def compiled_policy_of(name: str, game: Game) -> Policy:
    """Return the compiled policy of a player.

    Raises:
        ValueError: the player has none.
    """
    policy = load_player(name, game).policy
    if policy is None:
        raise ValueError(f"{name} has no compiled policy; choose a player that has one")
    return policy


def concatenated(pieces: Iterable[Columns]) -> Columns:
    """Concatenate named tuples of arrays, row by row."""
    listed = list(pieces)
    return type(listed[0])(*map(np.concatenate, zip(*listed, strict=True)))


def split(rows: npt.NDArray[np.bool_], games: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.bool_], ...]:
    """Return which of the chosen rows are fitted and which are held out, by the number of their game."""
    is_held_out = games % HELD_OUT == 0
    return rows & ~is_held_out, rows & is_held_out


def stated(manifest: Mapping[str, Any], *, sort: bool = True) -> str:
    """Return the provenance of the weights, as the line of their module that begins with MANIFEST."""
    return f"MANIFEST: dict[str, Any] = {pformat(manifest, width=110, sort_dicts=sort)}"


def rewritten(module: ModuleType, text: str, tail: str) -> str:
    """Return the source of a module with new text between its MANIFEST and the start of `tail`."""
    source = _source(module)
    return source[: source.index("MANIFEST")] + text + source[source.index(tail) :]


def rewritten_weights(module: ModuleType, text: str, weights: npt.NDArray[np.float64]) -> str:
    """Return the source of a module `learned` with new weights, rounded to thousandths, as further digits are noise.

    Args:
        module: the current module; its text before MANIFEST and after _CODE stays.
        text: the lines from MANIFEST to _CODE.
        weights: the weights in the module's layout.
    """
    thousandths = np.clip(np.rint(weights * module.UNITS), -32767, 32767).astype("<i2")
    code = "\n".join(textwrap.wrap(base64.b64encode(thousandths.tobytes()).decode(), 118))
    source, begin = _source(module), '_CODE = """'
    end = source.index('"""', source.index(begin) + len(begin))
    return f"{source[: source.index('MANIFEST')]}{text}\n\n{begin}\n{code}\n{source[end:]}"


def _source(module: ModuleType) -> str:
    assert module.__file__ is not None
    return Path(module.__file__).read_text("utf-8")
