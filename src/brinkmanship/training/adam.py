"""The optimiser Adam (Kingma, Ba, "Adam: a method for stochastic optimization", 1412.6980)."""

from __future__ import annotations

from math import inf

import numpy as np

from brinkmanship.players.learned.network import Floats

BETA_1, BETA_2, TINY = 0.9, 0.999, 1e-8


def adam(
    weights: Floats, mean: Floats, square: Floats, slope: Floats, step: int, rate: float, norm: float = inf
) -> None:
    """Take one step of Adam, in place.

    Args:
        weights: float32[size], as all of the next.
        mean: running mean of the gradient.
        square: running mean of its square.
        slope: the gradient; scaled down to a length of `norm` at most.
        step: number of this step, from 1.
        rate: the learning rate.
        norm: maximum length of the gradient; none by default.
    """
    length = float(np.sqrt(np.square(slope).sum()))  # not `np.dot`: BLAS may add up in another order with more cores
    slope *= np.float32(min(1.0, norm / max(length, TINY)))
    mean += np.float32(1 - BETA_1) * (slope - mean)
    square += np.float32(1 - BETA_2) * (slope * slope - square)
    scale = np.float32(rate / (1 - BETA_1**step))
    weights -= scale * mean / (np.sqrt(square / np.float32(1 - BETA_2**step)) + np.float32(TINY))
