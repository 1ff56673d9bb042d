"""Ratings of a person as profiles show them: the present one of each game, and how it changed."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Engine

from brinkmanship.store import ratings


class RatingPoint(NamedTuple):
    """A rating after a game."""

    at: float
    """End of the game (Unix time, s)."""
    rating: float
    deviation: float


class PersonRating(NamedTuple):
    """A person's rating in one game."""

    game: str
    rating: float
    deviation: float
    games: int
    """Number of rated games."""
    points: list[RatingPoint]
    """Ratings after the latest games, oldest first."""


def ratings_of(engine: Engine, person_id: str) -> list[PersonRating]:
    """Return the ratings of a person in each game with rated games; blocking."""
    found = []
    for game_id, standing in ratings.standings_of(engine, person_id).items():
        changes = ratings.history_of(engine, person_id, game_id)
        points = [RatingPoint(change.at, change.after, change.deviation_after) for change in changes if change.counts]
        found.append(PersonRating(game_id, standing.rating.value, standing.rating.deviation, standing.games, points))
    return found
