"""Observation tensors: a viewer's view as a row of int16, with the fields of the view in columns.

>>> import brinkmanship as brink
>>> observation = Observation(brink.load("13-minutes"))
>>> position = brink.Position(observation.game, seed=1)
>>> row = observation.of(position.view("us").state, 0)
>>> row.dtype, row.shape == (observation.size,)
(dtype('int16'), True)
>>> observation.field("hand")
Field(name='hand', kinds='number', shape=(2,), first=..., columns=2)
>>> row[observation.field("hand").slice]
array([2, 2], dtype=int16)

The row depends only on the view, so hidden information does not change a bit of it. It is also complete: `record`
restores the view from it, so it determines the viewer's legal actions. docs/research/observations.md lists every field
of every game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.columns import NUMBER, Code, ColumnKind, FieldPart, codes_of, number_fields
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.jit.compile import compiled
from brinkmanship.engine.record import State

LOG_OF_LARGEST = 10
"""Binary logarithm of the largest number that `normalised` does not clip, plus 1."""
VIEWERS = OBSERVER + 1
"""The first columns are a one-hot encoding of the viewer: a column for each side, and one for the observer."""

# The columns of the table for the compiled loop; it has a row for each part of each number of the record.
_OFFSET, _SIZE, _ROW, _KIND, _LOW, _WIDTH, _SHIFT, _MASK, _COLUMN = range(9)


@dataclass(frozen=True)
class Field:
    """The columns of one field of the record."""

    name: str
    """The name in the game's ``state.py``; ``stack.card`` in a row of the stack."""
    kinds: str
    """The content of its columns: "number", "one of -1..8", "16 bits"."""
    shape: tuple[int, ...]
    """Shape of the field; its columns are in C order."""
    first: int
    """Index of its first column. Each row of a stack has separate columns: this is the index in the first row."""
    columns: int
    """Number of columns."""

    @property
    def slice(self) -> slice:
        """Its columns in a row."""
        return slice(self.first, self.first + self.columns)


class Observation:
    """The layout of a game's tensors, with encoder and decoder."""

    def __init__(self, game: Game) -> None:
        self.game = game
        fields: list[Field] = []
        rows: list[tuple[int, ...]] = []
        codes = codes_of(game)
        column = VIEWERS
        for name, dtype, offset, stack_row in number_fields(game.dtype):
            base, shape = dtype.subdtype or (dtype, ())
            code = codes.get(name, NUMBER)
            first = column
            for number in range(prod(shape)):
                place = (offset + number * base.itemsize, base.itemsize, stack_row)
                for part in code:
                    mask = (1 << part.bits) - 1 if part.bits else 0
                    rows.append((*place, part.kind, part.low, part.width, part.shift, mask, column))
                    column += part.width
            fields.append(Field(name, _kinds(code), shape, first, column - first))
        self.fields = tuple(fields)
        """All fields in order of their columns; those of the stack once for each row of it."""
        self.size = column
        """Number of columns of a row."""
        self._table = np.array(rows, np.int64)
        self._depth = next((offset for name, _, offset, _ in number_fields(game.dtype) if name == "depth"), -1)

    def of(self, view: State, viewer: int, out: npt.NDArray[np.int16] | None = None) -> npt.NDArray[np.int16]:
        """Return the row of a viewer's view: int16[size], written to `out` if given.

        Args:
            view: the viewer's record (`Game.view_of`), never the whole state.
            viewer: the side, or `OBSERVER`.
            out: int16[size], contiguous.
        """
        row = np.empty(self.size, np.int16) if out is None else out
        raw = np.frombuffer(bytearray(view.tobytes()), np.uint8)[None, :]
        encode(self._table, self._depth, raw, np.array([viewer], np.int8), row[None, :])
        return row

    def write(self, records: npt.NDArray[np.uint8], viewers: npt.NDArray[np.int8], out: npt.NDArray[np.int16]) -> None:
        """Write the rows of many views at once.

        Args:
            records: the bytes of the views, uint8[n, itemsize].
            viewers: their viewers, int8[n].
            out: int16[n, size].
        """
        encode(self._table, self._depth, records, viewers, out)

    @cached_property
    def _numbers(self) -> npt.NDArray[np.intp]:
        """The columns that hold numbers; all others are 0 or 1."""
        return np.array(
            [entry[_COLUMN] for entry in self._table.tolist() if entry[_KIND] == ColumnKind.NUMBER], np.intp
        )

    def normalised(self, rows: npt.NDArray[np.int16]) -> npt.NDArray[np.float32]:
        """Return rows with numbers scaled to -1..1 for networks, float32 of the same shape.

        A number x becomes sign(x) log2(1 + |x|) / 10, clipped; up to 1,023 nothing is lost.
        """
        out: npt.NDArray[np.float32] = rows.astype(np.float32)
        numbers = out[..., self._numbers]
        scaled = np.sign(numbers) * np.log2(1 + np.abs(numbers)) / LOG_OF_LARGEST
        out[..., self._numbers] = np.clip(scaled, -1, 1)
        return out

    def field(self, name: str) -> Field:
        """Return a field by its name.

        Raises:
            KeyError: the record has no such field.
        """
        found = next((field for field in self.fields if field.name == name), None)
        if found is None:
            raise KeyError(f"the record of {self.game.id} has no field {name!r}")
        return found

    def viewer(self, row: npt.NDArray[np.int16]) -> int:
        """Return the viewer of a row."""
        return int(row[:VIEWERS].argmax())

    def record(self, row: npt.NDArray[np.int16]) -> State:
        """Restore the view from its row."""
        raw = bytearray(self.game.dtype.itemsize)
        numbers: dict[tuple[int, int], int] = {}
        for entry in self._table.tolist():
            columns = row[entry[_COLUMN] : entry[_COLUMN] + entry[_WIDTH]]
            value = _value(entry[_KIND], entry[_LOW], columns)
            place = entry[_OFFSET], entry[_SIZE]
            if value < 0 or numbers.get(place, 0) < 0:  # "none": the other parts are blank
                numbers[place] = min(value, numbers.get(place, 0))
            else:
                numbers[place] = numbers.get(place, 0) + (value << entry[_SHIFT])
        for (offset, size), value in numbers.items():
            raw[offset : offset + size] = value.to_bytes(size, "little", signed=True)
        return self.game.state_from_bytes(bytes(raw))


def _kinds(code: Code) -> str:
    return ", ".join((f"{part.name}: " if part.name else "") + _kind(part) for part in code)


def _kind(part: FieldPart) -> str:
    if part.kind == ColumnKind.NUMBER:
        return "number"
    if part.kind == ColumnKind.BITS:
        return f"{part.width} bits"
    return f"one of {part.low}..{part.low + part.width - 1}"


def _value(kind: int, low: int, columns: npt.NDArray[np.int16]) -> int:
    if kind == ColumnKind.NUMBER:
        return int(columns[0])
    if kind == ColumnKind.BITS:
        return sum(1 << bit for bit, column in enumerate(columns.tolist()) if column)
    return low + int(columns.argmax()) if columns.any() else 0


_BYTES = types.Array(types.uint8, 2, "C")
_ROWS = types.Array(types.int16, 2, "C")


@compiled(types.void, types.Array(types.int64, 2, "C"), types.int64, _BYTES, types.Array(types.int8, 1, "C"), _ROWS)
def encode(
    table: npt.NDArray[np.int64],
    depth_at: int,
    records: npt.NDArray[np.uint8],
    viewers: npt.NDArray[np.int8],
    out: npt.NDArray[np.int16],
) -> None:
    """Write the rows of many views. `depth_at`: the offset of the number of stack rows in use, -1: no stack."""
    for number in range(records.shape[0]):
        for column in range(out.shape[1]):
            out[number, column] = 0
        out[number, viewers[number]] = 1
        depth = np.int64(records[number, depth_at]) if depth_at >= 0 else 1000
        for item in range(table.shape[0]):
            if table[item, _ROW] >= depth:
                continue
            at = table[item, _OFFSET]
            size = table[item, _SIZE]
            value = np.int64(0)
            for byte in range(size):
                value |= np.int64(records[number, at + byte]) << (8 * byte)
            if value >> (8 * size - 1):
                value -= np.int64(1) << (8 * size)
            mask = table[item, _MASK]
            if mask:
                if value >= 0:
                    value = (value >> table[item, _SHIFT]) & mask
                elif table[item, _LOW] >= 0:
                    continue  # "none": only the part with a column for it is set
            kind = table[item, _KIND]
            column = table[item, _COLUMN]
            width = table[item, _WIDTH]
            if kind == ColumnKind.NUMBER:
                out[number, column] = value
            elif kind == ColumnKind.ONE_OF:
                place = value - table[item, _LOW]
                if 0 <= place < width:
                    out[number, column + place] = 1
            else:
                for bit in range(width):
                    out[number, column + bit] = (value >> bit) & 1
