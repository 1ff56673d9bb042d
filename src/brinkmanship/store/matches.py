"""Matches of two games between the same two users: their rows and tables; blocking, called in threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Engine, and_, bindparam, delete, insert, or_, select, update

from brinkmanship.store.schema import analyses, match_games, matches, tables
from brinkmanship.store.writer import Statement

GAMES = 2

_insert_match = insert(matches)
_insert_game = insert(match_games)
_note_ready = (
    update(matches)
    .where(matches.c.id == bindparam("match"), matches.c.finished_at.is_(None))
    .values(ready=matches.c.ready.op("|")(bindparam("bit")))
)
_finish = (
    update(matches)
    .where(matches.c.id == bindparam("match"), matches.c.finished_at.is_(None))
    .values(finished_at=bindparam("at"))
)
_remove = delete(matches).where(matches.c.id == bindparam("match"))


class KeptGame(NamedTuple):
    """A game of a match."""

    number: int
    """Number of the game, 0 or 1."""
    table_id: str
    status: str
    """Status of its table."""
    finished_at: float | None


class KeptMatch(NamedTuple):
    """A match with the games that have begun, or wait for a player."""

    id: str
    simultaneous: bool
    """True if both games run at the same time."""
    ready: int
    """Bit set of the players who have asked for the second game."""
    created_at: float
    finished_at: float | None
    games: tuple[KeptGame, ...]


def new_match(match_id: str, simultaneous: bool, at: float) -> Statement:
    """Return the statement that stores a match."""
    row = {"id": match_id, "simultaneous": simultaneous, "ready": 0, "created_at": at, "finished_at": None}
    return Statement(_insert_match, row)


def new_game(match_id: str, number: int, table_id: str) -> Statement:
    """Return the statement that stores a game of a match; it fails if the match already has a game of this number."""
    return Statement(_insert_game, {"match_id": match_id, "number": number, "table_id": table_id})


def ready(match_id: str, player: int) -> Statement:
    """Return the statement that notes a player's wish to begin the second game."""
    return Statement(_note_ready, {"match": match_id, "bit": 1 << player})


def finish(match_id: str, at: float) -> Statement:
    """Return the statement that notes the end of a match."""
    return Statement(_finish, {"match": match_id, "at": at})


def remove(match_id: str) -> Statement:
    """Return the statement that removes a match that was withdrawn before it began."""
    return Statement(_remove, {"match": match_id})


def match(engine: Engine, match_id: str) -> KeptMatch | None:
    """Return a match; None if it does not exist, or was withdrawn."""
    wanted = (
        select(match_games.c.number, match_games.c.table_id, tables.c.status, tables.c.finished_at)
        .join(tables, tables.c.id == match_games.c.table_id)
        .where(match_games.c.match_id == match_id)
        .order_by(match_games.c.number)
    )
    with engine.connect() as connection:
        row = connection.execute(select(matches).where(matches.c.id == match_id)).mappings().first()
        games = tuple(KeptGame(*game) for game in connection.execute(wanted))
    return KeptMatch(**row, games=games) if row is not None and games else None


def due(engine: Engine) -> list[str]:
    """Return the unfinished matches in which something is due: the second game, or the end."""
    second, other = match_games.alias("second"), tables.alias("other")
    has_begun = tables.c.status.in_(("dealing", "running"))
    is_due = or_(
        tables.c.status == "closed",
        and_(second.c.match_id.is_(None), (tables.c.status == "over") | (matches.c.simultaneous & has_begun)),
        and_(tables.c.status == "over", other.c.status == "over"),
    )
    wanted = (
        select(matches.c.id)
        .join(match_games, (match_games.c.match_id == matches.c.id) & (match_games.c.number == 0))
        .join(tables, tables.c.id == match_games.c.table_id)
        .outerjoin(second, (second.c.match_id == matches.c.id) & (second.c.number == 1))
        .outerjoin(other, other.c.id == second.c.table_id)
        .where(matches.c.finished_at.is_(None), is_due)
    )
    with engine.connect() as connection:
        return list(connection.execute(wanted).scalars())


def without_analysis(engine: Engine, since: float, limit: int) -> Sequence[str]:
    """Return the tables of matches finished since a time whose analysis has not been requested, newest first."""
    wanted = (
        select(match_games.c.table_id)
        .join(matches, matches.c.id == match_games.c.match_id)
        .outerjoin(analyses, analyses.c.table_id == match_games.c.table_id)
        .where(matches.c.finished_at >= since, analyses.c.about.is_(None))
        .order_by(matches.c.finished_at.desc(), match_games.c.number)
        .limit(limit)
    )
    with engine.connect() as connection:
        return connection.execute(wanted).scalars().all()


def is_over(engine: Engine, match_id: str) -> bool:
    """Return True if both games of a match are over."""
    with engine.connect() as connection:
        return connection.execute(select(matches.c.finished_at).where(matches.c.id == match_id)).scalar() is not None
