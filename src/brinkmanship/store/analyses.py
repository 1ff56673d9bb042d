"""Analyses of finished games: what names one, and those of a person's own games, with the puzzles in them. How they are
kept: `background_jobs`."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Engine, Table, select

from brinkmanship.store.schema import analyses, seats, tables


class Subject(NamedTuple):
    """The finished game that is analysed: a table, or a journal that was uploaded."""

    table_id: str | None = None
    records: int = 0
    """Of the table: a game whose last step was taken back has ended anew."""
    upload_id: str | None = None

    @property
    def about(self) -> str:
        """Its name among all analyses."""
        return f"t.{self.table_id}.{self.records}" if self.table_id else f"u.{self.upload_id}"

    @property
    def columns(self) -> dict[str, object]:
        """What is kept with its analysis, by column."""
        return {"table_id": self.table_id, "upload_id": self.upload_id}


class Played(NamedTuple):
    """A game that a person has played, of which something is kept."""

    about: str
    """As what is kept of it is called."""
    table_id: str
    game: str
    side: int
    begun_at: float


class OfPerson(NamedTuple):
    """What came of a game that a person has played."""

    table_id: str
    game: str
    side: int
    begun_at: float
    report: bytes


def played_by(engine: Engine, person_id: str, limit: int, kept: Table = analyses) -> list[Played]:
    """The games that a person has played as one side and of which something is kept, the newest first; none that was
    played on from another game.

    Args:
        kept: their analyses, or their puzzles.
    """
    wanted = (
        select(kept.c.about, kept.c.table_id, tables.c.game, seats.c.side, tables.c.created_at)
        .join(tables, tables.c.id == kept.c.table_id)
        .join(seats, seats.c.table_id == tables.c.id)
        .where(seats.c.person_id == person_id, kept.c.report.is_not(None), tables.c.origin.is_(None))
        .order_by(tables.c.created_at.desc(), tables.c.id, kept.c.about.desc())
        .limit(limit)
    )
    with engine.connect() as connection:
        found = [Played(*row) for row in connection.execute(wanted)]
    sides: dict[str, set[int]] = {}
    for one in found:
        sides.setdefault(one.table_id, set()).add(one.side)
    # Of a game that ended anew there are several.
    newest = {one.table_id: one for one in reversed(found)}
    return [one for one in newest.values() if len(sides[one.table_id]) == 1][::-1]


def reports_of(engine: Engine, abouts: Collection[str], kept: Table = analyses) -> dict[str, bytes]:
    """What came of some games, by what it is called; of those alone of which something did."""
    wanted = select(kept.c.about, kept.c.report).where(kept.c.about.in_(abouts), kept.c.report.is_not(None))
    if not abouts:
        return {}
    with engine.connect() as connection:
        return {row[0]: row[1] for row in connection.execute(wanted)}


def of_person(engine: Engine, person_id: str, limit: int, kept: Table = analyses) -> list[OfPerson]:
    """What came of the games that a person has played, as `played_by` lists them."""
    games = played_by(engine, person_id, limit, kept)
    reports = reports_of(engine, [one.about for one in games], kept)
    return [OfPerson(*one[1:], reports[one.about]) for one in games if one.about in reports]
