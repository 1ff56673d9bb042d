"""A policy and value network of one side: two hidden layers, of which the first is sparse, as compiled functions.

Inputs feed `LayerSizes.first` units; these feed `LayerSizes.second` units of the policy and `LayerSizes.critic` units
of the value. Only the outputs of legal actions are computed, and rectifiers (max(x, 0)) skip half of each layer's rows.
All weights of a side are one float32 vector, so that training and storing need no names; `LayerSizes` says where each
layer lies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.engine.signatures import ACTIONS
from brinkmanship.players.learned.inputs import INDEX, VALUES

Floats = npt.NDArray[np.float32]

LANES = 8
"""Sums of products are added up in this many parts, so that the compiler may use vector instructions."""

N_NUMBERS = 16
N_INPUTS, FIRST, SECOND, CRITIC, N_ACTIONS = range(5)
IN_1, BIAS_1, IN_2, BIAS_2, OUT, OUT_BIAS, IN_V, BIAS_V, OUT_V, V_BIAS, SIZE = range(5, N_NUMBERS)
"""Places in `LayerSizes.numbers`: the sizes of the layers, then the first weight of each part and their total."""


class LayerSizes(NamedTuple):
    """Sizes of the layers; those of units are multiples of `LANES`."""

    inputs: int
    actions: int
    first: int = 128
    second: int = 64
    critic: int = 32

    @property
    def numbers(self) -> npt.NDArray[np.int64]:
        """Sizes and places of the parts of the weights, int64[16]."""
        parts = [
            self.inputs * self.first,
            self.first,
            self.first * self.second,
            self.second,
            self.actions * self.second,
            self.actions,
            self.first * self.critic,
            self.critic,
            self.critic,
            1,
        ]
        starts = np.concatenate([[0], np.cumsum(parts)])
        return np.array([self.inputs, self.first, self.second, self.critic, self.actions, *starts], np.int64)

    @property
    def size(self) -> int:
        """Number of weights."""
        return int(self.numbers[SIZE])

    @property
    def units(self) -> int:
        """Number of hidden units: size of the scratch memory of a decision."""
        return self.first + self.second + self.critic

    def initial(self, random: np.random.Generator) -> Floats:
        """Return random weights, float32[size]: normal with variance 2 / inputs of a unit; outputs start at 0.

        He, Zhang, Ren, Sun, "Delving Deep into Rectifiers" (2015). Of the inputs a tenth is taken to be active.
        """
        weights = np.zeros(self.size, np.float32)
        at = self.numbers
        for first, end, fan in (
            (IN_1, BIAS_1, max(self.inputs / 10, 1)),
            (IN_2, BIAS_2, self.first),
            (IN_V, BIAS_V, self.first),
        ):
            count = int(at[end] - at[first])
            weights[at[first] : at[end]] = random.standard_normal(count) * np.sqrt(2 / fan)
        return weights

    def forward(self, weights: Floats, row: Floats) -> tuple[Floats, float]:
        """Return the logits of all actions, float32[actions], and the value: plain NumPy, to check compiled code.

        Args:
            weights: float32[size].
            row: all inputs, mostly 0, float32[inputs].
        """
        at = self.numbers

        def part(first: int, *shape: int) -> Floats:
            return weights[at[first] : at[first + 1]].reshape(shape)

        first = np.maximum(row @ part(IN_1, self.inputs, self.first) + part(BIAS_1, self.first), 0)
        second = np.maximum(first @ part(IN_2, self.first, self.second) + part(BIAS_2, self.second), 0)
        critic = np.maximum(first @ part(IN_V, self.first, self.critic) + part(BIAS_V, self.critic), 0)
        logits = part(OUT, self.actions, self.second) @ second + part(OUT_BIAS, self.actions)
        return logits, float(critic @ part(OUT_V, self.critic) + part(V_BIAS, 1)[0])


PLAN = types.Array(types.int64, 1, "C")


@internal(types.float32, VALUES, VALUES)
def dot(a: Floats, b: Floats) -> Any:
    """Return the sum of products of two vectors whose length is a multiple of `LANES`, always in the same order."""
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = np.float32(0)
    for start in range(0, a.shape[0], LANES):
        s0 += a[start] * b[start]
        s1 += a[start + 1] * b[start + 1]
        s2 += a[start + 2] * b[start + 2]
        s3 += a[start + 3] * b[start + 3]
        s4 += a[start + 4] * b[start + 4]
        s5 += a[start + 5] * b[start + 5]
        s6 += a[start + 6] * b[start + 6]
        s7 += a[start + 7] * b[start + 7]
    return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))


@internal(types.void, VALUES, VALUES)
def copy(row: Floats, units: Floats) -> None:
    """Copy a row over the units; an assignment of slices would allocate memory."""
    for number in range(units.shape[0]):
        units[number] = row[number]


@internal(types.void, types.float32, VALUES, VALUES)
def add(factor: Any, row: Floats, total: Floats) -> None:
    """Add a multiple of a row to a total, in place."""
    for number in range(total.shape[0]):
        total[number] += factor * row[number]


@internal(types.void, VALUES, types.int64, types.int64, VALUES, VALUES)
def layer(weights: Floats, rows: int, biases: int, below: Floats, units: Floats) -> None:
    """Write the units of a dense layer; `rows` and `biases` are the places of its weights."""
    width = units.shape[0]
    copy(weights[biases : biases + width], units)
    for number in range(below.shape[0]):
        if below[number] != 0:
            start = rows + number * width
            add(below[number], weights[start : start + width], units)
    for number in range(width):
        units[number] = max(units[number], np.float32(0))


@compiled(types.void, VALUES, PLAN, INDEX, VALUES, types.int64, VALUES)
def first_layer(
    weights: Floats, plan: npt.NDArray[np.int64], active: Any, values: Floats, count: int, hidden: Floats
) -> None:
    """Write the units of the first layer to the start of `hidden`, float32[units]: a sum of the active rows."""
    width = plan[FIRST]
    units = hidden[:width]
    copy(weights[plan[BIAS_1] : plan[BIAS_1] + width], units)
    rows = weights[plan[IN_1] : plan[BIAS_1]]
    for number in range(0, count - count % 4, 4):  # four rows at a time, as the total is read and written each time
        one, two = active[number] * width, active[number + 1] * width
        three, four = active[number + 2] * width, active[number + 3] * width
        row_1, row_2 = rows[one : one + width], rows[two : two + width]
        row_3, row_4 = rows[three : three + width], rows[four : four + width]
        x_1, x_2, x_3, x_4 = values[number], values[number + 1], values[number + 2], values[number + 3]
        for unit in range(width):
            units[unit] += (x_1 * row_1[unit] + x_2 * row_2[unit]) + (x_3 * row_3[unit] + x_4 * row_4[unit])
    for number in range(count - count % 4, count):
        start = active[number] * width
        add(values[number], rows[start : start + width], units)
    for number in range(width):
        units[number] = max(units[number], np.float32(0))


@compiled(types.void, VALUES, PLAN, ACTIONS, types.int64, VALUES, VALUES)
def log_policy(
    weights: Floats, plan: npt.NDArray[np.int64], legal: Any, count: int, hidden: Floats, out: Floats
) -> None:
    """Write the log-probabilities of the legal actions to `out`, float32[max_legal], after `first_layer`."""
    first, width = plan[FIRST], plan[SECOND]
    units = hidden[first : first + width]
    layer(weights, plan[IN_2], plan[BIAS_2], hidden[:first], units)
    highest = np.float32(-1e30)
    for number in range(count):
        action = np.int64(legal[number])
        start = plan[OUT] + action * width
        out[number] = weights[plan[OUT_BIAS] + action] + dot(weights[start : start + width], units)
        highest = max(highest, out[number])
    total = np.float32(0)
    for number in range(count):
        out[number] -= highest
        total += np.exp(out[number])
    shift = np.log(total)
    for number in range(count):
        out[number] -= shift


@compiled(types.float64, VALUES, PLAN, VALUES)
def value_of(weights: Floats, plan: npt.NDArray[np.int64], hidden: Floats) -> float:
    """Return the expected utility of the side after `first_layer`."""
    first, width = plan[FIRST], plan[CRITIC]
    units = hidden[first + plan[SECOND] : first + plan[SECOND] + width]
    layer(weights, plan[IN_V], plan[BIAS_V], hidden[:first], units)
    return float(dot(weights[plan[OUT_V] : plan[OUT_V] + width], units) + weights[plan[V_BIAS]])
