"""A sequential test of two players: games are played until it is clear enough which of two hypotheses holds.

The generalised sequential probability ratio test over pairs of games, in the normal approximation that chess engines
are tested with (Michel Van den Bergh, "A Practical Introduction to the GSPRT"): the likelihood ratio of two expected
scores, with the scatter of the pairs as measured.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

OUTCOMES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a player may score in a pair, as a share of its points."""
MIN_PAIRS = 16
"""Before so many pairs nothing is decided: the scatter is not known yet."""


def score_of(elo: float) -> float:
    """The expected score at so many Elo points more than the other."""
    return 1 / (1 + 10 ** (-elo / 400))


class Sprt(NamedTuple):
    """The test whether a player is `elo1` better than another, against that it is only `elo0` better.

    `alpha` is the chance of accepting `elo1` where `elo0` is true, `beta` that of accepting `elo0` where `elo1` is.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratio below which `elo0` is accepted, and that above which `elo1` is."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pentanomial: Sequence[int]) -> float:
        """The log-likelihood ratio of pairs, counted by outcome (`OUTCOMES`); 0 where there are too few."""
        count = sum(pentanomial)
        if count < MIN_PAIRS:
            return 0.0
        mean = sum(n * outcome for n, outcome in zip(pentanomial, OUTCOMES, strict=True)) / count
        spread = sum(n * (outcome - mean) ** 2 for n, outcome in zip(pentanomial, OUTCOMES, strict=True))
        # Half a pair more at both ends: without any scatter the ratio would have no end.
        variance = (spread + 0.5 * mean**2 + 0.5 * (1 - mean) ** 2) / (count + 1)
        low, high = score_of(self.elo0), score_of(self.elo1)
        return count * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, pentanomial: Sequence[int]) -> str:
        """ "elo0" or "elo1" if one is accepted, else ""."""
        low, high = self.bounds
        ratio = self.ratio(pentanomial)
        return "elo0" if ratio <= low else "elo1" if ratio >= high else ""
