"""Logistic regression, how good its predictions are, and the modules that hold what was fitted."""

from __future__ import annotations

import base64
import textwrap
from pathlib import Path
from types import ModuleType
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


def module_text(module: ModuleType, stated: str, weights: Floats) -> str:
    """The source of a module `learned` with other weights, in whole thousandths, since more is noise.

    Args:
        module: as it is; what stands before its MANIFEST and after its _CODE stays.
        stated: the lines from MANIFEST to _CODE.
        weights: as the module reads them.
    """
    thousandths = np.clip(np.rint(weights * module.UNITS), -32767, 32767).astype("<i2")
    code = "\n".join(textwrap.wrap(base64.b64encode(thousandths.tobytes()).decode(), 118))
    assert module.__file__ is not None
    text = Path(module.__file__).read_text("utf-8")
    head = text[: text.index("MANIFEST")]
    tail = text[text.index('_CODE = """') :]
    tail = tail[tail.index('"""', len('_CODE = """')) :]
    return f'{head}{stated}\n\n_CODE = """\n{code}\n{tail}'
