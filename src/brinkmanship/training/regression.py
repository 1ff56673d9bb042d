"""Logistic regression and measures of its predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

NEVER_VARIES = 1e-6
"""A feature with a smaller standard deviation gets no weight."""
TENTHS = 10


def probability(logits: Floats) -> Floats:
    """Return the probability of a logit."""
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
    """Fit a logistic regression by Newton's method with a ridge penalty; the first feature, the constant, has none.

    Args:
        features: float32[n, features].
        target: probability of the predicted event, 0..1, float64[n].
        penalty: weight of the ridge penalty (of features scaled to unit variance), in positions.
        steps: steps of Newton's method.
        precision: type of the scaled features; float32 needs half the memory.
        narrowest: minimum standard deviation used for scaling. Otherwise very rare features would get arbitrary weights
            from a few games.
        offset: fixed logits, float64[n]; the weights are added to them.
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
    """Return the mean log loss, in nats, for results of 1, 1/2 or 0."""
    return float(-np.mean(share * np.log(chances) + (1 - share) * np.log(1 - chances)))


def calibration_error(chances: npt.NDArray[Any], share: npt.NDArray[Any]) -> float:
    """Return the root mean square of predicted minus actual results, over deciles of the predictions."""
    tenths = np.array_split(np.argsort(chances, kind="stable"), TENTHS)
    return float(np.sqrt(np.mean([(chances[tenth].mean() - share[tenth].mean()) ** 2 for tenth in tenths])))
