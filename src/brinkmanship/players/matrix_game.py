"""Simultaneous secret choices as a matrix game, solved for a mixed-strategy equilibrium.

A best response to the likely choice of the other side can in turn be exploited by a player who thinks one step further.
In an equilibrium both sides mix their choices so that neither could do better. Regret matching+ finds it (Tammelin,
"Solving Large Imperfect Information Games Using CFR+", 2014; Hart and Mas-Colell, "A Simple Adaptive Procedure Leading
to Correlated Equilibrium", 2000): both sides play against each other many times, each choosing in proportion to its
regrets; the average converges to the equilibrium.

If the usual choices of opponents are known and are not an equilibrium, a compromise wins more against them and loses
little against opponents who would exploit it: a restricted Nash response, in which the other side makes its usual
choices with some probability, and otherwise the worst ones for us (Johanson, Zinkevich, Bowling, "Computing Robust
Counter-Strategies", 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import Random, below
from brinkmanship.engine.jit.compile import compiled, internal

ROUNDS = 1000
RARE = 0.02
"""A choice with a smaller probability in the equilibrium is never made."""
PARTS = 1 << 20
"""Resolution of random numbers in 0..1."""

VECTOR = types.Array(types.float64, 1, "C")
TABLE = types.Array(types.float64, 2, "C")

Mixture = npt.NDArray[np.float64]
"""A mixed strategy: the probability of each choice, float64[n], with sum 1."""


class Answers(NamedTuple):
    """The choices considered for both sides in a simultaneous choice."""

    own: Sequence[int]
    """Legal actions of the deciding side."""
    other: Sequence[int]
    """Actions of the other side that are legal in all states consistent with the view."""
    usual: Sequence[float] | None = None
    """Estimated probabilities of the other side's choices; None if unknown."""
    trust: float = 0.0
    """Probability that the other side follows the estimate."""
    terms: npt.NDArray[np.float64] | None = None
    """Terms of a linear model for the points of each pair of choices, float64[pairs, terms], with the pairs in the
    order of a matrix; None if the pairs are unrelated.
    """

    def evened(self, matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return a matrix of noisy points, or each of a stack of them, smoothed by a least-squares fit of its terms.

        The fit estimates each pair from its neighbours as well. Otherwise the choices with the luckiest samples would
        get the highest probabilities.
        """
        if self.terms is None:
            return matrix
        weights = np.linalg.lstsq(self.terms, matrix.reshape(-1, len(self.terms)).T, rcond=None)[0]
        return (self.terms @ weights).T.reshape(matrix.shape)


@internal(types.void, VECTOR, types.int64, VECTOR)
def match(regrets: Any, count: int, out: Any) -> None:
    """Write the probability of each choice in proportion to its regret; uniform if there is no regret."""
    total = 0.0
    for number in range(count):
        total += regrets[number]
    for number in range(count):
        out[number] = regrets[number] / total if total > 0.0 else 1.0 / count


@compiled(types.void, TABLE, VECTOR, types.float64, VECTOR, VECTOR, TABLE)
def _play_each_other(matrix: Any, habit: Any, free: float, row_sum: Any, column_sum: Any, room: Any) -> None:
    """Add up both mixtures over all rounds with weights that grow, as the first rounds are uninformed."""
    rows, columns = matrix.shape
    row, column, row_regrets, column_regrets, wins = room[0], room[1], room[2], room[3], room[4]
    match(row_regrets, rows, row)
    match(column_regrets, columns, column)
    for number in range(1, ROUNDS + 1):
        mean = 0.0
        for own in range(rows):
            wins[own] = 0.0
            for other in range(columns):
                wins[own] += matrix[own, other] * (free * column[other] + habit[other])
            mean += row[own] * wins[own]
        for own in range(rows):
            row_regrets[own] = max(row_regrets[own] + wins[own] - mean, 0.0)
        match(row_regrets, rows, row)
        mean = 0.0
        for other in range(columns):
            wins[other] = 0.0
            for own in range(rows):
                wins[other] += row[own] * matrix[own, other]
            mean += column[other] * wins[other]
        for other in range(columns):
            column_regrets[other] = max(column_regrets[other] + mean - wins[other], 0.0)
        match(column_regrets, columns, column)
        for own in range(rows):
            row_sum[own] += number * row[own]
        for other in range(columns):
            column_sum[other] += number * column[other]


def equilibrium(
    matrix: npt.NDArray[np.float64], usual: Sequence[float] | None = None, trust: float = 0.0
) -> tuple[Mixture, Mixture]:
    """Return the mixtures of both sides in an equilibrium of a zero-sum game.

    Args:
        matrix: points of the row player, float64[choices of the row player, choices of the column player].
        usual: estimated probabilities of the column player's choices, followed with probability `trust`.
        trust: probability that the column player follows `usual`.

    Returns:
        The mixtures of the row player and, including its usual choices, of the column player.
    """
    rows, columns = matrix.shape
    habit = np.zeros(columns) if usual is None else trust * np.array(usual) / sum(usual)
    free = 1.0 - float(habit.sum())
    row, column = np.zeros(rows), np.zeros(columns)
    _play_each_other(np.ascontiguousarray(matrix), habit, free, row, column, np.zeros((5, max(rows, columns))))
    return row / row.sum(), free * column / column.sum() + habit


def sample_action(mixture: Mixture, random: Random) -> int:
    """Draw one choice, by its number, with the probabilities of the mixture; never a rare one."""
    kept = np.where(mixture < min(RARE, float(mixture.max())), 0.0, mixture)
    number = below(random, PARTS) / PARTS
    return int(np.searchsorted(np.cumsum(kept / kept.sum()), number, side="right").clip(0, np.flatnonzero(kept)[-1]))
