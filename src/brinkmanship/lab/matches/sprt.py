"""Sequential test of two players (SPRT): games are played until one of two hypotheses can be accepted.

The generalised sequential probability ratio test over pairs of games, in the normal approximation used to test chess
engines (Michel Van den Bergh, "A Practical Introduction to the GSPRT"): the likelihood ratio of two expected scores,
with the measured variance of the pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

OUTCOMES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Possible scores of a pair, as a share of its points."""
MIN_PAIRS = 16
"""Minimum pairs before a decision: with fewer, the variance is unknown."""


def score_of(elo: float) -> float:
    """Return the expected score with an advantage of `elo` Elo points."""
    return 1 / (1 + 10 ** (-elo / 400))


class Sprt(NamedTuple):
    """Test of the hypothesis that a player is `elo1` better than another against the one that it is `elo0` better.

    `alpha` is the probability of accepting `elo1` when `elo0` is true, `beta` that of accepting `elo0` when `elo1` is.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the log-likelihood ratio below which `elo0` is accepted, and that above which `elo1` is."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pentanomial: Sequence[int]) -> float:
        """Return the log-likelihood ratio of pairs, counted by outcome (`OUTCOMES`); 0 for too few pairs."""
        count = sum(pentanomial)
        if count < MIN_PAIRS:
            return 0.0
        mean = sum(n * outcome for n, outcome in zip(pentanomial, OUTCOMES, strict=True)) / count
        spread = sum(n * (outcome - mean) ** 2 for n, outcome in zip(pentanomial, OUTCOMES, strict=True))
        # Add half a pair at both ends: with variance 0 the ratio would be infinite.
        variance = (spread + 0.5 * mean**2 + 0.5 * (1 - mean) ** 2) / (count + 1)
        low, high = score_of(self.elo0), score_of(self.elo1)
        return count * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, pentanomial: Sequence[int]) -> str:
        """Return "elo0" or "elo1" if one is accepted, otherwise ""."""
        low, high = self.bounds
        ratio = self.ratio(pentanomial)
        return "elo0" if ratio <= low else "elo1" if ratio >= high else ""
