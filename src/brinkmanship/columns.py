"""Encoding of the fields of a game's record as columns: numbers, one-hot categories, and bit sets.

A field that is not listed here is a number and takes one column. Only categorical numbers are one-hot encoded, so that
no program mistakes card 7 for more than card 6. Index ranges are those of the games' ``state.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from math import prod
from typing import Any, NamedTuple

import numpy as np

from brinkmanship.engine.game import OVER, Game
from brinkmanship.games.registry import kit_for


class ColumnKind(IntEnum):
    """The content of the columns of a part of a field."""

    NUMBER = 0  # one column: the number itself
    ONE_OF = 1  # one-hot: a column for each value, starting with `low`
    BITS = 2  # a column for each bit, starting with the lowest


class FieldPart(NamedTuple):
    """A part of a number of the record, and its columns."""

    kind: ColumnKind
    low: int = 0
    width: int = 1
    """Number of columns."""
    shift: int = 0
    bits: int = 0
    """Number of bits used, starting with bit `shift`. 0: the whole number."""
    name: str = ""
    """Name of the part, if a field has several."""


Code = tuple[FieldPart, ...]
"""The encoding of a number of the record."""

NUMBER: Code = (FieldPart(ColumnKind.NUMBER),)

OBSERVATION = "observation"
"""The module of a game with a function ``codes()``: the codes of its fields by their names."""


def one_of(low: int, high: int) -> Code:
    """Return the code of a number that names one of ``high - low + 1`` things."""
    return (FieldPart(ColumnKind.ONE_OF, low, high - low + 1),)


def bits(count: int) -> Code:
    """Return the code of a set, one bit for each member."""
    return (FieldPart(ColumnKind.BITS, 0, count),)


def side(low: int = 0) -> Code:
    """Return the code of a number that names a side, or with a lower `low` also no side."""
    return one_of(low, 1)


def codes_of(game: Game) -> Mapping[str, Code]:
    """Return the codes of a game's fields by their names, ``stack.card`` for the field of a row within the record.

    A game without a module `OBSERVATION` has numbers only, apart from the side to act.
    """
    observation = kit_for(game).module(OBSERVATION)
    return observation.codes() if observation else {"mover": one_of(0, OVER)}


def number_fields(dtype: np.dtype[Any]) -> Iterator[tuple[str, np.dtype[Any], int, int]]:
    """Yield the fields of a record in order: name, dtype, offset in bytes, and the row of the stack or -1."""
    for name, (field, offset, *_) in (dtype.fields or {}).items():
        base, shape = field.subdtype or (field, (1,))
        if base.fields is None:
            yield name, field, offset, -1
            continue
        for row in range(prod(shape)):
            for inner, (inner_field, inner_offset, *_) in base.fields.items():
                yield f"{name}.{inner}", inner_field, offset + row * base.itemsize + inner_offset, row
