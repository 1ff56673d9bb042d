"""Queries of ratings: of a person, of a finished game, the leaderboard; blocking, called in threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Engine, func, select

from brinkmanship.rating.bookkeeping import MonthlyAdvantage, PlayerRating
from brinkmanship.rating.glicko import Rating
from brinkmanship.store.schema import people, public_profiles, rating_changes, ratings, side_advantages

PAGE = 50
MAX_HISTORY = 500
"""Maximum games of a person's history that are read at once."""


class Change(NamedTuple):
    """A player's rating before and after a game."""

    table_id: str
    side: int
    player: str
    """Id of a person, or name of a level."""
    opponent: str
    score: float
    at: float
    """End of the game (s)."""
    counts: bool
    """True if the game changed the rating."""
    before: float
    after: float
    deviation_after: float


class RankedPerson(NamedTuple):
    """A person on the leaderboard."""

    rank: int
    person_id: str
    name: str
    rating: float
    deviation: float
    games: int


class Pair(NamedTuple):
    """Two people of whom one resigned early to the other, again and again."""

    person_id: str
    """Player who resigned."""
    opponent: str
    games: int
    last_at: float


class Advantage(NamedTuple):
    """The first side's advantage in a ruleset during a month."""

    game: str
    ruleset: str
    """See `brinkmanship.rating.profile.ruleset_of`."""
    since: float
    value: float
    """Advantage in points."""
    games: int
    """Number of games from which it was refitted."""


_change = [rating_changes.c[name] for name in Change._fields]


def standing(connection: Connection, person_id: str, game: str) -> PlayerRating | None:
    """Return a person's standing in a game; None before their first rated game."""
    wanted = select(ratings).where(ratings.c.person_id == person_id, ratings.c.game == game)
    row = connection.execute(wanted).first()
    return PlayerRating(Rating(row.rating, row.deviation), row.games, row.at) if row else None


def standings_of(engine: Engine, person_id: str) -> dict[str, PlayerRating]:
    """Return a person's standings by game."""
    wanted = select(ratings).where(ratings.c.person_id == person_id).order_by(ratings.c.game)
    with engine.connect() as connection:
        rows = connection.execute(wanted).all()
    return {row.game: PlayerRating(Rating(row.rating, row.deviation), row.games, row.at) for row in rows}


def standings_in(engine: Engine, person_ids: Sequence[str], game: str) -> dict[str, PlayerRating]:
    """Return the standings of some people in a game; those without rated games are left out."""
    wanted = select(ratings).where(ratings.c.person_id.in_(person_ids), ratings.c.game == game)
    with engine.connect() as connection:
        rows = connection.execute(wanted).all()
    return {row.person_id: PlayerRating(Rating(row.rating, row.deviation), row.games, row.at) for row in rows}


def history_of(engine: Engine, person_id: str, game: str, limit: int = MAX_HISTORY) -> list[Change]:
    """Return a person's last rated games in a game, oldest first."""
    is_own = (rating_changes.c.person_id == person_id) & (rating_changes.c.game == game)
    wanted = select(*_change).where(is_own).order_by(rating_changes.c.number.desc()).limit(limit)
    with engine.connect() as connection:
        return [Change(*row) for row in connection.execute(wanted)][::-1]


def changes_at(engine: Engine, table_id: str) -> list[Change]:
    """Return the changes of both players after a rated game, by side; empty if it has not been rated."""
    wanted = select(*_change).where(rating_changes.c.table_id == table_id).order_by(rating_changes.c.side)
    with engine.connect() as connection:
        return [Change(*row) for row in connection.execute(wanted)]


def latest_advantage(connection: Connection, game: str, ruleset: str) -> MonthlyAdvantage | None:
    """Return the latest side advantage of a ruleset; None before its first rated game."""
    is_it = (side_advantages.c.game == game) & (side_advantages.c.ruleset == ruleset)
    wanted = select(side_advantages).where(is_it).order_by(side_advantages.c.since.desc()).limit(1)
    row = connection.execute(wanted).first()
    return MonthlyAdvantage(row.since, row.value, row.games) if row else None


def leaderboard(engine: Engine, game: str, after: str = "", limit: int = PAGE) -> list[RankedPerson]:
    """Return people by rating, the best first; with `after`, those that follow this person.

    Listed are people with an account and a public profile who have played enough games (`is_listed`).
    """
    is_listed = (ratings.c.game == game) & ratings.c.is_listed.is_(True)
    has_account = people.c.login.is_not(None) & people.c.banned_at.is_(None)
    wanted = is_listed & has_account
    of_people = ratings.join(people, people.c.id == ratings.c.person_id).join(
        public_profiles, public_profiles.c.person_id == ratings.c.person_id
    )
    with engine.connect() as connection:
        first = 1
        if after:
            rating = connection.execute(
                select(ratings.c.rating).where(is_listed, ratings.c.person_id == after)
            ).scalar()
            if rating is None:
                return []
            is_tied = ratings.c.rating == rating
            precedes = (ratings.c.rating > rating) | (is_tied & (ratings.c.person_id >= after))
            wanted &= (ratings.c.rating < rating) | (is_tied & (ratings.c.person_id < after))
            before = select(func.count()).select_from(of_people).where(is_listed & has_account & precedes)
            first += connection.execute(before).scalar_one()
        columns = (ratings.c.person_id, people.c.name, ratings.c.rating, ratings.c.deviation, ratings.c.games)
        order = (ratings.c.rating.desc(), ratings.c.person_id.desc())
        rows = connection.execute(select(*columns).select_from(of_people).where(wanted).order_by(*order).limit(limit))
        return [RankedPerson(rank, *row) for rank, row in enumerate(rows, first)]


def suspicious_pairs(engine: Engine, since: float, at_least: int = 3) -> list[Pair]:
    """Return pairs of people of whom one has resigned early to the other at least so many times since a time."""
    count = func.count()
    wanted = (
        select(rating_changes.c.person_id, rating_changes.c.opponent, count, func.max(rating_changes.c.at))
        .where(rating_changes.c.is_early.is_(True), rating_changes.c.at >= since)
        .group_by(rating_changes.c.person_id, rating_changes.c.opponent)
        .having(count >= at_least)
        .order_by(count.desc(), rating_changes.c.person_id, rating_changes.c.opponent)
    )
    with engine.connect() as connection:
        return [Pair(*row) for row in connection.execute(wanted)]


def monthly_advantages(engine: Engine) -> list[Advantage]:
    """Return the side advantages of all rulesets, the latest first."""
    advantage = side_advantages.c
    wanted = select(*(advantage[name] for name in Advantage._fields))
    with engine.connect() as connection:
        rows = connection.execute(wanted.order_by(advantage.game, advantage.ruleset, advantage.since.desc()))
        return [Advantage(*row) for row in rows]
