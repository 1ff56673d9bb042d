"""Fit a value network (`players.learned.value_network`) to the results of games, with Adam on the log loss."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.training.adam import adam
from brinkmanship.training.regression import Floats, probability

Weights = npt.NDArray[np.float32]

ROWS = 512
"""Positions in a minibatch."""
RATE = 2e-3
"""Learning rate at the beginning; it falls evenly to 0."""
DECAY = 0.2
"""Part of a weight that is taken off with each step, as a multiple of the learning rate (AdamW, 1711.05101)."""


class Layers(NamedTuple):
    """The weights of a network by layer; see `players.learned.value_network`."""

    first: Weights
    """float32[inputs, units]"""
    biases: Weights
    units: Weights
    linear: Weights
    """float32[inputs]"""

    @classmethod
    def random(cls, inputs: Weights, units: int, random: np.random.Generator) -> Layers:
        """Return the weights at the beginning, for inputs like these rows, float32[n, inputs]."""
        n_inputs = inputs.shape[1]
        first = random.standard_normal((n_inputs, units)) / np.sqrt(np.count_nonzero(inputs) / len(inputs))
        last = 0.1 * random.standard_normal(units)
        return cls(*(part.astype(np.float32) for part in (first, np.zeros(units), last, np.zeros(n_inputs))))

    def logits(self, inputs: Weights) -> Floats:
        """Return the logits of some positions, float64[n]."""
        hidden = np.maximum(inputs @ self.first + self.biases, 0)
        return np.asarray(hidden @ self.units + inputs @ self.linear, np.float64)

    def slopes(self, inputs: Weights, share: npt.NDArray[np.float32]) -> Layers:
        """Return the gradient of the mean log loss of some positions."""
        hidden = np.maximum(inputs @ self.first + self.biases, 0)
        chances = probability(hidden @ self.units + inputs @ self.linear)
        error = np.asarray((chances - share) / len(share), np.float32)
        back = np.outer(error, self.units) * (hidden > 0)
        return Layers(inputs.T @ back, back.sum(axis=0), hidden.T @ error, inputs.T @ error)


def fitted_network(inputs: Weights, share: Floats, units: int, epochs: int, seed: int, rarest: int = 1) -> Layers:
    """Fit a network to results.

    Args:
        inputs: float32[n, inputs].
        share: share of the point that was won, 0..1, float64[n].
        units: units of the hidden layer.
        epochs: how often each position is used.
        seed: seed of the weights at the beginning and of the order of the positions.
        rarest: positions in which an input must be active; others get no weight, as theirs would be that of the
            beginning, or follow few games.
    """
    known = np.flatnonzero(np.count_nonzero(inputs, axis=0) >= rarest)
    layers = _fitted(inputs[:, known], share, units, epochs, seed)
    first, linear = (np.zeros((inputs.shape[1], *part.shape[1:]), np.float32) for part in (layers.first, layers.linear))
    first[known], linear[known] = layers.first, layers.linear
    return layers._replace(first=first, linear=linear)


def _fitted(inputs: Weights, share: Floats, units: int, epochs: int, seed: int) -> Layers:
    random = np.random.default_rng([seed])
    layers = Layers.random(inputs[:ROWS], units, random)
    means, squares = ([np.zeros_like(part) for part in layers] for _ in range(2))
    results = share.astype(np.float32)
    batches = max(len(inputs) // ROWS, 1)
    for step in range(epochs * batches):
        if step % batches == 0:
            parts = np.array_split(random.permutation(len(inputs)), batches)
        rows = parts[step % batches]
        rate = RATE * (1 - step / (epochs * batches))
        slopes = layers.slopes(inputs[rows], results[rows])
        for part, slope, mean, square in zip(layers, slopes, means, squares, strict=True):
            part -= np.float32(rate * DECAY) * part
            adam(part.ravel(), mean.ravel(), square.ravel(), slope.ravel(), step + 1, rate)
    return layers
