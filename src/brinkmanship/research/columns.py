"""How the fields of a game's record become columns: what is a number, what names one of several things, what is bits.

A field that is not named here is a number and takes one column. Only what is *named* by a number is spread out, one
column for each thing, so that no program takes card 7 for more than card 6. Index ranges are those of the games'
``state.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple

from brinkmanship.engine.game import OVER, Game
from brinkmanship.games.registry import kit_for


class Kind(IntEnum):
    """What the columns of a part of a field hold."""

    NUMBER = 0  # one column: the number itself
    ONE_OF = 1  # a column for each value from `low` on: 1 in that of the value, else 0
    BITS = 2  # a column for each bit from the lowest on


class Part(NamedTuple):
    """A part of a number of the record, and its columns."""

    kind: Kind
    low: int = 0
    width: int = 1
    """Columns."""
    shift: int = 0
    bits: int = 0
    """Where only some bits are meant: so many, from bit `shift` on. 0: the whole number."""
    name: str = ""
    """Of the part, where a field has several."""


Code = tuple[Part, ...]
"""How a number of the record is spread out."""

NUMBER: Code = (Part(Kind.NUMBER),)

OBSERVATION = "observation"
"""The module of a game with a function ``codes()``: the codes of its fields by their names."""


def one_of(low: int, high: int) -> Code:
    """A number that names one of ``high - low + 1`` things."""
    return (Part(Kind.ONE_OF, low, high - low + 1),)


def bits(count: int) -> Code:
    """A set of things, a bit each."""
    return (Part(Kind.BITS, 0, count),)


def side(low: int = 0) -> Code:
    """A number that names a side, or with a lower `low` also no side."""
    return one_of(low, 1)


def codes_of(game: Game) -> Mapping[str, Code]:
    """Return the codes of a game's fields by their names, ``stack.card`` for the field of a row within the record.

    A game without a module `OBSERVATION` has numbers only, apart from who is asked.
    """
    observation = kit_for(game).module(OBSERVATION)
    return observation.codes() if observation else {"mover": one_of(0, OVER)}
