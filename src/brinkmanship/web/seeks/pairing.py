"""Pairings of seeks: a pure function of the open seeks, the time, and the chances of winning."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from brinkmanship.store.seeks import LIVE, Seek, Want

SPREAD = 0.15
"""Greatest distance of the chance of winning from 1/2 that a new seek accepts."""
WIDENING = {LIVE: 0.02 / 60, "days": 0.05 / (24 * 3600)}
"""Growth of this distance per second of waiting, by pace."""
UNKNOWN = SPREAD
"""Distance taken for an unknown chance: anyone may meet a player without a rating, but known even games come first."""

Chance = Callable[[str, int, str, str], float | None]
"""Chance that a user (third argument) wins a game as a side against another user; None if it is unknown."""


class Pairing(NamedTuple):
    """Two seeks that become a game."""

    first: Seek
    second: Seek
    want: Want
    """The game, and the side of the first user."""
    clock: str

    @property
    def people(self) -> tuple[str, ...]:
        """User ids by side."""
        pair = (self.first.person_id, self.second.person_id)
        return pair if self.want.side == 0 else pair[::-1]


def spread(seek: Seek, now: float) -> float:
    """Return the greatest distance from 1/2 of a chance of winning that a seek accepts now."""
    return SPREAD + WIDENING[seek.pace] * max(0.0, now - seek.created_at)


def pairings(
    seeks: Sequence[Seek], now: float, chance: Chance, may_meet: Callable[[str, str], bool]
) -> Iterator[Pairing]:
    """Yield disjoint pairs of seeks that accept each other: the longest waiting first, each with the evenest game.

    Args:
        seeks: Open seeks.
        now: Game time (s).
        chance: Chances of winning.
        may_meet: Predicate for two users.
    """
    waiting = [_Waiting(seek) for seek in sorted(seeks, key=lambda seek: (seek.created_at, seek.id))]
    taken: set[str] = set()
    for place, first in enumerate(waiting):
        if first.seek.id in taken:
            continue
        others = (other for other in waiting[place + 1 :] if other.seek.id not in taken and first.could_meet(other))
        games = [found for other in others if (found := _best_games(first.seek, other, now, chance)) is not None]
        for found in sorted(games, key=lambda found: (found.distance, found.second.created_at, found.second.id)):
            if may_meet(first.seek.person_id, found.second.person_id):
                taken |= {first.seek.id, found.second.id}
                yield _drawn(first.seek, found)
                break


class _Waiting:
    """A seek with what is compared again and again."""

    def __init__(self, seek: Seek) -> None:
        self.seek = seek
        self.wants = frozenset(seek.wants)
        self.offers = frozenset(Want(game, 1 - side) for game, side in seek.wants)
        """Wants of an opponent that fit."""
        self.clocks = frozenset(seek.clocks)

    def could_meet(self, other: _Waiting) -> bool:
        """Return True if the seeks fit, apart from the chances of winning."""
        mine, theirs = self.seek, other.seek
        return (
            not self.offers.isdisjoint(other.wants)
            and not self.clocks.isdisjoint(other.clocks)
            and mine.pace == theirs.pace
            and mine.rated == theirs.rated
            and mine.person_id != theirs.person_id
        )


class _BestGames(NamedTuple):
    """The evenest games of two seeks."""

    second: Seek
    distance: float
    """Distance of the chance of winning from 1/2."""
    wants: list[Want]
    """Games with the sides of the first user."""


def _best_games(first: Seek, other: _Waiting, now: float, chance: Chance) -> _BestGames | None:
    """Return the evenest games that both users accept, or None."""
    second = other.seek
    limit = min(spread(first, now), spread(second, now))
    best = _BestGames(second, math.inf, [])
    for want in first.wants:
        if want not in other.offers:
            continue
        wins = chance(want.game, want.side, first.person_id, second.person_id)
        distance = UNKNOWN if wins is None else abs(wins - 0.5)
        if (wins is not None and distance > limit) or distance > best.distance:
            continue
        if distance < best.distance:
            best = _BestGames(second, distance, [])
        best.wants.append(want)
    return best if best.wants else None


def _drawn(first: Seek, found: _BestGames) -> Pairing:
    """Return one of equally good games and clocks: drawn by lot, but the same in every process."""
    clocks = [clock for clock in first.clocks if clock in found.second.clocks]
    pairs = [Pairing(first, found.second, want, clock) for want in found.wants for clock in clocks]
    return min(pairs, key=_lot)


def _lot(pairing: Pairing) -> bytes:
    first, second, want, clock = pairing
    return hashlib.sha256(f"{first.id} {second.id} {want.game} {want.side} {clock}".encode()).digest()
