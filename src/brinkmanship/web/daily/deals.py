"""The deal of a day: its secret, side and level; and the streaks of a user. Pure functions."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.games.registry import kits
from brinkmanship.players import levels_for
from brinkmanship.puzzles.spaced_repetition import DAY, DAY_ONE

WEEK = 7


class Streaks(NamedTuple):
    """Consecutive days of a user up to now."""

    played: int
    won: int
    """Days with at least one game won."""


def secret_of(key: bytes, game_id: str, day: int) -> bytes:
    """Return the secret of a deal (HMAC-SHA-256): once revealed, it tells nothing about the secret of another day."""
    return hmac.digest(key, f"brinkmanship daily 1 {game_id} {date.fromordinal(day).isoformat()}".encode(), "sha256")


def side_of(game_id: str, day: int) -> int:
    """Return the side that everyone plays: another one every day, and not the same one in all games."""
    return (day + list(kits()).index(game_id)) % 2


def level_of(game: Game, day: int) -> str:
    """Return the level that everyone plays against: the weakest on Monday, the strongest on Sunday."""
    levels = levels_for(game)
    return levels[date.fromordinal(day).weekday() * len(levels) // WEEK]


def ends_at(day: int) -> float:
    """Return the time (s since 1970) at which a day ends."""
    return (day + 1 - DAY_ONE) * DAY


def streaks(days: Sequence[tuple[int, int | None]], today: int) -> Streaks:
    """Return the streaks up to today; a day that is not over, or not finished, does not end one.

    Args:
        days: days played, newest first, each with the best score; None: no game finished.
        today: the current day.
    """
    finished = days[1:] if days and days[0] == (today, None) else days
    won = [day for day, score in finished if score == 1]
    return Streaks(_in_a_row([day for day, _ in days], today), _in_a_row(won, today) if _goes_on(finished) else 0)


def _goes_on(finished: Sequence[tuple[int, int | None]]) -> bool:
    return bool(finished) and finished[0][1] == 1


def _in_a_row(days: Sequence[int], today: int) -> int:
    """Return the number of consecutive days, newest first, that end today or yesterday."""
    if not days or days[0] < today - 1:
        return 0
    return next((number for number, day in enumerate(days) if day != days[0] - number), len(days))
