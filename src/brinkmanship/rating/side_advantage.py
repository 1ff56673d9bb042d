"""The side advantage of a ruleset, refitted from rated games by a Newton step of a Bradley-Terry fit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from brinkmanship.rating.glicko import DECIMALS, Q

PRIOR_DEVIATION = 30.0
"""Standard deviation in points of the lab's value."""


class SideResult(NamedTuple):
    """A rated game as the fit sees it."""

    lead: float
    """Rating of the first side minus that of the second, before the game."""
    deviation: float
    """Standard deviation of `lead`."""
    score: float
    """Score of the first side."""
    weight: float = 1.0


def refitted(advantage: float, prior: float, results: Iterable[SideResult]) -> float:
    """Return the first side's advantage after one Newton step; see `SideResult`.

    Args:
        advantage: present value in points.
        prior: the lab's value in points.
        results: all rated games of the ruleset, in the order in which they were rated.
    """
    games = np.array(list(results), dtype=np.float64).reshape(-1, len(SideResult._fields))
    lead, deviation, score, weight = games.T
    slope = Q / np.sqrt(1 + 3 * (Q * deviation / np.pi) ** 2)
    expected = 1 / (1 + np.exp(-slope * (lead + advantage)))
    precision = 1 / PRIOR_DEVIATION**2
    gradient = np.sum(weight * slope * (score - expected)) - (advantage - prior) * precision
    curvature = np.sum(weight * slope**2 * expected * (1 - expected)) + precision
    return round(advantage + float(gradient / curvature), DECIMALS)
