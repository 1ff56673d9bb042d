"""Positions compared: how likely each is won, and by how much one is better than another.

All are played on by the reference player of the analysis in the same futures, with all cards open. What differs
between two of them is the positions, so the error of a difference is smaller than the errors of both together.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from brinkmanship.analysis.value import Worth, reference_player
from brinkmanship.engine.game import OVER, Game
from brinkmanship.engine.record import State

FUTURES = 2000
"""In which a position is played on, of games whose playouts are short."""
SEED = 0
"""Of the futures: whoever asks is told the same."""
EQUAL_ERRORS = 2.0
"""Positions that differ by no more standard errors than these are called equal."""


class Compared(msgspec.Struct, array_like=True, frozen=True):
    """A position as it stands among others. Chances are those of a side to win, a draw counting half."""

    win: float
    error: float
    """The standard error of `win`; 0.0 of a game that is over."""
    behind: float
    """By how much it is worse for the side than the best of the positions."""
    behind_error: float

    @property
    def is_best(self) -> bool:
        """Whether it is the best, or cannot be told from it."""
        return self.behind <= EQUAL_ERRORS * self.behind_error


def futures_for(game: Game, usual: int = FUTURES) -> int:
    """In how many futures the positions of a game are played on."""
    return round(usual * reference_player(game, SEED).method.analysed)


def compared(
    game: Game, states: Sequence[State], side: int, futures: int | None = None, seed: int = SEED
) -> list[Compared]:
    """Positions of one game, each beside that which is best for a side.

    Args:
        game: the ruleset; it has a search.
        states: with all cards open; chance may be to act, and the game may be over.
        side: whose chances are told.
        futures: in how many each is played on; None: as many as is usual for the game.
        seed: of the futures.
    """
    if not states:
        return []
    count = futures or futures_for(game)
    points = Worth(game, reference_player(game, seed).method, seed).points(list(states), 0, count)
    won = points if side == 0 else 1.0 - points
    best = won[:, int(won.mean(axis=0).argmax())]
    found = []
    for number, state in enumerate(states):
        own, behind = won[:, number], best - won[:, number]
        is_over = int(game.actor(game.rules, state)) == OVER
        found.append(Compared(float(own.mean()), 0.0 if is_over else _error(own), float(behind.mean()), _error(behind)))
    return found


def _error(values: npt.NDArray[np.float64]) -> float:
    return float(values.std(ddof=1) / len(values) ** 0.5)
