"""A value network: what it can learn that a logistic regression cannot, and that a seed gives the same weights."""

from __future__ import annotations

import numpy as np
import pytest

from brinkmanship.training.regression import log_loss, probability
from brinkmanship.training.value_network import Layers, fitted_network

N = 4096


def positions() -> tuple[np.ndarray, np.ndarray]:
    """Positions in which who is ahead depends on whether two inputs agree."""
    inputs = np.random.default_rng(5).integers(2, size=(N, 6)).astype(np.float32)
    return inputs, (inputs[:, 0] == inputs[:, 1]).astype(np.float64)


def test_it_learns_that_the_worth_of_one_thing_depends_on_another() -> None:
    inputs, share = positions()
    layers = fitted_network(inputs, share, units=8, epochs=300, seed=1)
    assert log_loss(probability(layers.logits(inputs)), share) < 0.2, (
        "without interactions nobody does better than .693"
    )


def test_the_same_seed_gives_the_same_weights_and_another_seed_others() -> None:
    inputs, share = positions()
    first, again, other = (fitted_network(inputs[:512], share[:512], 4, 1, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first.first, other.first)


def test_the_slopes_are_those_of_the_log_loss() -> None:
    random = np.random.default_rng(3)
    inputs, share = random.random((64, 5)).astype(np.float32), random.random(64).astype(np.float32)
    layers = Layers.random(inputs, 3, random)
    layers.biases[:] = 0.1

    def loss() -> float:
        return log_loss(probability(layers.logits(inputs)), share)

    slopes = layers.slopes(inputs, share)
    for part, slope in zip(layers, slopes, strict=True):
        place = (0,) * part.ndim
        before, step = part[place], np.float32(1e-2)
        part[place] = before + step
        above = loss()
        part[place] = before - step
        below = loss()
        part[place] = before
        assert (above - below) / 0.02 == pytest.approx(float(slope[place]), abs=2e-4)


def test_inputs_that_are_hardly_ever_active_get_no_weight() -> None:
    inputs, share = positions()
    rare = np.zeros((N, 2), np.float32)
    rare[:9, 0] = 1
    layers = fitted_network(np.hstack([inputs, rare]), share, 4, 1, seed=1, rarest=10)
    assert not layers.first[6:].any()
    assert not layers.linear[6:].any()
    assert layers.first[:6].all()
    assert layers.linear[:6].all()
