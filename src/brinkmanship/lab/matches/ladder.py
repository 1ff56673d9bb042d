"""Strength of players: one Elo scale fitted to all their matches at once.

Bradley and Terry, "Rank Analysis of Incomplete Block Designs" (1952): the expected score of one player against another
is a logistic function of the difference of their strengths, here in Elo points. A draw is half a win. Show the whole
matrix of scores beside it: one number per player cannot express players who beat each other in a circle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from brinkmanship.lab.matches.match import MatchResult
from brinkmanship.lab.matches.summary import Z95

POINTS = 400 / math.log(10)
"""Elo points per unit of the logistic function."""
PRIOR_PAIRS = 0.5
"""Drawn pairs added to each match, so that players who won or lost every game have finite ratings."""
MAX_ROUNDS = 100


class LadderPlace(NamedTuple):
    """A player on the ladder."""

    name: str
    elo: float
    margin: float
    """Half of its 95 % interval relative to the anchor player (0 for the anchor itself)."""


def ladder(names: Sequence[str], matches: Mapping[tuple[str, str], MatchResult], anchor: str) -> list[LadderPlace]:
    """Return the strengths of players from their matches, best first; the anchor has 0.

    Args:
        names: the players.
        matches: the result of each (a, b) from a's view; matches must connect every player to the anchor.
        anchor: the player at 0 Elo.

    Raises:
        ValueError: a player has no chain of matches to the anchor.
    """
    others = [name for name in names if name != anchor]
    place = {name: number for number, name in enumerate(others)}
    _check_joined(names, matches, anchor)
    strength = np.zeros(len(others))
    information = np.eye(len(others))
    for _ in range(MAX_ROUNDS):
        gradient, information = np.zeros(len(others)), np.zeros((len(others), len(others)))
        for (a, b), match in matches.items():
            gap = sum(sign * strength[place[name]] for name, sign in ((a, 1), (b, -1)) if name in place)
            expected = 1 / (1 + math.exp(-gap))
            pairs = match.pairs + PRIOR_PAIRS
            score = (match.total.score * match.pairs + 0.5 * PRIOR_PAIRS) / pairs
            # Use the measured variance of the pairs: the two games of a pair are not independent.
            weight = pairs / _scatter(match) ** 2
            slope = expected * (1 - expected)
            for name, sign in ((a, 1), (b, -1)):
                if name in place:
                    gradient[place[name]] += sign * weight * slope * (score - expected)
                    for also, other in ((a, 1), (b, -1)):
                        if also in place:
                            information[place[name], place[also]] += sign * other * weight * slope**2
        step = np.linalg.solve(information, gradient)
        strength += np.clip(step, -1, 1)
        if np.abs(step).max(initial=0.0) < 1e-9:
            break
    errors = np.sqrt(np.diag(np.linalg.inv(information))) if others else np.zeros(0)
    places = [LadderPlace(name, POINTS * strength[place[name]], Z95 * POINTS * errors[place[name]]) for name in others]
    return sorted([*places, LadderPlace(anchor, 0.0, 0.0)], key=lambda each: -each.elo)


def _scatter(match: MatchResult) -> float:
    """Return the standard deviation of a pair's score, with the prior pair that keeps it above 0."""
    measured = (match.margin / Z95) ** 2 * match.pairs * max(match.pairs - 1, 0)
    return math.sqrt((measured + PRIOR_PAIRS / 4) / (match.pairs + PRIOR_PAIRS))


def _check_joined(names: Sequence[str], matches: Mapping[tuple[str, str], MatchResult], anchor: str) -> None:
    joined = {anchor}
    while more := {name for pair in matches if joined & {*pair} for name in pair} - joined:
        joined |= more
    if missing := [name for name in names if name not in joined]:
        raise ValueError(f"no match leads from {missing[0]} to {anchor}")
