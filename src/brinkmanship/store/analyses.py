"""Analyses of finished games: what names one, and those of a person's own games. How they are kept: `long_work`."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Engine, select

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


class OfPerson(NamedTuple):
    """An analysis of a game that a person has played."""

    table_id: str
    game: str
    side: int
    begun_at: float
    report: bytes


def of_person(engine: Engine, person_id: str, limit: int) -> list[OfPerson]:
    """The analyses of the games that a person has played as one side, the newest first; of none that was played on
    from another game."""
    wanted = (
        select(analyses.c.table_id, tables.c.game, seats.c.side, tables.c.created_at, analyses.c.report)
        .join(tables, tables.c.id == analyses.c.table_id)
        .join(seats, seats.c.table_id == tables.c.id)
        .where(seats.c.person_id == person_id, analyses.c.report.is_not(None), tables.c.origin.is_(None))
        .order_by(tables.c.created_at.desc(), tables.c.id, analyses.c.about.desc())
        .limit(limit)
    )
    with engine.connect() as connection:
        found = [OfPerson(*row) for row in connection.execute(wanted)]
    sides: dict[str, set[int]] = {}
    for one in found:
        sides.setdefault(one.table_id, set()).add(one.side)
    # Of a game that ended anew there are several.
    newest = {one.table_id: one for one in reversed(found)}
    return [one for one in newest.values() if len(sides[one.table_id]) == 1][::-1]
