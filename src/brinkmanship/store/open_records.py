"""Stored open records: journals of games played with the physical game, as far as they have been entered."""

from __future__ import annotations

import zlib
from typing import NamedTuple

from sqlalchemy import Engine, Row, delete, func, insert, select, update

from brinkmanship.store.schema import open_records


class StoredRecord(NamedTuple):
    """An open record."""

    id: str
    person_id: str
    """The owner, who alone may see it."""
    game: str
    title: str
    """Names of the two sides; "" if the owner gave none."""
    journal: str
    steps: int
    is_over: bool
    changes: int
    """Number of changes so far, for compare-and-swap."""
    changed_at: float


class ListedRecord(NamedTuple):
    """An open record in the list of its owner."""

    id: str
    game: str
    title: str
    steps: int
    is_over: bool
    changed_at: float


def record_of(engine: Engine, record_id: str, person_id: str) -> StoredRecord | None:
    """Return a record of a user, or None if they have none with this id."""
    columns = [open_records.c[name] for name in StoredRecord._fields]
    is_it = (open_records.c.id == record_id) & (open_records.c.person_id == person_id)
    with engine.connect() as connection:
        row = connection.execute(select(*columns).where(is_it)).first()
    return None if row is None else _stored(row)


def _stored(row: Row[tuple[object, ...]]) -> StoredRecord:
    return StoredRecord(**{**row._mapping, "journal": zlib.decompress(row.journal).decode()})


def of_person(engine: Engine, person_id: str, limit: int) -> list[ListedRecord]:
    """Return the records of a user, most recently changed first."""
    columns = [open_records.c[name] for name in ListedRecord._fields]
    wanted = select(*columns).where(open_records.c.person_id == person_id)
    newest = wanted.order_by(open_records.c.changed_at.desc(), open_records.c.id).limit(limit)
    with engine.connect() as connection:
        return [ListedRecord(**row._mapping) for row in connection.execute(newest)]


def count_of(engine: Engine, person_id: str) -> int:
    """Return the number of records of a user."""
    with engine.connect() as connection:
        wanted = select(func.count()).select_from(open_records).where(open_records.c.person_id == person_id)
        return connection.execute(wanted).scalar_one()


def add(engine: Engine, new: StoredRecord) -> None:
    """Store a new record."""
    row = {**new._asdict(), "journal": zlib.compress(new.journal.encode()), "created_at": new.changed_at}
    with engine.begin() as connection:
        connection.execute(insert(open_records).values(**row))


def change(engine: Engine, old: StoredRecord, journal: str, steps: int, is_over: bool, now: float) -> bool:
    """Replace the journal of a record by compare-and-swap; return False if it was changed since it was read.

    Args:
        engine: the database.
        old: the record as it was read.
        journal: the new journal.
        steps: number of its steps.
        is_over: True if the game is over.
        now: Unix time (s).
    """
    is_it = (open_records.c.id == old.id) & (open_records.c.changes == old.changes)
    values = {"journal": zlib.compress(journal.encode()), "steps": steps, "is_over": is_over, "changed_at": now}
    with engine.begin() as connection:
        changed = update(open_records).where(is_it).values(**values, changes=old.changes + 1)
        return bool(connection.execute(changed).rowcount)


def remove(engine: Engine, record_id: str, person_id: str) -> None:
    """Delete a record of a user."""
    is_it = (open_records.c.id == record_id) & (open_records.c.person_id == person_id)
    with engine.begin() as connection:
        connection.execute(delete(open_records).where(is_it))
