"""Stored analyses of finished games: their keys, and the analyses and puzzles of a user's own games.

`background_jobs` stores them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Engine, Table, select

from brinkmanship.store.schema import analyses, seats, tables


class AnalysisSubject(NamedTuple):
    """A finished game to analyse: a table or an uploaded journal."""

    table_id: str | None = None
    records: int = 0
    """Number of records of the table; it differs if a game ended again after its last step was taken back."""
    upload_id: str | None = None

    @property
    def about(self) -> str:
        """Key of the game among all analyses."""
        return f"t.{self.table_id}.{self.records}" if self.table_id else f"u.{self.upload_id}"

    @property
    def columns(self) -> dict[str, object]:
        """Column values stored with the analysis."""
        return {"table_id": self.table_id, "upload_id": self.upload_id}


class AnalysedGame(NamedTuple):
    """A game that a user has played and that has a stored report."""

    about: str
    """Key of the stored report (`AnalysisSubject.about`)."""
    table_id: str
    game: str
    side: int
    begun_at: float


class OfPerson(NamedTuple):
    """The report on a game that a user has played."""

    table_id: str
    game: str
    side: int
    begun_at: float
    report: bytes


def played_by(engine: Engine, person_id: str, limit: int, kept: Table = analyses) -> list[AnalysedGame]:
    """Return the games with a stored report that a user has played as one side, newest first.

    Games continued from a position of another game are left out.

    Args:
        engine: the database.
        person_id: the user.
        limit: maximum number of rows to read.
        kept: the table of reports: analyses or own puzzles.
    """
    wanted = (
        select(kept.c.about, kept.c.table_id, tables.c.game, seats.c.side, tables.c.created_at)
        .join(tables, tables.c.id == kept.c.table_id)
        .join(seats, seats.c.table_id == tables.c.id)
        .where(seats.c.person_id == person_id, kept.c.report.is_not(None), tables.c.origin.is_(None))
        .where(tables.c.sealed.is_(False))  # others still play the same deal
        .order_by(tables.c.created_at.desc(), tables.c.id, kept.c.about.desc())
        .limit(limit)
    )
    with engine.connect() as connection:
        found = [AnalysedGame(*row) for row in connection.execute(wanted)]
    sides: dict[str, set[int]] = {}
    for one in found:
        sides.setdefault(one.table_id, set()).add(one.side)
    # A game that ended again after a take-back has several reports.
    newest = {one.table_id: one for one in reversed(found)}
    return [one for one in newest.values() if len(sides[one.table_id]) == 1][::-1]


def reports_of(engine: Engine, abouts: Collection[str], kept: Table = analyses) -> dict[str, bytes]:
    """Return the reports on some games by their keys; games without a report are left out."""
    wanted = select(kept.c.about, kept.c.report).where(kept.c.about.in_(abouts), kept.c.report.is_not(None))
    if not abouts:
        return {}
    with engine.connect() as connection:
        return {row[0]: row[1] for row in connection.execute(wanted)}


def of_person(engine: Engine, person_id: str, limit: int, kept: Table = analyses) -> list[OfPerson]:
    """Return the reports on the games that a user has played, listed as by `played_by`."""
    games = played_by(engine, person_id, limit, kept)
    reports = reports_of(engine, [one.about for one in games], kept)
    return [OfPerson(*one[1:], reports[one.about]) for one in games if one.about in reports]
