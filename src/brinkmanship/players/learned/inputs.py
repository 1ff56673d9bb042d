"""Inputs of a network: the observation columns that vary in a game, as a list of the active ones.

A view of 13 Minutes has some 100 numbers, of which each activates at most a few of several hundred columns. So a view
is passed to the first layer as a list of (input, value) pairs, and the layer is a sum of rows of its weights. Numbers
of a small range are one-hot encoded, as the worth of a cube is not linear in their number. Where both sides have a
number of the same thing (cubes on a place, cards in hand), the difference has inputs of its own: it is what majorities
depend on, and a layer of sums finds it only slowly.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from math import prod
from typing import Any, NamedTuple, cast

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from brinkmanship.columns import NUMBER, ColumnKind, codes_of, number_fields
from brinkmanship.engine.chance import below, generator
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import INTERPRETED, compiled_loop
from brinkmanship.engine.playout import Policy

WIDEST = 24
"""Maximum range of a number that is one-hot encoded; others become sign(x) log2(1 + |x|) / 10."""
SAMPLED = 400
"""Number of games in which the columns that vary are looked for."""
CLIPPED = len(ColumnKind)
"""Kind of a number that is one-hot encoded, with the ends of its range for anything beyond."""
DIFFERENCE = CLIPPED + 1
"""Kind of a number of the first side less that of the second, whose offset is in the column `SHIFT`; likewise."""
SPAN = 4
"""Largest difference with an input of its own."""

N_COLUMNS = 9
OFFSET, SIZE, ROW, KIND, LOW, WIDTH, SHIFT, MASK, COLUMN = range(N_COLUMNS)
"""Columns of the table: place of a number in the record, then how it becomes columns; see `brinkmanship.columns`."""
TABLE = types.Array(types.int64, 2, "C")
INDEX = types.Array(types.int32, 1, "C")
VALUES = types.Array(types.float32, 1, "C")


class Inputs(NamedTuple):
    """The inputs of a network for one game, side by side for all viewers."""

    table: npt.NDArray[np.int64]
    """One row for each part of each number of the record, int64[parts, 9]."""
    input_of: npt.NDArray[np.int32]
    """The input of each column, -1 for columns that never vary; int32[columns]."""
    depth: int
    """Offset of the number of stack rows in use; -1: the record has no stack."""

    @property
    def size(self) -> int:
        """Number of inputs."""
        return int(self.input_of.max(initial=-1)) + 1

    @property
    def most(self) -> int:
        """Maximum number of active inputs of a view."""
        return int(np.where(self.table[:, KIND] == ColumnKind.BITS, self.table[:, WIDTH], 1).sum())


def layout_of(game: Game) -> str:
    """Return a digest of a game's record and its encoding: weights fit only games with the same one."""
    fields = [(name, str(dtype), offset) for name, dtype, offset, _ in number_fields(game.dtype)]
    codes = sorted((name, [tuple(map(int, part[:-1])) for part in code]) for name, code in codes_of(game).items())
    return sha256(repr((fields, codes, game.n_actions, game.sides)).encode()).hexdigest()


def inputs_of(game: Game, policy: Policy | None, seed: int) -> Inputs:
    """Return the inputs of a game: the columns that vary in the views of sampled games.

    Args:
        game: the ruleset.
        policy: plays half of the decisions; the others are random.
        seed: seed of the games.
    """
    views = list(_sampled_views(game, policy, seed))
    raw = np.array([np.frombuffer(view, np.uint8) for view in views])
    rows: list[list[int]] = []
    column = 0
    codes = codes_of(game)
    for name, dtype, offset, stack_row in number_fields(game.dtype):
        base, shape = dtype.subdtype or (dtype, ())
        for number in range(prod(shape)):
            place = offset + number * base.itemsize
            found = raw[:, place : place + base.itemsize].copy().view(base.newbyteorder("<"))[:, 0]
            low, high = int(found.min()), int(found.max())
            for part in codes.get(name, NUMBER):
                kind, first, width = int(part.kind), part.low, part.width
                if kind == ColumnKind.NUMBER and high - low < WIDEST:
                    kind, first, width = CLIPPED, low, high - low + 1
                mask = (1 << part.bits) - 1 if part.bits else 0
                rows.append([place, base.itemsize, stack_row, kind, first, width, part.shift, mask, column])
                column += width
            if stack_row < 0 and shape[:1] == (2,) and number < prod(shape) // 2 and name not in codes:
                other = place + prod(shape) // 2 * base.itemsize
                width = 2 * SPAN + 1
                rows.append([place, base.itemsize, stack_row, DIFFERENCE, -SPAN, width, other, 0, column])
                column += width
    depth = next((offset for name, _, offset, _ in number_fields(game.dtype) if name == "depth"), -1)
    every = Inputs(np.array(rows, np.int64), np.arange(column, dtype=np.int32), depth)
    encode = encoder(type(game))
    active, values = np.empty(every.most, np.int32), np.empty(every.most, np.float32)
    times = np.zeros(column, np.int64)
    for view in views:
        times[active[: encode(game.state_from_bytes(view), *every, active, values)]] += 1
    varies = (times > 0) & (times < len(views))
    for row in every.table:
        if row[KIND] in (ColumnKind.ONE_OF, CLIPPED, DIFFERENCE):  # all others being 0 says as much, in half the time
            columns = slice(row[COLUMN], row[COLUMN] + row[WIDTH])
            varies[row[COLUMN] + int(times[columns].argmax())] = False
    input_of = np.where(varies, np.cumsum(varies) - 1, -1).astype(np.int32)
    return every._replace(input_of=input_of)


def _sampled_views(game: Game, policy: Policy | None, seed: int) -> Iterable[bytes]:
    for number in range(SAMPLED):
        random = generator(seed, number)
        state = game.new_state()
        while (side := int(game.actor(game.rules, state))) != OVER:
            if side == CHANCE:
                action = game.sample(game.rules, state, random)
            else:
                view = game.view_of(state, side)
                yield view.tobytes()
                legal = game.legal_actions(view, side)
                action = legal[below(random, len(legal))]
                if policy is not None and below(random, 2) == 0:
                    action = policy(game.rules, view, side, random)
            game.apply(game.rules, state, int(action))


def encoder(game: type[Game]) -> Any:
    """Return the compiled `encode` of a game; ``int(record, *inputs, active, values)``."""
    return compiled_loop(encode, types.int64, game.state_type, TABLE, INDEX, types.int64, INDEX, VALUES)


@intrinsic
def _byte_of(_: Any, record: Any, offset: Any) -> Any:  # noqa: ARG001 - Numba reads the names
    """Read a byte of a record: compiled records have fields only, and fields differ from game to game."""

    def read(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        start = builder.bitcast(arguments[0], cgutils.voidptr_t)
        return builder.zext(builder.load(builder.gep(start, [arguments[1]])), context.get_value_type(types.int64))

    return types.int64(record, types.int64), read


byte_of: Any = (lambda record, offset: record.tobytes()[offset]) if INTERPRETED else _byte_of


def _number_of(record: Any, offset: int, size: int) -> int:
    value = np.int64(0)
    for byte in range(size):
        value |= byte_of(record, offset + byte) << (8 * byte)
    return int(value - (np.int64(1) << (8 * size)) if value >> (8 * size - 1) else value)


number_of: Any = _number_of if INTERPRETED else cast(Any, numba.njit)(_number_of)


def encode(
    record: Any,
    table: npt.NDArray[np.int64],
    index: npt.NDArray[np.int32],
    depth_at: int,
    active: npt.NDArray[np.int32],
    values: npt.NDArray[np.float32],
) -> int:
    """Write the active inputs of a view and their values; return how many there are.

    Args:
        record: the view.
        table: `Inputs.table`.
        index: `Inputs.input_of`.
        depth_at: `Inputs.depth`.
        active: the inputs, int32[most].
        values: their values, float32[most].
    """
    count = 0
    depth = byte_of(record, np.int64(depth_at)) if depth_at >= 0 else np.int64(1000)
    for item in range(table.shape[0]):
        if table[item, ROW] >= depth:
            continue
        value = number_of(record, table[item, OFFSET], table[item, SIZE])
        if table[item, MASK]:
            if value >= 0:
                value = (value >> table[item, SHIFT]) & table[item, MASK]
            elif table[item, LOW] >= 0:
                continue  # "none": only the part with a column for it is set
        kind = table[item, KIND]
        if kind == DIFFERENCE:
            value -= number_of(record, table[item, SHIFT], table[item, SIZE])
        column = table[item, COLUMN]
        width = table[item, WIDTH]
        if kind == ColumnKind.NUMBER:
            if index[column] >= 0 and value != 0:
                size_of = min(np.log2(1.0 + abs(value)) / 10.0, 1.0)
                active[count] = index[column]
                values[count] = size_of if value > 0 else -size_of
                count += 1
        elif kind == ColumnKind.BITS:
            for bit in range(width):
                if (value >> bit) & 1 and index[column + bit] >= 0:
                    active[count] = index[column + bit]
                    values[count] = 1.0
                    count += 1
        else:
            place = value - table[item, LOW]
            if kind >= CLIPPED:
                place = min(max(place, 0), width - 1)
            if 0 <= place < width and index[column + place] >= 0:
                active[count] = index[column + place]
                values[count] = 1.0
                count += 1
    return count


encode_inlined: Any = encode if INTERPRETED else cast(Any, numba.njit)(encode)
"""`encode` for other compiled loops, which pass it the records of any game."""
