"""The rating formula: Glicko-1 with a term for the side that the ruleset favours.

Glickman, "Parameter estimation in large dynamic paired comparison experiments" (1999). The deviation starts low:
new players differ less than in chess, and a wild beginning predicts worse (`tests/rating/test_simulation.py`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

Q = math.log(10) / 400
"""Natural logarithm of the odds for one rating point."""
MAX_DEVIATION = 150.0
MIN_DEVIATION = 45.0
GROWTH = 23.0
"""Growth of the squared deviation per day without games: from 60 to 110 points in a year."""
DECIMALS = 6
"""Decimal places to which ratings are rounded after each game, so that every machine computes the same numbers."""


class Rating(NamedTuple):
    """Estimate of a player's strength, with its standard deviation, in points."""

    value: float
    deviation: float = 0.0


START = Rating(1500.0, MAX_DEVIATION)
"""Rating of a player without games."""


def attenuation(deviation: float) -> float:
    """Return the factor by which uncertainty about ratings flattens the odds, 0 to 1; Glickman's g."""
    return 1 / math.sqrt(1 + 3 * (Q * deviation / math.pi) ** 2)


def expected_score(difference: float, deviation: float) -> float:
    """Return the expected score of a player who is `difference` points ahead, side included.

    Args:
        difference: lead in points.
        deviation: uncertainty of the difference.
    """
    return 1 / (1 + 10 ** (-attenuation(deviation) * difference / 400))


def win_chance(mine: Rating, other: Rating, advantage: float) -> float:
    """Return a player's expected score before a game, with a draw as half.

    Args:
        mine: rating of the player.
        other: rating of the opponent.
        advantage: advantage of the player's side in points; negative if it is the weaker one.
    """
    return expected_score(mine.value - other.value + advantage, math.hypot(mine.deviation, other.deviation))


def aged(rating: Rating, days: float) -> Rating:
    """Return a rating after some days without a game: the deviation grows."""
    deviation = math.sqrt(rating.deviation**2 + GROWTH * max(0.0, days))
    return rating._replace(deviation=min(MAX_DEVIATION, deviation))


def updated(mine: Rating, other: Rating, advantage: float, score: float, weight: float = 1.0) -> Rating:
    """Return a player's rating after a game.

    Args:
        mine: rating before it.
        other: rating of the opponent before it.
        advantage: advantage of the player's side in points.
        score: 1 for a win, 1/2 for a draw, 0 for a loss.
        weight: share of a full game that this one counts.
    """
    flattened = attenuation(other.deviation)
    expected = expected_score(mine.value - other.value + advantage, other.deviation)
    information = weight * (Q * flattened) ** 2 * expected * (1 - expected)
    deviation = max(MIN_DEVIATION, 1 / math.sqrt(1 / mine.deviation**2 + information))
    value = mine.value + weight * Q * deviation**2 * flattened * (score - expected)
    return Rating(round(value, DECIMALS), round(deviation, DECIMALS))
