"""Pairings of a Swiss tournament by maximum-weight matching (networkx).

A rematch costs more than anything else, then a difference in points (quadratic), then the distance from the rule that
the top half of a score group meets its bottom half.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from brinkmanship.tournament.round_robin import Pair

REMATCH_COST = 10**8
POINTS_COST = 1000
"""Cost of a difference of one point; it grows with the square."""
HALVES = 2
"""Points are multiples of a half; weights are integers, so that they add up exactly."""


class Player(NamedTuple):
    """A player who takes part in the next round."""

    person: str
    points: float
    seed: int
    has_had_bye: bool = False


def number_of_rounds(players: int) -> int:
    """Return the number of rounds that find a winner and give the second place some meaning."""
    return min(math.ceil(math.log2(players)) + 1, players - 1 + players % 2)


def pair_round(players: Collection[Player], met: Collection[frozenset[str]]) -> list[Pair]:
    """Return the pairs of the next round, best first, and last the bye if the number is odd.

    The bye goes to the lowest player without one; to the next lowest if otherwise two people had to meet again.

    Args:
        players: Players in any order.
        met: Pairs of people who have met.
    """
    ranked = sorted(players, key=lambda player: (-player.points, player.seed))
    known = frozenset(met)
    if len(ranked) % 2 == 0:
        return _matched(ranked, known)[0]
    candidates = [player for player in reversed(ranked) if not player.has_had_bye] or ranked[::-1]
    found: list[tuple[list[Pair], int, Player]] = []
    for candidate in candidates:
        pairs, rematches = _matched([player for player in ranked if player != candidate], known)
        found.append((pairs, rematches, candidate))
        if rematches == 0:
            break
    pairs, _, free = min(found, key=lambda each: each[1])
    return [*pairs, (free.person, None)]


def _matched(ranked: Sequence[Player], met: frozenset[frozenset[str]]) -> tuple[list[Pair], int]:
    """Return the pairs of ranked players, best first, and the number of rematches among them."""
    import networkx  # loaded late: a server needs its 11 MB only for a Swiss tournament

    places = _places(ranked)
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(ranked)))
    for one in range(len(ranked)):
        for other in range(one + 1, len(ranked)):
            cost = _cost(ranked[one], ranked[other], places[one], places[other])
            if frozenset((ranked[one].person, ranked[other].person)) in met:
                cost += REMATCH_COST
            graph.add_edge(one, other, weight=-cost)
    matching = sorted(sorted(pair) for pair in networkx.max_weight_matching(graph, maxcardinality=True))
    pairs = [(ranked[one].person, ranked[other].person) for one, other in matching]
    return [*pairs], sum(frozenset(pair) in met for pair in pairs)


class _GroupPlace(NamedTuple):
    """Place of a player in their score group, and the group's size."""

    number: int
    size: int


def _places(ranked: Sequence[Player]) -> list[_GroupPlace]:
    sizes: dict[float, int] = {}
    indexes = []
    for player in ranked:
        indexes.append(sizes.get(player.points, 0))
        sizes[player.points] = indexes[-1] + 1
    return [_GroupPlace(number, sizes[player.points]) for number, player in zip(indexes, ranked, strict=True)]


def _cost(one: Player, other: Player, place: _GroupPlace, other_place: _GroupPlace) -> int:
    if one.points != other.points:
        gap = round(HALVES * (one.points - other.points))
        return POINTS_COST * gap * gap // HALVES**2
    return abs(other_place.number - place.number - place.size // 2)
