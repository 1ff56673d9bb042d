"""Summary of many games: results by side and reason, lengths, intervals."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from brinkmanship.engine.game import Game
from brinkmanship.engine.playout import NOBODY, Batch

Z95 = 1.959964
"""Standard deviations on each side of a 95 % interval."""


def wilson(count: float, total: int) -> tuple[float, float]:
    """Return the 95 % interval of a share; (0, 1) for no games. Draws count half.

    Wilson, "Probable Inference" (1927).
    """
    if total == 0:
        return 0.0, 1.0
    share = count / total
    middle = (share + Z95**2 / (2 * total)) / (1 + Z95**2 / total)
    half = Z95 / (1 + Z95**2 / total) * math.sqrt(share * (1 - share) / total + Z95**2 / (4 * total**2))
    return 0.0 if count == 0 else middle - half, 1.0 if count == total else middle + half


class Summary:
    """Running totals over finished games of one ruleset."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.games = 0
        self.results: Counter[tuple[int | None, str]] = Counter()
        """Number of games by winner (None: no winner) and reason."""
        self.decisions: Counter[int] = Counter()
        """Number of games by number of decisions."""

    def add(self, batch: Batch) -> None:
        """Count a batch of games."""
        for winner, reason in zip(batch.winners.tolist(), batch.reasons.tolist(), strict=True):
            self.results[None if winner == NOBODY else winner, self.game.reasons[reason]] += 1
        self.decisions.update(batch.decisions.tolist())
        self.games += len(batch.decisions)

    def wins(self, side: int | None) -> int:
        """Return the number of games a side won (None: games without a winner)."""
        return sum(count for (winner, _), count in self.results.items() if winner == side)

    def as_json(self) -> dict[str, Any]:
        """Return all totals as plain JSON data; shares have their 95 % interval."""
        names: dict[int | None, str] = {**dict(enumerate(self.game.sides)), None: "nobody"}
        return {
            "game": self.game.id,
            "games": self.games,
            "options": dict(self.game.options),
            "winner": {
                name: {"games": self.wins(side), "share": self.share(self.wins(side)), "interval": self.interval(side)}
                for side, name in names.items()
            },
            "results": [
                {"winner": names[winner], "reason": reason, "games": count, "share": self.share(count)}
                for (winner, reason), count in sorted(self.results.items(), key=lambda item: -item[1])
            ],
            "decisions": self.lengths(),
        }

    def share(self, count: int) -> float:
        """Return a count's share of all games."""
        return count / self.games if self.games else 0.0

    def interval(self, side: int | None) -> tuple[float, float]:
        """Return the 95 % interval of a side's share of wins."""
        return wilson(self.wins(side), self.games)

    def lengths(self) -> dict[str, float]:
        """Return the mean, minimum and maximum number of decisions in a game."""
        if not self.games:
            return {"mean": 0.0, "min": 0, "max": 0}
        total = sum(length * count for length, count in self.decisions.items())
        return {"mean": total / self.games, "min": min(self.decisions), "max": max(self.decisions)}
