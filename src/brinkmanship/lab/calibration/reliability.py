"""Forecasts compared with outcomes: tenths, the expected calibration error and its confidence interval.

The expected calibration error (Naeini, Cooper, Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian
Binning", 2015): positions are binned into tenths by their forecast; the error is the mean over the positions of the
distance, in their tenth, between the mean forecast and the mean outcome. It is never negative, so that even a perfect
forecast has some by chance: `by_chance` estimates it. Its interval is the basic bootstrap's (Davison, Hinkley,
"Bootstrap Methods and their Application", 1997, 5.2), which corrects for this to first order: each resample of the
positions adds its own chance error.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from brinkmanship.lab.calibration.forecasts import Floats, Found, Sample
from brinkmanship.lab.matches.summary import wilson

TENTHS = 10
RESAMPLES = 1000
DRAWS = 200
"""Number of simulated outcomes under a perfect forecast."""
LIMIT = 0.02
"""A forecast is called reliable below this error."""
SEED = 1
"""Seed of resamples and draws: the same positions give the same figures."""

Verdict = Literal["below", "open", "above"]


class Tenth(NamedTuple):
    """The positions whose forecast lies in one tenth; at least one."""

    number: int
    """Number of the tenth; 0: from 0 to 0.1."""
    n: int
    predicted: float
    happened: float
    low: float
    high: float
    """Upper end of the 95 % interval of `happened` (Wilson)."""


class Reliability(NamedTuple):
    """Reliability of a forecast over a number of positions."""

    n: int
    predicted: float
    happened: float
    error: float
    """The expected calibration error, 0..1, as the following."""
    low: float
    high: float
    """Upper end of its 95 % interval."""
    by_chance: float
    """Mean error of a perfect forecast over this many positions."""
    tenths: tuple[Tenth, ...]

    @property
    def verdict(self) -> Verdict:
        """Return whether the error is significantly below `LIMIT`, significantly not below it, or neither."""
        return "below" if self.high < LIMIT else "above" if self.low > LIMIT else "open"

    def as_json(self) -> dict[str, Any]:
        """Return all fields as plain JSON data."""
        return {**self._asdict(), "verdict": self.verdict, "tenths": [each._asdict() for each in self.tenths]}


class Groups(NamedTuple):
    """Reliability of a forecasting method over all its positions, and over parts of them."""

    whole: Reliability
    sides: dict[int, Reliability]
    """Reliability by the side to act; without positions where no side is to act."""
    spans: dict[int, Reliability]
    """Reliability by round, Turn or card."""


def reliability(sample: Sample) -> Reliability:
    """Compare forecasts with outcomes; the sample has at least one position."""
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
    """Return the reliability of a forecasting method in total, by side and by span."""

    def parts(by: Any) -> dict[int, Reliability]:
        return {
            key: reliability(Sample(*(column[by == key] for column in sample)))
            for key in np.unique(by).tolist()
            if key >= 0
        }

    return Groups(reliability(sample), parts(sample.deciders), parts(sample.spans))


def all_groups(found: Found) -> dict[str, Groups]:
    """Return the reliability of every forecasting method that has positions."""
    return {way: groups(sample) for way, sample in found.items() if len(sample.predicted)}


def _error(tenth: Any, apart: Floats) -> float:
    return float(np.abs(np.bincount(tenth, weights=apart, minlength=TENTHS)).sum() / len(apart))


def _tenth(sample: Sample, tenth: Any, number: int) -> Tenth:
    rows = tenth == number
    n = int(rows.sum())
    made = float(sample.happened[rows].sum())
    low, high = wilson(made, n)
    return Tenth(number, n, float(sample.predicted[rows].mean()), made / n, low, high)
