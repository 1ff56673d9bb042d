"""Matches of two computer players over paired games: the same deals twice, with the sides swapped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count as numbers
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.observation import ObservationRecorder
from brinkmanship.engine.playout import NOBODY, Batch
from brinkmanship.lab.matches.cluster import Cluster, portable
from brinkmanship.lab.matches.summary import Z95
from brinkmanship.players import Player, load_player
from brinkmanship.players.self_play import play, record

MAX_AT_ONCE = 256
"""Maximum pairs per piece of work: few enough to report progress often."""
MAX_TIMED = 200
TIMED_SECONDS = 2.0


class Tally(NamedTuple):
    """Results of one player's games against another, from that player's view."""

    wins: int
    losses: int
    draws: int
    """Games without a winner, including those that both lost."""

    @property
    def score(self) -> float:
        """Share of the points: a win is 1, a draw 1/2."""
        games = self.wins + self.losses + self.draws
        return (self.wins + self.draws / 2) / games if games else 0.5

    def as_json(self) -> dict[str, float]:
        """Return the counts and the score as plain JSON data."""
        return {**self._asdict(), "score": self.score}


class MatchResult(NamedTuple):
    """Result of a match of player a against player b, from a's view."""

    pairs: int
    total: Tally
    margin: float
    """Half of the 95 % interval of `total.score`, from the variance of the pairs, whose games are not independent."""
    by_side: dict[str, Tally]
    """Results by a's side."""
    by_reason: dict[str, Tally]
    """Results by the reason the game ended."""
    pentanomial: tuple[int, ...] = ()
    """Number of pairs in which a scored 0, 1/4, 1/2, 3/4 and all of the points."""

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of a's score."""
        return max(self.total.score - self.margin, 0.0), min(self.total.score + self.margin, 1.0)

    def as_json(self) -> dict[str, Any]:
        """Return all fields as plain JSON data."""
        return {
            "pairs": self.pairs,
            "score": self.total.score,
            "interval": self.interval,
            "pentanomial": self.pentanomial,
            "by_side": {side: tally.as_json() for side, tally in self.by_side.items()},
            "by_reason": {reason: tally.as_json() for reason, tally in self.by_reason.items()},
        }


class Pairs(NamedTuple):
    """Pairs of games, in order of their numbers; column 0: a plays the first side, column 1: the second."""

    scores: npt.NDArray[np.float64]
    """Score of a: 1 won, 1/2 drawn, 0 lost; float64[n, 2]."""
    reasons: npt.NDArray[np.int64]
    """Reason each game ended: index in `Game.reasons`; int64[n, 2]."""


def play_pairs(
    game: Game, player_a: Player, player_b: Player, first: int, count: int, seed: int, workers: int = 1
) -> Iterator[Pairs]:
    """Play pairs number `first` to `first + count - 1` of a seed, several at a time, in order.

    Both games of a pair use the same random numbers for chance, so cards and dice are the same as long as the course
    of play draws the same. The results do not depend on `workers` (threads).
    """
    chunk = max(1, min(MAX_AT_ONCE, count // (4 * workers)))
    forth = play(game, first, count, seed, (player_a, player_b), chunk, workers)
    back = play(game, first, count, seed, (player_b, player_a), chunk, workers)
    for batches in zip(forth, back, strict=True):
        scores = [_scores(batch, side) for side, batch in enumerate(batches)]
        yield Pairs(np.stack(scores, axis=1), np.stack([batch.reasons for batch in batches], axis=1))


def play_pairs_on(
    cluster: Cluster, game: Game, names: tuple[str, str], first: int, count: int, seed: int
) -> Iterator[Pairs]:
    """Play the same pairs as `play_pairs` on the machines of a cluster, with players given by name.

    Raises:
        ClusterError: a machine has different sources.
    """
    is_asked = any(_player(game, name).is_asked for name in names)
    most = 1 if is_asked else max(1, min(MAX_AT_ONCE, count // (4 * cluster.cores)))
    ruleset = portable(game)
    starts = range(first, first + count, most)
    pieces = ((ruleset, names, start, min(most, first + count - start), seed) for start in starts)
    yield from cluster.in_order(_pairs_there, pieces)


def _pairs_there(game: Game, names: tuple[str, str], first: int, count: int, seed: int) -> Pairs:
    a, b = (_player(game, name) for name in names)
    parts = list(play_pairs(game, a, b, first, count, seed))
    return Pairs(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


@cache
def _player(game: Game, name: str) -> Player:
    return load_player(name, game)


def result_of(game: Game, pairs: Sequence[Pairs]) -> MatchResult:
    """Return the result of the pairs played so far."""
    scores = np.concatenate([each.scores for each in pairs] or [np.empty((0, 2))])
    reasons = np.concatenate([each.reasons for each in pairs] or [np.empty((0, 2), np.int64)])
    by_pair = scores.mean(axis=1)
    count = len(by_pair)
    scatter = float(by_pair.std(ddof=1)) if count > 1 else 0.5
    return MatchResult(
        count,
        _tally(scores),
        Z95 * scatter / max(count, 1) ** 0.5,
        {side: _tally(scores[:, number]) for number, side in enumerate(game.sides)},
        {game.reasons[reason]: _tally(scores[reasons == reason]) for reason in sorted(Counter(reasons.flat))},
        tuple(int((by_pair == outcome / 4).sum()) for outcome in range(5)),
    )


def paired_match(
    game: Game, player_a: Player, player_b: Player, pairs: int, seed: int = 0, workers: int = 1
) -> MatchResult:
    """Play `pairs` pairs of games from number 0 of the seed on; see `play_pairs`."""
    return result_of(game, list(play_pairs(game, player_a, player_b, 0, pairs, seed, workers)))


def milliseconds_a_decision(game: Game, player: Player, rival: Player, seed: int = 0) -> float:
    """Return a player's mean thinking time in ms over up to 200 decisions in recorded games, or 2 seconds."""
    spent, decisions = 0.0, 0
    for number in numbers():
        match = Match(game)
        side = number % len(game.sides)
        witness = ObservationRecorder(side)
        for actor, action in record(game, number, seed, (player, rival) if side == 0 else (rival, player)):
            if actor == side:
                seen = witness.seen(match)
                started = perf_counter()
                player.choose(seen)
                spent += perf_counter() - started
                decisions += 1
                if decisions >= MAX_TIMED or spent >= TIMED_SECONDS:
                    return 1000 * spent / decisions
            match.push(action, side=actor if actor != CHANCE else None)
    raise AssertionError("there is always another game")


def _scores(batch: Batch, side: int) -> npt.NDArray[np.float64]:
    return np.where(batch.winners == NOBODY, 0.5, batch.winners == side)


def _tally(scores: npt.NDArray[np.float64]) -> Tally:
    return Tally(int((scores == 1).sum()), int((scores == 0).sum()), int((scores == 0.5).sum()))
