"""Moments of measured values: for each key the number of values, their sum and the sum of their squares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Moments = tuple[int, float, float]
"""The number of values, their sum, and the sum of their squares."""


class Tally:
    """Moments of values by key. Tallies of parts of the games add up to the tally of all games."""

    def __init__(self, moments: Mapping[str, Iterable[float]] = {}) -> None:
        self.moments: dict[str, Moments] = {}
        for key, (count, total, squares) in moments.items():
            self.moments[key] = (int(count), total, squares)

    def add(self, key: str, value: float) -> None:
        """Add a value to a key."""
        count, total, squares = self.moments.get(key, (0, 0.0, 0.0))
        self.moments[key] = (count + 1, total + value, squares + value * value)

    def merge(self, other: Tally) -> None:
        """Add the moments of another tally."""
        for key, (count, total, squares) in other.moments.items():
            mine = self.moments.get(key, (0, 0.0, 0.0))
            self.moments[key] = (mine[0] + count, mine[1] + total, mine[2] + squares)

    def count(self, key: str) -> int:
        """Return the number of values of a key."""
        return self.moments.get(key, (0, 0.0, 0.0))[0]

    def below(self, prefix: str) -> dict[str, Moments]:
        """Return the moments of all keys ``prefix/rest``, by the rest, sorted."""
        start = f"{prefix}/"
        return {key[len(start) :]: self.moments[key] for key in sorted(self.moments) if key.startswith(start)}
