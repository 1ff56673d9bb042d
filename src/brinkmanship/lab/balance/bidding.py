"""Compute the equilibrium of the bids of 13 Minutes, hand by hand.

Games with random bids show the value of having the last word with these two hands and these cubes lost: a logistic
regression over the cards of both sides and a curve of each bid. With its probabilities the auction is a game of its
own in which each side knows only its two cards: hands times bids against hands times bids. Regret matching+ finds the
equilibrium (Tammelin 2014; `players.matrix_game` does it for a single matrix): the frequency of each bid with each hand
such that neither side gains by bidding otherwise. Equal bids, which are repeated with all cubes kept, count as half of
either outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.training.regression import fitted, probability

Floats = npt.NDArray[np.float64]
POWERS = 2
"""Degree of the curve of a bid's cost: the first cubes lost cost less than the last ones."""
SCALE = 10
"""Bids are fitted in tens of cubes, so that their powers are of similar size."""
PENALTY = 20.0
STEPS = 8
ROUNDS = 600


class Bidding(NamedTuple):
    """The equilibrium of both sides' bids."""

    n: int
    """Number of games from which the chances were fitted."""
    value: float
    """Points of side 0 out of 100."""
    gain: float
    """Points both sides together could still gain by best responses: the distance from equilibrium."""
    hands: tuple[tuple[int, int], ...]
    often: Floats
    """Frequency of each bid by side and hand: float64[2, hands, bids]."""
    cubes: tuple[float, float]
    """Points that one cube above the mean bid costs the side going last, and the side going first, at even chances."""

    def by_bid(self) -> Floats:
        """Return the frequency of each bid by side, over all hands: float64[2, bids]."""
        return np.asarray(self.often.mean(axis=1))

    def by_card(self, card: int) -> tuple[float, float]:
        """Return the mean bid of each side over the hands that hold a card."""
        held = [row for row, hand in enumerate(self.hands) if card in hand]
        means = (self.often[:, held] @ np.arange(self.often.shape[-1])).mean(axis=1)
        return float(means[0]), float(means[1])

    def as_json(self, cards: Sequence[str]) -> dict[str, Any]:
        """Return all figures as plain JSON data, with the whole table of hands and bids."""
        return {
            "n": self.n,
            "value": self.value,
            "gain": self.gain,
            "points_a_cube": self.cubes,
            "bids": self.by_bid().round(4).tolist(),
            "hands": [
                {"cards": [cards[card] for card in hand], "bids": self.often[:, row].round(3).tolist()}
                for row, hand in enumerate(self.hands)
            ],
        }


def bidding(rows: Sequence[Sequence[int]], cards: int) -> Bidding:
    """Return the equilibrium of the bids; `rows` come from `measures.bids`."""
    return _bidding(tuple(map(tuple, rows)), cards)


@lru_cache(maxsize=8)
def _bidding(rows: tuple[tuple[int, ...], ...], cards: int) -> Bidding:
    table = np.array(rows)
    weights = _learned(table, cards)
    hands = tuple(combinations(range(cards), 2))
    # Every possible bid is drawn equally often, so the highest one seen is the highest possible.
    wins, share = _chances(weights, hands, cards, 1 + int(table[:, 4:6].max()))
    often, value, gain = balance(wins, share)
    mean = float((often.mean(axis=1) @ np.arange(often.shape[-1])).mean())
    slopes = -25 * np.diff(_of_bids(weights, np.array([mean - 0.5, mean + 0.5])), axis=1)[:, 0]
    return Bidding(len(rows), 100 * value, 100 * gain, hands, often, (float(slopes[0]), -float(slopes[1])))


def _learned(table: npt.NDArray[np.int64], cards: int) -> Floats:
    """Fit the log-odds that the side going last wins.

    Returns:
        Weights of a constant, which side goes last, its cards, the other side's cards, the powers of its bid, and
        those of the other side's bid.
    """
    last = table[:, 6]
    features = np.zeros((len(table), 2 + 2 * cards + 2 * POWERS), np.float32)
    features[:, 0] = 1
    features[:, 1] = np.where(last == 0, 1, -1)
    numbers = np.arange(len(table))
    for side in range(2):
        for place in range(2):
            offset = np.where(last == side, 2, 2 + cards)
            features[numbers, offset + table[:, 2 * side + place]] = 1
    own = np.where(last == 0, table[:, 4], table[:, 5])
    other = np.where(last == 0, table[:, 5], table[:, 4])
    features[:, -2 * POWERS :] = np.hstack([_powers(own), _powers(other)])
    score = table[:, 7] / 2
    return fitted(features, np.where(last == 0, score, 1 - score), PENALTY, STEPS)


def _powers(bids: npt.NDArray[Any]) -> Floats:
    """Return the powers of each bid: float64[n, POWERS]."""
    return np.asarray((bids[:, None] / SCALE) ** np.arange(1, POWERS + 1), np.float64)


def _of_bids(weights: Floats, bids: npt.NDArray[Any]) -> Floats:
    """Return the change in log-odds by each bid of the side going last, and of the side going first: float64[2, n]."""
    return np.asarray((_powers(bids) @ weights[-2 * POWERS :].reshape(2, POWERS).T).T)


def _chances(weights: Floats, hands: Sequence[tuple[int, int]], cards: int, bids: int) -> tuple[Floats, Floats]:
    """Return side 0's chance for both hands and bids, and the probability of each pair of hands.

    Returns:
        float64[hands, hands, bids, bids] and float64[hands, hands].
    """
    own = np.array([weights[2 + a] + weights[2 + b] for a, b in hands])
    other = np.array([weights[2 + cards + a] + weights[2 + cards + b] for a, b in hands])
    last, first = _of_bids(weights, np.arange(bids))
    odds = weights[0] + weights[1] + (own[:, None] + other)[:, :, None, None] + last[:, None] + first
    going_last = probability(odds)
    odds = weights[0] - weights[1] + (other[:, None] + own)[:, :, None, None] + first[:, None] + last
    going_first = 1 - probability(odds)
    cube = np.arange(bids)
    higher = cube[:, None] > cube
    tie = 0.5 * (going_last[:, :, :1, :1] + going_first[:, :, :1, :1])
    wins = np.where(higher, going_last, np.where(higher.T, going_first, tie))
    apart = np.array([[not set(one) & set(two) for two in hands] for one in hands], np.float64)
    return wins, apart / apart.sum()


def balance(wins: Floats, share: Floats) -> tuple[Floats, float, float]:
    """Compute the equilibrium by regret matching+.

    Args:
        wins: the chance of side 0, float64[hands, hands, bids, bids].
        share: the probability that two hands are dealt together, float64[hands, hands].

    Returns:
        The frequency of each bid by side and hand; side 0's score; and what both sides together could still gain by
        best responses.
    """
    count, _, bids, _ = wins.shape
    # Layout [hand of 0, bid of 0, hand of 1, bid of 1], so that a side's regrets are one matrix product.
    matrix = (wins * share[:, :, None, None]).transpose(0, 2, 1, 3).reshape(count * bids, count * bids)
    regrets = [np.zeros((count, bids)) for _ in range(2)]
    total = [np.zeros((count, bids)) for _ in range(2)]
    mixed = [np.full((count, bids), 1 / bids) for _ in range(2)]
    for number in range(1, ROUNDS + 1):
        for side in range(2):
            gains = (matrix @ mixed[1].ravel() if side == 0 else -(mixed[0].ravel() @ matrix)).reshape(count, bids)
            mean = (gains * mixed[side]).sum(axis=1, keepdims=True)
            regrets[side] = np.maximum(regrets[side] + gains - mean, 0.0)
            sums = regrets[side].sum(axis=1, keepdims=True)
            even = np.full_like(gains, 1 / bids)
            mixed[side] = np.divide(regrets[side], sums, out=even, where=sums > 0)
            total[side] += number * mixed[side]
    often = [each / each.sum(axis=1, keepdims=True) for each in total]
    own = (matrix @ often[1].ravel()).reshape(count, bids)
    other = (often[0].ravel() @ matrix).reshape(count, bids)
    value = float((own * often[0]).sum())
    gain = float(own.max(axis=1).sum() - other.min(axis=1).sum())
    return np.array(often), value, gain
