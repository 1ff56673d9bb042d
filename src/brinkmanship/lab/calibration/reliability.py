"""Forecasts held against what happened: tenths, the expected calibration error, how sure it is.

The expected calibration error (Naeini, Cooper, Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian
Binning", 2015): positions lie in tenths by their forecast; it is the mean over the positions of how far, in their
tenth, the mean forecast is from the mean of what happened. It is never negative, so that a perfect forecast has some,
too, by chance: `by_chance` says how much. Its interval is the basic bootstrap's (Davison, Hinkley, "Bootstrap Methods
and their Application", 1997, 5.2), which takes this into account to the first order: each resample of the positions
has its own chance on top.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from brinkmanship.lab.calibration.forecasts import Floats, Found, Sample
from brinkmanship.lab.matches.summary import wilson

TENTHS = 10
RESAMPLES = 1000
DRAWS = 200
"""Of what would have happened were the forecast perfect."""
LIMIT = 0.02
"""A forecast is called reliable below this error."""
SEED = 1
"""Of resamples and draws: the same positions give the same figures."""

Verdict = Literal["below", "open", "above"]


class Tenth(NamedTuple):
    """The positions whose forecast lies in one tenth; there are some."""

    number: int
    """0: from 0 to 0.1."""
    n: int
    predicted: float
    happened: float
    low: float
    high: float
    """The 95 % interval of `happened` (Wilson)."""


class Reliability(NamedTuple):
    """How a forecast fared in a number of positions."""

    n: int
    predicted: float
    happened: float
    error: float
    """The expected calibration error, 0..1, as the following."""
    low: float
    high: float
    """Its 95 % interval."""
    by_chance: float
    """What a perfect forecast would show on average in so many positions."""
    tenths: tuple[Tenth, ...]

    @property
    def verdict(self) -> Verdict:
        """Whether the error is surely below `LIMIT`, surely not, or neither."""
        return "below" if self.high < LIMIT else "above" if self.low > LIMIT else "open"

    def as_json(self) -> dict[str, Any]:
        """As plain JSON data."""
        return {**self._asdict(), "verdict": self.verdict, "tenths": [each._asdict() for each in self.tenths]}


class Groups(NamedTuple):
    """A way of forecasting in all its positions, and in parts of them."""

    whole: Reliability
    sides: dict[int, Reliability]
    """By the side that is asked; none where nobody is."""
    spans: dict[int, Reliability]
    """By round, Turn or card."""


def reliability(sample: Sample) -> Reliability:
    """Hold forecasts against what happened; there is at least one."""
    n = len(sample.predicted)
    tenth = np.minimum((sample.sorted_by * TENTHS).astype(np.int64), TENTHS - 1)
    random = np.random.default_rng(SEED)
    apart = sample.predicted - sample.happened
    resampled = np.empty(RESAMPLES)
    for number in range(RESAMPLES):
        rows = random.integers(n, size=n)
        resampled[number] = _error(tenth[rows], apart[rows])
    perfect = [_error(tenth, sample.predicted - (random.random(n) < sample.predicted)) for _ in range(DRAWS)]
    error = _error(tenth, apart)
    least, most = np.quantile(resampled, (0.025, 0.975))
    return Reliability(
        n=n,
        predicted=float(sample.predicted.mean()),
        happened=float(sample.happened.mean()),
        error=error,
        low=max(0.0, 2 * error - float(most)),
        high=max(0.0, 2 * error - float(least)),
        by_chance=float(np.mean(perfect)),
        tenths=tuple(_tenth(sample, tenth, number) for number in np.unique(tenth).tolist()),
    )


def groups(sample: Sample) -> Groups:
    """A way of forecasting in total, by side and by span."""

    def parts(by: Any) -> dict[int, Reliability]:
        return {
            key: reliability(Sample(*(column[by == key] for column in sample)))
            for key in np.unique(by).tolist()
            if key >= 0
        }

    return Groups(reliability(sample), parts(sample.asked), parts(sample.spans))


def all_groups(found: Found) -> dict[str, Groups]:
    """Every way of forecasting of which there are positions."""
    return {way: groups(sample) for way, sample in found.items() if len(sample.predicted)}


def _error(tenth: Any, apart: Floats) -> float:
    return float(np.abs(np.bincount(tenth, weights=apart, minlength=TENTHS)).sum() / len(apart))


def _tenth(sample: Sample, tenth: Any, number: int) -> Tenth:
    rows = tenth == number
    n = int(rows.sum())
    made = float(sample.happened[rows].sum())
    low, high = wilson(made, n)
    return Tenth(number, n, float(sample.predicted[rows].mean()), made / n, low, high)
