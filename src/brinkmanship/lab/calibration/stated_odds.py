"""A player's own forecasts: what it says of its choices, and the results of these games.

The other forecasts (`forecasts`) are of positions between players that decide as the playouts do, and so right by
construction. This one is of whole games of a player against itself: it also shows by how much the best of several noisy
results promises too much, and what playouts overlook. All decisions of a game share its result, so the error is that
between games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Self

import numpy as np

from brinkmanship.engine.game import Game
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import NOBODY
from brinkmanship.lab.matches.summary import Z95
from brinkmanship.players.player import Choice, Player
from brinkmanship.players.self_play import play


class StatedOdds(NamedTuple):
    """The forecasts of one game, for the side to decide; decisions that were not evaluated are left out."""

    predicted: tuple[float, ...]
    """Win probability of each choice by the player, 0..1."""
    happened: tuple[float, ...]
    """Result of its side: 1, 1/2 or 0."""


class Gap(NamedTuple):
    """Difference between forecasts and results over a number of games."""

    games: int
    decisions: int
    predicted: float
    happened: float
    margin: float
    """Half of the 95 % interval of `difference`, from the variance between games."""

    @property
    def difference(self) -> float:
        """Mean forecast less mean result; above 0 if the player promises too much."""
        return self.predicted - self.happened

    def as_json(self) -> dict[str, Any]:
        """Return all fields as plain JSON data."""
        return {**self._asdict(), "difference": self.difference}


def said(game: Game, player: Player, count: int, seed: int, workers: int) -> Iterator[StatedOdds]:
    """Yield the forecasts of games 0 .. `count - 1` of a player against itself, in order.

    The values of its candidates must be win probabilities, as those of searches are.
    """

    def one(number: int) -> StatedOdds:
        stated: list[tuple[int, float]] = []
        listener = _Listener(player, stated)
        (batch,) = play(game, number, 1, seed, (listener, listener))
        winner = int(batch.winners[0])
        results = [0.5 if winner == NOBODY else float(winner == side) for side, _ in stated]
        return StatedOdds(tuple(value for _, value in stated), tuple(results))

    yield one(0)  # compile once, before the threads start
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(one, range(1, count))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def gap(games: Sequence[StatedOdds]) -> Gap:
    """Return the difference between forecasts and results; at least one of the games has a forecast."""
    counts = np.array([len(each.predicted) for each in games])
    predicted = np.array([sum(each.predicted) for each in games])
    happened = np.array([sum(each.happened) for each in games])
    total = int(counts.sum())
    mean = float((predicted - happened).sum() / total)
    # A ratio of sums: the scatter is that of the games around the common mean.
    scatter = predicted - happened - mean * counts
    error = float(scatter.std(ddof=1) * len(games) ** 0.5 / total) if len(games) > 1 else 0.5
    return Gap(len(games), total, float(predicted.sum() / total), float(happened.sum() / total), Z95 * error)


class _Listener(Player):
    """A player that writes down what another one says of its choices, and takes these."""

    name = "listener"

    def __init__(self, player: Player, stated: list[tuple[int, float]]) -> None:
        super().__init__(player.game, 0)
        self._player = player
        self._stated = stated

    def fresh(self, seed: int) -> Self:
        likeness = super().fresh(seed)
        likeness._player = self._player.fresh(seed)
        return likeness

    def choose(self, seen: Observation) -> Choice:
        choice = self._player.choose(seen)
        values = [one.value for one in choice.candidates if one.action == choice.action]
        self._stated += [(seen.side, value) for value in values]
        return choice
