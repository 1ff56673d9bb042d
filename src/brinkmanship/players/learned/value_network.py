"""A small network that judges a position: one layer of rectified units, beside a linear part of all inputs.

`training.value_network` fits one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.jit.compile import compiled
from brinkmanship.players.learned.inputs import VALUES
from brinkmanship.players.learned.network import Floats

# Weights are constants of a module, which Numba does not let anyone write.
VECTOR = types.Array(types.float32, 1, "C", readonly=True)
TABLE = types.Array(types.float32, 2, "C", readonly=True)


@compiled(types.float64, TABLE, VECTOR, VECTOR, VECTOR, types.Array(types.float64, 1, "C"), VALUES)
def network_logit(
    first: Floats, biases: Floats, out: Floats, linear: Floats, inputs: npt.NDArray[np.float64], hidden: Floats
) -> float:
    """Return the logit of a position.

    Args:
        first: weights of the layer, float32[inputs, units].
        biases: its biases, float32[units].
        out: weights of its units, float32[units].
        linear: weights of the inputs, float32[inputs].
        inputs: mostly 0, float64[inputs].
        hidden: memory for the units, float32[units]; overwritten.
    """
    units = biases.shape[0]
    for unit in range(units):
        hidden[unit] = biases[unit]
    total: Any = np.float32(0)
    for column in range(linear.shape[0]):
        if inputs[column] != 0:
            amount = np.float32(inputs[column])
            total += amount * linear[column]
            for unit in range(units):
                hidden[unit] += amount * first[column, unit]
    for unit in range(units):
        total += max(hidden[unit], np.float32(0)) * out[unit]
    return float(total)
