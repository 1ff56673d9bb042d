"""Questions put to both sides at once in secret: a matrix game between their answers, played mixed.

What is best against the likely answer is read and answered in turn by whoever thinks one step further. In balance both
sides mix their answers, so that none of the other's would have been better. Regret matching+ finds it (Tammelin,
"Solving Large Imperfect Information Games Using CFR+", 2014; Hart and Mas-Colell, "A Simple Adaptive Procedure Leading
to Correlated Equilibrium", 2000): both sides play against each other many times, each answer as often as it is
regretted not to have been given; the mean of that tends to the balance.

Where it is known how others usually answer, and they do not answer by any balance, something between the two is won
more against them and little is lost against those who would know it: the other side gives its usual answers for a
part, and for the rest the worst (Johanson, Zinkevich, Bowling, "Computing Robust Counter-Strategies", 2007).
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
"""An answer that the balance gives more seldom than this is not given at all."""
PARTS = 1 << 20
"""Chances are drawn in so many parts."""

VECTOR = types.Array(types.float64, 1, "C")
TABLE = types.Array(types.float64, 2, "C")

Mixture = npt.NDArray[np.float64]
"""How often each answer is given: float64[n], adding up to 1."""


class Answers(NamedTuple):
    """What both sides may answer to a question put to them at once, as far as it is looked at."""

    own: Sequence[int]
    """Legal actions of the side that decides."""
    other: Sequence[int]
    """Of the other side, legal in all that the side cannot tell apart."""
    usual: Sequence[float] | None = None
    """How often the other side gives each answer by a guess; None: nothing is known of it."""
    trust: float = 0.0
    """The part for which it is taken to do so."""
    terms: npt.NDArray[np.float64] | None = None
    """What the points of two answers that meet are taken to be a weighted sum of, float64[pairs, terms], the pairs in
    the order of a matrix; None: they have nothing to do with those of other pairs."""

    def evened(self, matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """A matrix of points that luck has a part in as its terms explain it, by least squares: each pair is measured
        by what came of its neighbours, too. Else what luck favoured would be answered most."""
        if self.terms is None:
            return matrix
        weights = np.linalg.lstsq(self.terms, matrix.ravel(), rcond=None)[0]
        return (self.terms @ weights).reshape(matrix.shape)


@internal(types.void, VECTOR, types.int64, VECTOR)
def match(regrets: Any, count: int, out: Any) -> None:
    """Each answer as often as it is regretted; all alike where none is."""
    total = 0.0
    for number in range(count):
        total += regrets[number]
    for number in range(count):
        out[number] = regrets[number] / total if total > 0.0 else 1.0 / count


@compiled(types.void, TABLE, VECTOR, types.float64, VECTOR, VECTOR, TABLE)
def _play_each_other(matrix: Any, habit: Any, free: float, row_sum: Any, column_sum: Any, room: Any) -> None:
    """Add up both mixtures over all rounds, later ones counting more: the first ones know nothing."""
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


def balance(
    matrix: npt.NDArray[np.float64], usual: Sequence[float] | None = None, trust: float = 0.0
) -> tuple[Mixture, Mixture]:
    """How both sides mix their answers in a game that one wins and the other loses.

    Args:
        matrix: what the row player wins, float64[answers of the row player, answers of the column player].
        usual: how often the column player gives each answer for the part `trust`; the rest is free.

    Returns:
        The mixtures of the row player and, with its usual answers in it, of the column player.
    """
    rows, columns = matrix.shape
    habit = np.zeros(columns) if usual is None else trust * np.array(usual) / sum(usual)
    free = 1.0 - float(habit.sum())
    row, column = np.zeros(rows), np.zeros(columns)
    _play_each_other(np.ascontiguousarray(matrix), habit, free, row, column, np.zeros((5, max(rows, columns))))
    return row / row.sum(), free * column / column.sum() + habit


def drawn(mixture: Mixture, random: Random) -> int:
    """One answer, by its number, drawn as often as the mixture says; rare ones never."""
    kept = np.where(mixture < min(RARE, float(mixture.max())), 0.0, mixture)
    number = below(random, PARTS) / PARTS
    return int(np.searchsorted(np.cumsum(kept / kept.sum()), number, side="right").clip(0, np.flatnonzero(kept)[-1]))
