"""How both sides of 13 Minutes would bid in balance, hand by hand.

Games with bids drawn by lot tell what the last word is worth with these two hands and these cubes lost: a logistic
regression over the cards of both sides and both bids. With its chances the auction is a game of its own, in which each
side knows its two cards only: hands times bids against hands times bids. Regret matching+ finds the balance
(Tammelin 2014; `players.secret` does it for a single matrix): how often each hand makes each bid so that neither side
could gain by bidding otherwise. Equal bids, which are made again with all cubes kept, count as half of either outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.lab.balance.measures import MOST_BID
from brinkmanship.train.regression import fitted, probability

Floats = npt.NDArray[np.float64]
N_BIDS = MOST_BID + 1
PENALTY = 20.0
STEPS = 8
ROUNDS = 600


class Bidding(NamedTuple):
    """The bids of both sides in balance."""

    n: int
    """Games from which the chances were learned."""
    value: float
    """The points of side 0, of a hundred."""
    gain: float
    """What the two sides could gain together by the best answers to each other: how far from balance it still is."""
    hands: tuple[tuple[int, int], ...]
    often: Floats
    """How often each side makes each bid with each hand: float64[2, hands, bids]."""
    cubes: tuple[float, float]
    """Points that a cube less costs who goes last, and who goes first, at even chances."""

    def by_bid(self) -> Floats:
        """How often each side makes each bid, over all hands: float64[2, bids]."""
        return np.asarray(self.often.mean(axis=1))

    def by_card(self, card: int) -> tuple[float, float]:
        """The mean bid of each side with hands that hold a card."""
        held = [row for row, hand in enumerate(self.hands) if card in hand]
        means = (self.often[:, held] @ np.arange(N_BIDS)).mean(axis=1)
        return float(means[0]), float(means[1])

    def as_json(self, cards: Sequence[str]) -> dict[str, Any]:
        """Everything as plain JSON data, with the whole table of hands and bids."""
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
    """The balance of the bids; `rows` as `measures.bids` makes them."""
    return _bidding(tuple(map(tuple, rows)), cards)


@lru_cache(maxsize=8)
def _bidding(rows: tuple[tuple[int, ...], ...], cards: int) -> Bidding:
    table = np.array(rows)
    weights = _learned(table, cards)
    hands = tuple(combinations(range(cards), 2))
    wins, share = _wins(weights, hands, cards)
    often, value, gain = _balance(wins, share)
    bids = weights[-2:]
    return Bidding(len(rows), 100 * value, 100 * gain, hands, often, (-25 * float(bids[0]), 25 * float(bids[1])))


def _learned(table: npt.NDArray[np.int64], cards: int) -> Floats:
    """Weights of the odds that who goes last wins: a constant, who that is, its cards, the other's cards, its bid, the
    other's bid."""
    last = table[:, 6]
    features = np.zeros((len(table), 2 + 2 * cards + 2), np.float32)
    features[:, 0] = 1
    features[:, 1] = np.where(last == 0, 1, -1)
    numbers = np.arange(len(table))
    for side in range(2):
        for place in range(2):
            offset = np.where(last == side, 2, 2 + cards)
            features[numbers, offset + table[:, 2 * side + place]] = 1
    features[:, -2] = np.where(last == 0, table[:, 4], table[:, 5])
    features[:, -1] = np.where(last == 0, table[:, 5], table[:, 4])
    score = table[:, 7] / 2
    return fitted(features, np.where(last == 0, score, 1 - score), PENALTY, STEPS)


def _wins(weights: Floats, hands: Sequence[tuple[int, int]], cards: int) -> tuple[Floats, Floats]:
    """The chance of side 0 for both hands and both bids, float64[hands, hands, bids, bids]; and how likely the hands
    are dealt together."""
    cube = np.arange(N_BIDS)
    own = np.array([weights[2 + a] + weights[2 + b] for a, b in hands])
    other = np.array([weights[2 + cards + a] + weights[2 + cards + b] for a, b in hands])
    chances = []
    for side, sign in enumerate((1, -1)):
        hand = own[:, None] + other[None, :] if side == 0 else other[:, None] + own[None, :]
        cubes = weights[-2] * cube[:, None] + weights[-1] * cube[None, :]
        if side == 1:
            cubes = cubes.T
        odds = weights[0] + sign * weights[1] + hand[:, :, None, None] + cubes[None, None]
        chances.append(probability(odds) if side == 0 else 1 - probability(odds))
    higher = cube[:, None] > cube[None, :]
    tie = 0.5 * (chances[0][:, :, :1, :1] + chances[1][:, :, :1, :1])
    wins = np.where(higher, chances[0], np.where(higher.T, chances[1], tie))
    apart = np.array([[not set(one) & set(two) for two in hands] for one in hands], np.float64)
    return wins, apart / apart.sum()


def _balance(wins: Floats, share: Floats) -> tuple[Floats, float, float]:
    """How often each hand makes each bid on both sides; what side 0 makes; what both could gain by best answers."""
    count = wins.shape[0]
    # [hand of 0, bid of 0, hand of 1, bid of 1], so that a side's regrets are one product.
    matrix = (wins * share[:, :, None, None]).transpose(0, 2, 1, 3).reshape(count * N_BIDS, count * N_BIDS)
    regrets = [np.zeros((count, N_BIDS)) for _ in range(2)]
    total = [np.zeros((count, N_BIDS)) for _ in range(2)]
    mixed = [np.full((count, N_BIDS), 1 / N_BIDS) for _ in range(2)]
    for number in range(1, ROUNDS + 1):
        for side in range(2):
            gains = (matrix @ mixed[1].ravel() if side == 0 else -(mixed[0].ravel() @ matrix)).reshape(count, N_BIDS)
            mean = (gains * mixed[side]).sum(axis=1, keepdims=True)
            regrets[side] = np.maximum(regrets[side] + gains - mean, 0.0)
            sums = regrets[side].sum(axis=1, keepdims=True)
            even = np.full_like(gains, 1 / N_BIDS)
            mixed[side] = np.divide(regrets[side], sums, out=even, where=sums > 0)
            total[side] += number * mixed[side]
    often = [each / each.sum(axis=1, keepdims=True) for each in total]
    own = (matrix @ often[1].ravel()).reshape(count, N_BIDS)
    other = (often[0].ravel() @ matrix).reshape(count, N_BIDS)
    value = float((own * often[0]).sum())
    gain = float(own.max(axis=1).sum() - other.min(axis=1).sum())
    return np.array(often), value, gain
