"""Logistic regression, and how good its predictions are."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

NEVER_VARIES = 1e-6
"""A feature whose spread is less gets no weight."""
TENTHS = 10


def probability(logits: Floats) -> Floats:
    """What a logit stands for."""
    return np.asarray(1.0 / (1.0 + np.exp(-logits)))


def fitted(
    features: npt.NDArray[np.float32],
    target: Floats,
    penalty: float,
    steps: int,
    precision: type[np.floating[Any]] = np.float64,
    narrowest: float = NEVER_VARIES,
    offset: Floats | float = 0.0,
) -> Floats:
    """Logistic regression by Newton's method with a ridge penalty; the first feature, the constant, has none.

    Args:
        features: float32[n, features].
        target: how likely is what is predicted, 0..1, float64[n].
        penalty: of the square of a weight (of a feature scaled to a spread of 1), in positions.
        steps: of Newton's method.
        precision: of the scaled features; with float32 they take half the memory.
        narrowest: a feature that spreads less is scaled as if it spread so much. What is hardly ever seen would
            otherwise be given whatever weight a few games suggest.
        offset: logits that are there already, float64[n]; the weights come on top of them.
    """
    spread = features.std(axis=0).astype(precision)
    spread = np.where(spread < NEVER_VARIES, np.inf, np.maximum(spread, narrowest)).astype(precision)
    spread[0] = 1.0
    scaled = features / spread
    ridge = np.full(features.shape[1], penalty)
    ridge[0] = 1e-6
    weights = np.zeros(features.shape[1])
    for _ in range(steps):
        chances = probability(offset + scaled @ weights)
        slope = scaled.T @ (target - chances) - ridge * weights
        curved = scaled * (chances * (1.0 - chances)).astype(precision)[:, None]
        weights += np.linalg.solve(curved.T @ scaled + np.diag(ridge), slope)
    return np.asarray(weights / spread, np.float64)


def log_loss(chances: npt.NDArray[Any], share: npt.NDArray[Any]) -> float:
    """Mean surprise, in nats, by the share of the point that was made: 1, 1/2, 0."""
    return float(-np.mean(share * np.log(chances) + (1 - share) * np.log(1 - chances)))


def calibration_error(chances: npt.NDArray[Any], share: npt.NDArray[Any]) -> float:
    """Root mean square of what was predicted minus what was won, over tenths of the predictions in their order."""
    tenths = np.array_split(np.argsort(chances, kind="stable"), TENTHS)
    return float(np.sqrt(np.mean([(chances[tenth].mean() - share[tenth].mean()) ** 2 for tenth in tenths])))
