"""Who is paired with whom: a pure function of the open seeks, the time, and the chances of winning."""

from __future__ import annotations

import hashlib
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
    waiting = sorted(seeks, key=lambda seek: (seek.created_at, seek.id))
    taken: set[str] = set()
    for place, first in enumerate(waiting):
        if first.id in taken:
            continue
        others = (other for other in waiting[place + 1 :] if other.id not in taken)
        games = (
            (even, other.created_at, _draw(pairing), pairing)
            for other in others
            if first.pace == other.pace and first.rated == other.rated
            for even, pairing in _games(first, other, now, chance)
        )
        for *_, found in sorted(games, key=lambda game: game[:3]):
            if may_meet(first.person_id, found.second.person_id):
                taken |= {first.id, found.second.id}
                yield found
                break


def _games(first: Seek, second: Seek, now: float, chance: Chance) -> Iterator[tuple[float, Pairing]]:
    """Yield the games that both accept, each with the distance of the chance of winning from 1/2."""
    clocks = [clock for clock in first.clocks if clock in second.clocks]
    if not clocks or first.person_id == second.person_id:
        return
    limit = min(spread(first, now), spread(second, now))
    for want in first.wants:
        if Want(want.game, 1 - want.side) not in second.wants:
            continue
        wins = chance(want.game, want.side, first.person_id, second.person_id)
        distance = UNKNOWN if wins is None else abs(wins - 0.5)
        if wins is None or distance <= limit:
            for clock in clocks:
                yield distance, Pairing(first, second, want, clock)


def _draw(pairing: Pairing) -> bytes:
    """Return a number that chooses among equally good games, sides and clocks, the same in every process."""
    first, second, want, clock = pairing
    return hashlib.sha256(f"{first.id} {second.id} {want.game} {want.side} {clock}".encode()).digest()
