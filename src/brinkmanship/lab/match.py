"""Matches of two computer players over paired games: the same deals twice, with the sides swapped."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.game import Game
from brinkmanship.engine.playout import Policy, play
from brinkmanship.players import Player

Z_95 = 1.96
"""Standard errors on either side of a 95 % interval."""


class Tally(NamedTuple):
    """Games of one player against another, as that player sees them."""

    wins: int
    losses: int
    draws: int
    """Games without a winner; both may have lost."""

    @property
    def score(self) -> float:
        """Share of the points: a win is 1, a draw 1/2."""
        games = self.wins + self.losses + self.draws
        return (self.wins + self.draws / 2) / games if games else 0.5


class MatchResult(NamedTuple):
    """A match of player a against player b, as a sees it."""

    pairs: int
    total: Tally
    margin: float
    """Half of the 95 % interval of `total.score`, from the scatter of the pairs: the games of a pair are not
    independent."""
    by_side: dict[str, Tally]
    """By the side a had."""
    by_reason: dict[str, Tally]
    """By the reason the games ended."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of a's score."""
        return max(self.total.score - self.margin, 0.0), min(self.total.score + self.margin, 1.0)


def paired_match(
    game: Game, player_a: Player, player_b: Player, pairs: int, seed: int = 0, workers: int = 1
) -> MatchResult:
    """Play `pairs` pairs of games: number k of the seed with a on the first side, and again with a on the second.

    In both games of a pair chance has the same random numbers, so that cards and dice are the same as long as the
    course of play asks for the same. The result does not depend on `workers` (threads).
    """
    as_first, reasons_first = _scores(game, (player_a.policy, player_b.policy), 0, pairs, seed, workers)
    as_second, reasons_second = _scores(game, (player_b.policy, player_a.policy), 1, pairs, seed, workers)
    scores = np.concatenate([as_first, as_second])
    reasons = np.concatenate([reasons_first, reasons_second])
    by_pair = (as_first + as_second) / 2
    scatter = float(by_pair.std(ddof=1)) if pairs > 1 else 0.5
    return MatchResult(
        pairs,
        _tally(scores),
        Z_95 * scatter / pairs**0.5,
        dict(zip(game.sides, (_tally(as_first), _tally(as_second)), strict=True)),
        {game.reasons[reason]: _tally(scores[reasons == reason]) for reason in sorted(Counter(reasons.tolist()))},
    )


_Scores = npt.NDArray[np.float64]
_Reasons = npt.NDArray[np.int64]


def _scores(
    game: Game, policies: tuple[Policy | None, Policy | None], side: int, pairs: int, seed: int, workers: int
) -> tuple[_Scores, _Reasons]:
    """The score of a side in each game, and the reason it ended."""
    scores = np.empty(pairs, np.float64)
    reasons = np.empty(pairs, np.int64)
    utility = np.zeros(len(game.sides), np.float64)
    number = 0
    for batch in play(game, 0, pairs, seed, policies, chunk=max(1, min(256, pairs // (4 * workers))), workers=workers):
        for state in batch.states:
            reasons[number] = game.result(game.rules, state, utility)
            scores[number] = (1 + np.sign(utility[side] - utility[1 - side])) / 2
            number += 1
    return scores, reasons


def _tally(scores: _Scores) -> Tally:
    return Tally(int((scores == 1).sum()), int((scores == 0).sum()), int((scores == 0.5).sum()))
