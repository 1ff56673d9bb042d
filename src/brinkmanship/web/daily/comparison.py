"""Decisions at which players of the same deal differed.

Players are compared where their side saw exactly the same position; later positions differ, because players and the
computer have chosen differently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from brinkmanship.engine.perspective import UNKNOWN, Perspective

MAX_DECISIONS = 60
"""Maximum decisions of a game that are compared, from its start."""
MAX_FORKS = 3
"""Maximum decisions of a report."""
MAX_CHOICES = 6
"""Maximum choices named for a decision, the most frequent ones."""


class Pick(msgspec.Struct, frozen=True, array_like=True):
    """A choice and the number of players who made it."""

    action: int
    players: int


class Fork(msgspec.Struct, frozen=True):
    """A decision at which players differed."""

    table: str
    """Table of a player who reached it."""
    entries: int
    """Number of entries before the decision at this table."""
    picks: tuple[Pick, ...]
    """The most frequent choice first."""

    @property
    def players(self) -> int:
        """Number of players who made one of the listed choices."""
        return sum(each.players for each in self.picks)


class PlayedDeal(NamedTuple):
    """A finished game of the deal, as its player saw it."""

    table_id: str
    seen: Perspective


class _Place:
    """A position in which players had to decide."""

    def __init__(self, table_id: str, entries: int) -> None:
        self.table_id, self.entries = table_id, entries
        self.picks: Counter[int] = Counter()

    @property
    def dissent(self) -> tuple[int, int]:
        """Number of players who did not make the most frequent choice, and of all players."""
        return self.picks.total() - self.picks.most_common(1)[0][1], self.picks.total()

    def fork(self) -> Fork:
        ranked = sorted(self.picks.items(), key=lambda each: (-each[1], each[0]))[:MAX_CHOICES]
        return Fork(self.table_id, self.entries, tuple(Pick(int(action), count) for action, count in ranked))


def forks(games: Iterable[PlayedDeal]) -> list[Fork]:
    """Return the decisions on which most players differed, the most disputed first."""
    places: dict[bytes, _Place] = {}
    for game in games:
        known: set[bytes] = set()
        for entries, position, action in _decisions(game.seen):
            if position in known:  # a player counts once in a position
                continue
            known.add(position)
            places.setdefault(position, _Place(game.table_id, entries)).picks[action] += 1
    disputed = [place for place in places.values() if len(place.picks) > 1]
    disputed.sort(key=lambda place: (-place.dissent[0], -place.dissent[1], place.entries, place.table_id))
    return [place.fork() for place in disputed[:MAX_FORKS]]


def _decisions(seen: Perspective) -> Iterator[tuple[int, bytes, int]]:
    """Yield the player's decisions: entries before each, the position as the player saw it, and the action."""
    count = 0
    for number, entry in enumerate(seen.entries):
        if entry.actor == seen.viewer and entry.action != UNKNOWN:
            yield number, seen.view(number).tobytes(), entry.action
            count += 1
            if count == MAX_DECISIONS:
                return


_read = msgspec.json.Decoder(list[Fork]).decode


def as_json(found: list[Fork]) -> bytes:
    """Return a report as JSON."""
    return msgspec.json.encode(found)


def from_json(report: bytes) -> list[Fork]:
    """Return the report that `as_json` has written."""
    return _read(report)
