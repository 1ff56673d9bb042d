"""Analyses of finished games as they are kept: who works on one, how far it is, and what came of it.

A process that works on one says so every few seconds, by the database's time; where nothing is heard for a while, any
other may take it over.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Engine, bindparam, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.store.database import time_of
from brinkmanship.store.schema import analyses, seats, tables
from brinkmanship.store.writer import Statement

SILENT_SECONDS = 20.0
"""When nothing has been heard for so long, whoever worked on it is gone."""


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


class Kept(NamedTuple):
    """What is kept of an analysis."""

    is_at_work: bool
    """Whether a process works on it, or has it in its queue."""
    told: bytes | None
    """How far it is."""
    report: bytes | None
    """What came of it; None: nothing yet."""
    fault: str | None
    """Why nothing will come of it, unless somebody asks again."""


def kept(engine: Engine, subject: Subject) -> Kept | None:
    """What there is about a game; None: nobody has asked for it."""
    is_at_work = analyses.c.heard_at > time_of(engine) - SILENT_SECONDS
    wanted = select(is_at_work, analyses.c.told, analyses.c.report, analyses.c.fault)
    with engine.connect() as connection:
        row = connection.execute(wanted.where(analyses.c.about == subject.about)).first()
    return None if row is None else Kept(bool(row[0]), *row[1:])


def take(engine: Engine, subject: Subject) -> bool:
    """Say that this process works on it; whether it is its own to do: neither done nor at work elsewhere."""
    now = time_of(engine)
    is_free = or_(analyses.c.heard_at.is_(None), analyses.c.heard_at <= now - SILENT_SECONDS)
    take_over = (
        update(analyses)
        .where(analyses.c.about == subject.about, analyses.c.report.is_(None), is_free)
        .values(heard_at=now, told=None, fault=None)
    )
    row = {"about": subject.about, "table_id": subject.table_id, "upload_id": subject.upload_id}
    try:
        with engine.begin() as connection:
            if connection.execute(take_over).rowcount:
                return True
            is_there = select(analyses.c.about).where(analyses.c.about == subject.about)
            if connection.execute(is_there).first() is not None:
                return False
            connection.execute(insert(analyses).values(heard_at=now, **row))
    except IntegrityError:  # another process was first
        return False
    return True


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


_is_about = analyses.c.about == bindparam("game")
_ended = update(analyses).where(_is_about).values(heard_at=None, told=None)
_report = _ended.values(report=bindparam("found"), fault=None)
_fault = _ended.values(fault=bindparam("reason"))


class Telling:
    """Says that this process still works on games of a database, and how far it is."""

    def __init__(self, engine: Engine) -> None:
        still = update(analyses).where(_is_about, analyses.c.report.is_(None))
        self._still = still.values(heard_at=time_of(engine), told=bindparam("so_far"))

    def of(self, subject: Subject, told: bytes | None) -> Statement:
        """What says it about one of them."""
        return Statement(self._still, {"game": subject.about, "so_far": told})


def reporting(subject: Subject, report: bytes) -> Statement:
    """Keeps what came of it."""
    return Statement(_report, {"game": subject.about, "found": report})


def giving_up(subject: Subject, fault: str) -> Statement:
    """Keeps why nothing came of it."""
    return Statement(_fault, {"game": subject.about, "reason": fault})
