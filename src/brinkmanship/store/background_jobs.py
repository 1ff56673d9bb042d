"""Work that takes long, as it is kept: who does it, how far it is, and what came of it.

A process that does it says so every few seconds, by the database's time; where nothing is heard for a while, any other
may take it over.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Engine, Table, bindparam, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.store.database import time_of
from brinkmanship.store.writer import Statement

SILENT_SECONDS = 20.0
"""When nothing has been heard for so long, whoever did it is gone."""


class Kept(NamedTuple):
    """What is kept of a work."""

    is_at_work: bool
    """Whether a process does it, or has it in its queue."""
    told: bytes | None
    """How far it is."""
    report: bytes | None
    """What came of it; None: nothing yet."""
    fault: str | None
    """Why nothing will come of it, unless somebody asks again."""


class JobStore:
    """The works of one kind, in one table of a database.

    Args:
        table: with columns `about` (the name of a work among all of its kind), `heard_at`, `told`, `report`, `fault`.
    """

    def __init__(self, engine: Engine, table: Table) -> None:
        self._engine = engine
        self._table = table
        is_about = table.c.about == bindparam("work")
        ended = update(table).where(is_about).values(heard_at=None, told=None)
        self._report = ended.values(report=bindparam("found"), fault=None)
        self._fault = ended.values(fault=bindparam("reason"))
        still = update(table).where(is_about, table.c.report.is_(None))
        self._still = still.values(heard_at=time_of(engine), told=bindparam("so_far"))

    def kept(self, about: str) -> Kept | None:
        """What there is about a work; None: nobody has asked for it. Waits for the database."""
        kind = self._table.c
        is_at_work = kind.heard_at > time_of(self._engine) - SILENT_SECONDS
        wanted = select(is_at_work, kind.told, kind.report, kind.fault).where(kind.about == about)
        with self._engine.connect() as connection:
            row = connection.execute(wanted).first()
        return None if row is None else Kept(bool(row[0]), *row[1:])

    def take(self, about: str, **of: object) -> bool:
        """Say that this process does it; whether it is its own to do: neither done nor at work elsewhere. Waits for the
        database.

        Args:
            of: what else is kept about it from the beginning, by column.
        """
        kind, now = self._table.c, time_of(self._engine)
        is_free = or_(kind.heard_at.is_(None), kind.heard_at <= now - SILENT_SECONDS)
        take_over = (
            update(self._table)
            .where(kind.about == about, kind.report.is_(None), is_free)
            .values(heard_at=now, told=None, fault=None)
        )
        try:
            with self._engine.begin() as connection:
                if connection.execute(take_over).rowcount:
                    return True
                if connection.execute(select(kind.about).where(kind.about == about)).first() is not None:
                    return False
                connection.execute(insert(self._table).values(about=about, heard_at=now, **of))
        except IntegrityError:  # another process was first
            return False
        return True

    def telling(self, about: str, told: bytes | None) -> Statement:
        """What says that this process still does it, and how far it is."""
        return Statement(self._still, {"work": about, "so_far": told})

    def reporting(self, about: str, report: bytes) -> Statement:
        """What keeps what came of it."""
        return Statement(self._report, {"work": about, "found": report})

    def giving_up(self, about: str, fault: str) -> Statement:
        """What keeps why nothing came of it."""
        return Statement(self._fault, {"work": about, "reason": fault})
