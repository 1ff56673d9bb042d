"""What was counted: for each key how many values, their sum and the sum of their squares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Moments = tuple[int, float, float]
"""How many values there were, their sum, and the sum of their squares."""


class Tally:
    """Values by key. Tallies of parts of the games add up to the tally of all."""

    def __init__(self, moments: Mapping[str, Iterable[float]] = {}) -> None:
        self.moments: dict[str, Moments] = {}
        for key, (count, total, squares) in moments.items():
            self.moments[key] = (int(count), total, squares)

    def add(self, key: str, value: float) -> None:
        """Count a value."""
        count, total, squares = self.moments.get(key, (0, 0.0, 0.0))
        self.moments[key] = (count + 1, total + value, squares + value * value)

    def merge(self, other: Tally) -> None:
        """Count all that another tally has counted."""
        for key, (count, total, squares) in other.moments.items():
            mine = self.moments.get(key, (0, 0.0, 0.0))
            self.moments[key] = (mine[0] + count, mine[1] + total, mine[2] + squares)

    def count(self, key: str) -> int:
        """How many values a key has."""
        return self.moments.get(key, (0, 0.0, 0.0))[0]

    def below(self, prefix: str) -> dict[str, Moments]:
        """All keys ``prefix/rest``, by the rest, in order."""
        start = f"{prefix}/"
        return {key[len(start) :]: self.moments[key] for key in sorted(self.moments) if key.startswith(start)}
