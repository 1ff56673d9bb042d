"""Comparison of positions: win probabilities and their differences.

The reference player of the analysis simulates all positions with common random numbers, with all cards open. So the
error of a difference is smaller than the errors of both together.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from brinkmanship.analysis.value import StateEvaluator, reference_player
from brinkmanship.engine.game import OVER, Game
from brinkmanship.engine.record import State

FUTURES = 2000
"""Playouts of a position, for games with short playouts."""
SEED = 0
"""Seed of the playouts: all callers get the same result."""
EQUAL_ERRORS = 2.0
"""Positions that differ by at most this many standard errors count as equal."""


class ComparedPosition(msgspec.Struct, array_like=True, frozen=True):
    """A position compared with others. Win probabilities are those of one side, a draw counting half."""

    win: float
    error: float
    """Error of `win`: the standard error of the playouts and their bias together; 0.0 for a finished game."""
    behind: float
    """Deficit of the side compared with the best of the positions."""
    behind_error: float

    @property
    def is_best(self) -> bool:
        """True if it is the best, or not significantly worse."""
        return self.behind <= EQUAL_ERRORS * self.behind_error


def futures_for(game: Game, usual: int = FUTURES) -> int:
    """Return the number of playouts for each position of a game."""
    return round(usual * reference_player(game, SEED).method.analysed)


def compared(
    game: Game, states: Sequence[State], side: int, futures: int | None = None, seed: int = SEED
) -> list[ComparedPosition]:
    """Compare positions of one game with the best of them for a side.

    Args:
        game: the ruleset; it has a search.
        states: full states; chance may be to act, and the game may be over.
        side: the side whose win probabilities are returned.
        futures: playouts of each; None: the usual number for the game.
        seed: seed of the playouts.
    """
    if not states:
        return []
    count = futures or futures_for(game)
    player = reference_player(game, seed)
    points = StateEvaluator(game, player.method, seed).points(list(states), 0, count)
    won = points if side == 0 else 1.0 - points
    best = won[:, int(won.mean(axis=0).argmax())]
    found = []
    for number, state in enumerate(states):
        own, behind = won[:, number], best - won[:, number]
        is_over = int(game.actor(game.rules, state)) == OVER
        error = 0.0 if is_over else player.error(_error(own))
        found.append(ComparedPosition(float(own.mean()), error, float(behind.mean()), _error(behind)))
    return found


def _error(values: npt.NDArray[np.float64]) -> float:
    return float(values.std(ddof=1) / len(values) ** 0.5)
