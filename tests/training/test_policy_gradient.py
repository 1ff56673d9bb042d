"""The gradient of the loss, against finite differences, and the compiled network against plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from brinkmanship.players.learned.network import LayerSizes, first_layer, log_policy, value_of
from brinkmanship.training.adam import adam
from brinkmanship.training.experience import Experience
from brinkmanship.training.policy_gradient import LOSS, Weighting, gradient

PLAN = LayerSizes(inputs=12, actions=9, first=16, second=8, critic=8)
ROWS = 6


def weights_of(seed: int) -> np.ndarray:
    """All weights at random, also those that begin at 0."""
    return np.random.default_rng(seed).normal(0, 0.4, PLAN.size).astype(np.float32)


def decisions() -> Experience:
    """A few decisions with lists of different lengths, by another policy."""
    random = np.random.default_rng(3)
    counts, lengths = [2, 3, 5, 2, 4, 3], [3, 1, 4, 2, 5, 0]
    active = np.concatenate([np.sort(random.choice(PLAN.inputs, n, replace=False)) for n in lengths])
    legal = np.concatenate([np.sort(random.choice(PLAN.actions, n, replace=False)) for n in counts])
    shares = [np.log(random.dirichlet(np.ones(n))) for n in counts]
    even = [np.log(random.dirichlet(np.ones(n))) for n in counts]
    return Experience(
        np.zeros(ROWS, np.int8),
        np.array([0, 2, 4, 1, 0, 1], np.int32),
        np.zeros(ROWS, np.float32),
        random.normal(size=ROWS).astype(np.float32),
        random.normal(size=ROWS).astype(np.float32),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        active.astype(np.int32),
        random.normal(size=len(active)).astype(np.float32),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        legal.astype(np.int16),
        np.concatenate(shares).astype(np.float32),
        np.concatenate(even).astype(np.float32),
    )


def test_the_compiled_network_is_the_one_of_numpy() -> None:
    data, weights = decisions(), weights_of(1)
    hidden, out = np.zeros(PLAN.units, np.float32), np.zeros(PLAN.actions, np.float32)
    for row in range(ROWS):
        own = slice(data.input_ends[row], data.input_ends[row + 1])
        dense = np.zeros(PLAN.inputs, np.float32)
        dense[data.active[own]] = data.inputs[own]
        legal = data.legal[data.legal_ends[row] : data.legal_ends[row + 1]]
        logits, value = PLAN.forward(weights, dense)
        first_layer(weights, PLAN.numbers, data.active[own], data.inputs[own], own.stop - own.start, hidden)
        log_policy(weights, PLAN.numbers, legal, len(legal), hidden, out)
        expected = logits[legal] - np.log(np.exp(logits[legal]).sum())
        assert out[: len(legal)] == pytest.approx(expected, abs=1e-5)
        assert value_of(weights, PLAN.numbers, hidden) == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize(
    "weighting",
    [
        Weighting(),
        Weighting(imitation=1.0, surrogate=0.0, even=0.0, old=0.0),
        Weighting(surrogate=1.0, clip=0.05, even=0.0, old=0.0, value=0.0),
        Weighting(surrogate=0.0, even=1.0, old=0.0, value=0.0),
    ],
)
def test_the_gradient_is_the_one_of_finite_differences(weighting: Weighting) -> None:
    data, weights = decisions(), weights_of(2)
    rows = np.arange(ROWS)
    slope, _ = gradient(weights, PLAN, rows, data, weighting)
    random = np.random.default_rng(4)
    for _ in range(20):
        # Along a direction, as single weights change the loss by less than the precision of float32.
        direction = random.normal(size=PLAN.size).astype(np.float32)
        direction /= np.linalg.norm(direction)
        step = np.float32(2e-3)
        ahead, behind = (
            gradient(weights + sign * step * direction, PLAN, rows, data, weighting)[1][LOSS] for sign in (1, -1)
        )
        assert (ahead - behind) / (2 * step) == pytest.approx(float(slope @ direction), abs=2e-3, rel=0.02)


def test_adam_takes_a_first_step_of_the_learning_rate_against_the_gradient() -> None:
    weights, mean, square = (np.zeros(3, np.float32) for _ in range(3))
    adam(weights, mean, square, np.array([0.3, -0.4, 0.0], np.float32), 1, 0.01, 10.0)
    assert weights == pytest.approx([-0.01, 0.01, 0.0], abs=1e-6)
