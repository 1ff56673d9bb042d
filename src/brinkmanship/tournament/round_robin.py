"""Round robin schedules by the circle method."""

from __future__ import annotations

from collections.abc import Sequence

Pair = tuple[str, str | None]
"""Two people who meet, or one who has a bye."""


def round_robin(people: Sequence[str]) -> list[list[Pair]]:
    """Return the pairs of each round so that each meets each once; with an odd number each has one bye.

    The first person stays, all others move on by one place from round to round.
    """
    places: list[str | None] = [*people] + [None] * (len(people) % 2)
    rounds = []
    for turn in range(len(places) - 1):
        circle = [places[0], *places[1 + turn :], *places[1 : 1 + turn]]
        half = len(circle) // 2
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        rounds.append([_pair(one, other) for one, other in pairs])
    return rounds


def _pair(one: str | None, other: str | None) -> Pair:
    if one is None:
        assert other is not None, "only one place is free"
        return other, None
    return one, other
