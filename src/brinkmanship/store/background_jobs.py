"""Stored state of long background jobs: who holds a job, its progress and its result.

The process working on a job renews its lease every few seconds, by the database's clock; when the lease expires, any
other process may take the job over.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Engine, Table, bindparam, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.store.database import time_of
from brinkmanship.store.writer import Statement

SILENT_SECONDS = 20.0
"""Lease duration (s); without renewal for this long, the job is free to be taken over."""


class Kept(NamedTuple):
    """The stored state of a job."""

    is_at_work: bool
    """True if a process is working on it or has it in its queue."""
    progress: bytes | None
    """Progress."""
    report: bytes | None
    """The result; None: not finished."""
    fault: str | None
    """Why the job failed; None: it did not, or was requested again."""


class JobStore:
    """Jobs of one type, stored in one database table.

    Args:
        engine: the database.
        table: with columns `about` (the key of a job among all of its type), `heard_at`, `progress`, `report`, `fault`.
    """

    def __init__(self, engine: Engine, table: Table) -> None:
        self._engine = engine
        self._table = table
        is_about = table.c.about == bindparam("work")
        ended = update(table).where(is_about).values(heard_at=None, progress=None)
        self._report = ended.values(report=bindparam("found"), fault=None)
        self._fault = ended.values(fault=bindparam("reason"))
        still = update(table).where(is_about, table.c.report.is_(None))
        self._still = still.values(heard_at=time_of(engine), progress=bindparam("so_far"))

    def kept(self, about: str) -> Kept | None:
        """Return the stored state of a job, or None if it was never requested; blocks on the database."""
        kind = self._table.c
        is_at_work = kind.heard_at > time_of(self._engine) - SILENT_SECONDS
        wanted = select(is_at_work, kind.progress, kind.report, kind.fault).where(kind.about == about)
        with self._engine.connect() as connection:
            row = connection.execute(wanted).first()
        return None if row is None else Kept(bool(row[0]), *row[1:])

    def take(self, about: str, **of: object) -> bool:
        """Claim a job for this process; return True if the claim succeeded; blocks on the database.

        The claim fails if the job is finished or another process holds its lease.

        Args:
            about: the key of the job.
            of: further column values stored when the job is first claimed.
        """
        kind, now = self._table.c, time_of(self._engine)
        is_free = or_(kind.heard_at.is_(None), kind.heard_at <= now - SILENT_SECONDS)
        take_over = (
            update(self._table)
            .where(kind.about == about, kind.report.is_(None), is_free)
            .values(heard_at=now, progress=None, fault=None)
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

    def renewal(self, about: str, progress: bytes | None) -> Statement:
        """Return the statement that renews the lease and stores the progress."""
        return Statement(self._still, {"work": about, "so_far": progress})

    def reporting(self, about: str, report: bytes) -> Statement:
        """Return the statement that stores the result."""
        return Statement(self._report, {"work": about, "found": report})

    def giving_up(self, about: str, fault: str) -> Statement:
        """Return the statement that stores why the job failed."""
        return Statement(self._fault, {"work": about, "reason": fault})
