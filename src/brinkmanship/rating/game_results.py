"""Effect of a finished game on the ratings of its players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brinkmanship.rating.glicko import Rating, updated, win_chance

COMPUTER_WEIGHT = 0.5
"""Share of a full game that a game against a computer counts."""
MAX_COMPUTER_GAMES = 3
"""Maximum games that a person's rating counts against one level on one day (UTC)."""
PROVISIONAL_GAMES = 5
"""Number of games from which a rating is shown without a question mark."""
LISTED_GAMES = 10
"""Number of games from which a person is on the leaderboard."""
DAY_SECONDS = 86_400


class Prospect(NamedTuple):
    """A game before it begins, as one player sees it."""

    win_chance: float
    """Expected score, a draw as half."""
    win: float
    """Change of the player's rating for a win (points)."""
    draw: float
    loss: float


def prospect(mine: Rating, other: Rating, advantage: float, weight: float = 1.0) -> Prospect:
    """Return a player's chance and the change for each result; see `updated` for the arguments."""
    win, draw, loss = (updated(mine, other, advantage, score, weight).value - mine.value for score in (1.0, 0.5, 0.0))
    return Prospect(win_chance(mine, other, advantage), win, draw, loss)


def rated_game(
    before: Sequence[Rating], people: Sequence[bool], advantage: float, score: float, weight: float
) -> list[Rating]:
    """Return the ratings of both sides after a game; a computer's is fixed.

    Args:
        before: ratings by side, aged to the end of the game.
        people: for each side, True if a person plays it.
        advantage: advantage of the first side (points).
        score: score of the first side.
        weight: see `weight_of`.
    """
    after = []
    for side in (0, 1):
        mine, other = before[side], before[1 - side]
        scored, ahead = (score, advantage) if side == 0 else (1 - score, -advantage)
        after.append(updated(mine, other, ahead, scored, weight) if people[side] and weight else mine)
    return after


def weight_of(against_computer: bool, earlier_today: int = 0) -> float:
    """Return the weight of a game.

    Args:
        against_computer: True if one side is a level.
        earlier_today: number of the person's games against this level that have counted on the same day.
    """
    if not against_computer:
        return 1.0
    return COMPUTER_WEIGHT if earlier_today < MAX_COMPUTER_GAMES else 0.0
