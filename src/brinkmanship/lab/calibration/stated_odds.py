"""A player's own forecasts: what it says of its choices, and the results of these games.

The other forecasts (`forecasts`) are of positions between players that decide as the playouts do, and so right by
construction. This one is of whole games of a player against itself: it also shows by how much the best of several noisy
results promises too much, and what playouts overlook. All decisions of a game share its result, so the error is that
between games.

A mean of zero may hide playouts that are wrong in each position. So those of every `SPACING`-th choice are compared
with playouts of `rules` to the end of the game, and both with the results (`Bias`). What a hint and an analysis would
say of the same choices is compared with the results, and with what the player says, which takes far fewer games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from brinkmanship.analysis.decisions import judged
from brinkmanship.analysis.value import reference_player
from brinkmanship.engine.chance import below
from brinkmanship.engine.game import Game
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import NOBODY
from brinkmanship.lab.matches.summary import Z95
from brinkmanship.players import load_player
from brinkmanship.players.budget import Budget
from brinkmanship.players.hints import hints
from brinkmanship.players.player import Choice, Player
from brinkmanship.players.search import BITS_OF_SEED, Playouts, SearchPlayer
from brinkmanship.players.self_play import play

SPACING = 5
"""One of this many choices is played out by `rules` as well."""
WORLDS, RULES_WORLDS = 40, 12
"""Sampled deals of each of the two halves, for the playouts of search and for those of `rules`."""
HINT_NODES, ANALYSIS_PLAYOUTS = 240, 240
"""Playouts of a hint and of an analysis of one choice: fewer than for people, as more do not reduce a mean error."""


class StatedOdds(NamedTuple):
    """The forecasts of one game, for the side to decide; decisions that were not evaluated are left out."""

    predicted: tuple[float, ...]
    """Win probability of each choice by the player, 0..1."""
    happened: tuple[float, ...]
    """Result of its side: 1, 1/2 or 0."""
    distances: tuple[tuple[int, float, float], ...] = ()
    """Index of a choice, and its win probability by playouts less that by playouts of `rules` to the end of the game,
    twice in independent deals; for one of `SPACING` choices.
    """
    quoted: tuple[Quoted, ...] = ()
    """Forecasts of hints and analyses, for one of `SPACING` choices."""
    own: tuple[float, ...] = ()
    """Win probability of each choice by the player, if `predicted` is that by hints or analyses."""

    def of_hints(self) -> StatedOdds:
        """Return the forecasts of hints."""
        return self._with({one.at: one.hint for one in self.quoted if one.hint is not None})

    def of_analyses(self) -> StatedOdds:
        """Return the forecasts of analyses."""
        return self._with({one.at: one.analysis for one in self.quoted})

    def _with(self, wins: Mapping[int, float]) -> StatedOdds:
        return StatedOdds(
            tuple(wins.values()),
            tuple(self.happened[at] for at in wins),
            own=tuple(self.predicted[at] for at in wins),
        )


class Quoted(NamedTuple):
    """Forecasts of a hint and of an analysis for a choice."""

    at: int
    """Index of the choice."""
    hint: float | None
    """Win probability; None if the hint does not show the choice."""
    analysis: float


class Gap(NamedTuple):
    """Difference between forecasts and results over a number of games."""

    games: int
    decisions: int
    predicted: float
    happened: float
    margin: float
    """Half of the 95 % interval of `difference`, from the variance between games."""
    excess: float | None = None
    """Mean forecast of hints or analyses less that of the player for the same choices; None for the player itself."""
    excess_margin: float | None = None
    """Half of the 95 % interval of `excess`."""

    @property
    def difference(self) -> float:
        """Mean forecast less mean result; above 0 if the player promises too much."""
        return self.predicted - self.happened

    def as_json(self) -> dict[str, Any]:
        """Return all fields as plain JSON data."""
        return {**self._asdict(), "difference": self.difference}


class Bias(NamedTuple):
    """Error of playouts in single positions, which more of them do not reduce; margins are half of 95 % intervals.

    If the errors of playouts and of those of `rules` are independent, `shared` is the mean square error of the former,
    and the rest of `square` that of the latter. `shared` is noisy, as each game has one result only; `error` assumes
    that both errors are equal.
    """

    decisions: int
    square: float
    """Mean square distance between playouts and playouts of `rules`; sampling is removed, so chance may make it less
    than 0.
    """
    square_margin: float
    shared: float
    """Mean product of that distance and the forecast less the result of the game."""
    shared_margin: float

    @property
    def error(self) -> float:
        """Root mean square error of the playouts, a win probability."""
        return float(max(0.0, self.square / 2) ** 0.5)

    def as_json(self) -> dict[str, Any]:
        """Return all fields as plain JSON data."""
        return {**self._asdict(), "error": self.error}


def said(game: Game, player: Player, count: int, seed: int, workers: int) -> Iterator[StatedOdds]:
    """Yield the forecasts of games 0 .. `count - 1` of a player against itself, in order.

    The values of its candidates must be win probabilities, as those of searches are.
    """

    def one(number: int) -> StatedOdds:
        heard = _Heard([], [], [])
        listener = _Listener(player, heard)
        (batch,) = play(game, number, 1, seed, (listener, listener))
        winner = int(batch.winners[0])
        results = [0.5 if winner == NOBODY else float(winner == side) for side, _ in heard.stated]
        stated = tuple(value for _, value in heard.stated)
        return StatedOdds(stated, tuple(results), tuple(heard.distances), tuple(heard.quoted))

    yield one(0)  # compile once, before the threads start
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(one, range(1, count))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def gap(games: Sequence[StatedOdds]) -> Gap | None:
    """Return the difference between forecasts and results; None if there are no forecasts."""
    counts = [len(each.predicted) for each in games]
    if not any(counts):
        return None
    predicted = np.array([sum(each.predicted) for each in games])
    happened = np.array([sum(each.happened) for each in games])
    total = sum(counts)
    _, margin = _mean(counts, predicted - happened)
    result = Gap(len(games), total, float(predicted.sum() / total), float(happened.sum() / total), margin)
    if not any(each.own for each in games):
        return result
    excess, excess_margin = _mean(counts, predicted - np.array([sum(each.own) for each in games]))
    return result._replace(excess=excess, excess_margin=excess_margin)


def bias(games: Sequence[StatedOdds]) -> Bias | None:
    """Return the error of playouts in single positions; None if no choice was played out by `rules`."""
    counts = [len(each.distances) for each in games]
    if not any(counts):
        return None
    squares = np.array([sum(one * other for _, one, other in each.distances) for each in games])
    shared = np.array(
        [
            sum((each.predicted[at] - each.happened[at]) * (one + other) / 2 for at, one, other in each.distances)
            for each in games
        ]
    )
    return Bias(sum(counts), *_mean(counts, squares), *_mean(counts, shared))


def _mean(counts: Sequence[int], sums: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean of values that were summed by game, and half of its 95 % interval."""
    total, games = sum(counts), len(sums)
    mean = float(sums.sum() / total)
    # A ratio of sums: the scatter is that of the games around the common mean.
    scatter = sums - mean * np.array(counts)
    error = float(scatter.std(ddof=1) * games**0.5 / total) if games > 1 else 0.5
    return mean, Z95 * error


class _Heard(NamedTuple):
    """Notes on one game, in order."""

    stated: list[tuple[int, float]]
    """Side and win probability of each choice."""
    distances: list[tuple[int, float, float]]
    """See `StatedOdds.distances`."""
    quoted: list[Quoted]


class _Listener(Player):
    """A player that writes down what another one says of its choices, and takes these."""

    name = "listener"

    def __init__(self, player: Player, heard: _Heard) -> None:
        super().__init__(player.game, 0)
        self._player = player
        self._heard = heard
        search = load_player("search", player.game, 0)
        assert isinstance(search, SearchPlayer)
        self._search = search
        self._reference = reference_player(player.game, 0)
        self._rules = search.with_one_policy(load_player("rules", player.game, 0).policy).to_the_end()

    def fresh(self, seed: int) -> Self:
        likeness = super().fresh(seed)
        likeness._player = self._player.fresh(seed)
        return likeness

    def choose(self, seen: Observation) -> Choice:
        choice = self._player.choose(seen)
        for value in (one.value for one in choice.candidates if one.action == choice.action):
            self._heard.stated.append((seen.side, value))
            if len(self._heard.stated) % SPACING == 0:
                at = len(self._heard.stated) - 1
                if not self._is_exact(seen, choice):
                    self._heard.distances.append((at, *self._distances(seen, choice.action)))
                self._heard.quoted.append(self._quoted(at, seen, choice.action))
        return choice

    def _quoted(self, at: int, seen: Observation, action: int) -> Quoted:
        """Return the forecasts of a hint and of an analysis for a choice."""
        seed = below(self.random, 1 << BITS_OF_SEED)
        shown = hints(seen, Budget(nodes=HINT_NODES), seed).hints
        hint = next((one.win for one in shown if one.action == action), None)
        judgement, _ = judged(self._reference, seen, action, ANALYSIS_PLAYOUTS, seed)
        text = self.game.action_text(action)
        return Quoted(at, hint, next(one.win for one in judgement.options if one.action == text))

    def _is_exact(self, seen: Observation, choice: Choice) -> bool:
        """Return True if no playouts evaluate a decision, or only together with the other side's choice."""
        view, method = seen.view(), self._search.method
        if len(self.game.to_move(view)) > 1 or method.is_left(view):
            return True
        return bool(method.solve(self.game, view, seen.side, choice, 1))

    def _distances(self, seen: Observation, action: int) -> tuple[float, float]:
        """Return the win probability by playouts less that by playouts of `rules`, twice in independent deals."""
        seed = below(self.random, 1 << BITS_OF_SEED)
        line = np.array([[action]], np.int64)
        ours, theirs = Playouts(self._search, seen, seed), Playouts(self._rules, seen, seed + 1)

        def distance() -> float:
            own = self._search.said(float(ours.play(line, WORLDS).mean()))
            return own - float(theirs.play(line, RULES_WORLDS).mean())

        return distance(), distance()
