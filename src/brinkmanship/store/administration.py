"""Operators' queries and commands on the database alone: users, tables, stuck games, removal, backup."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Engine, delete, exists, func, or_, select

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.message import Message
from brinkmanship.store.database import create_private
from brinkmanship.store.schema import people, records, seats, series_games, sessions, tables

RUNNING = ("waiting", "dealing", "running")
AT_ONCE = 500
"""Maximum tables removed in one transaction."""


class AdministrationError(LocalizedError):
    """An operator's command cannot be carried out."""


class UserRow(NamedTuple):
    """A user; times as Unix time (s)."""

    id: str
    name: str
    login: str | None
    created_at: float
    seen_at: float | None
    """Approximate time when a session was last used."""
    playing: int
    played: int
    banned_at: float | None


class TableRow(NamedTuple):
    """A table; times as Unix time (s)."""

    id: str
    game: str
    status: str
    seats: str
    created_at: float
    moved_at: float | None
    home: str | None


class StuckRow(NamedTuple):
    """A table at which an event is overdue."""

    id: str
    game: str
    why: str
    """One of "computer", "clock" and "dealing"."""
    since: float


def users(engine: Engine, search: str, limit: int) -> list[UserRow]:
    """Return users by a part of their name, login or id, last seen first; deleted accounts are left out."""
    seen = select(func.max(sessions.c.used_at)).where(sessions.c.person_id == people.c.id).scalar_subquery()

    def games(is_over: bool):  # type: ignore[no-untyped-def] # SQLAlchemy's expression
        status = tables.c.status == "over" if is_over else tables.c.status.in_(RUNNING)
        his = seats.join(tables, tables.c.id == seats.c.table_id)
        count = func.count(tables.c.id.distinct())
        return select(count).select_from(his).where(seats.c.person_id == people.c.id, status).scalar_subquery()

    columns = (people.c.id, people.c.name, people.c.login, people.c.created_at, seen.label("seen"))
    wanted = select(*columns, games(False), games(True), people.c.banned_at).where(people.c.left_at.is_(None))
    if search:
        part = f"%{_plain(search)}%"
        wanted = wanted.where(
            or_(*(column.ilike(part, escape="/") for column in (people.c.name, people.c.login)), people.c.id == search)
        )
    with engine.connect() as connection:
        rows = connection.execute(wanted.order_by(func.coalesce(seen, 0).desc(), people.c.id).limit(limit))
        return [UserRow(*row) for row in rows]


def _plain(text: str) -> str:
    return text.replace("/", "//").replace("%", "/%").replace("_", "/_")


def person(engine: Engine, name: str) -> str:
    """Return the id of a user given their id or the login of their account.

    Raises:
        AdministrationError: there is no such user.
    """
    is_it = (people.c.id == name) | (people.c.login == name.casefold())
    with engine.connect() as connection:
        found = connection.execute(select(people.c.id).where(is_it & people.c.left_at.is_(None))).scalar()
    if found is None:
        raise AdministrationError(Message("fault.admin.nobody", {"name": name}))
    return str(found)


def all_tables(engine: Engine, status: str, limit: int) -> list[TableRow]:
    """Return the tables with a status ("": any), newest first."""
    moved = select(func.max(records.c.at)).where(records.c.table_id == tables.c.id).scalar_subquery()
    columns = (tables.c.id, tables.c.game, tables.c.status, tables.c.created_at, moved, tables.c.home)
    wanted = select(*columns).order_by(tables.c.created_at.desc(), tables.c.id.desc()).limit(limit)
    if status:
        wanted = wanted.where(tables.c.status == status)
    with engine.connect() as connection:
        rows = connection.execute(wanted).all()
        seated: dict[str, list[str]] = {row.id: [] for row in rows}
        for seat in connection.execute(
            select(seats.c.table_id, seats.c.name, seats.c.computer)
            .where(seats.c.table_id.in_(seated))
            .order_by(seats.c.table_id, seats.c.side)
        ):
            seated[seat.table_id].append(f"computer:{seat.computer}" if seat.computer else seat.name or "-")
    return [TableRow(*row[:3], ", ".join(seated[row.id]), *row[3:]) for row in rows]


def stuck(engine: Engine, before: float) -> list[StuckRow]:
    """Return the tables at which an event has been overdue since before a time, longest first."""
    overdue = {
        "computer": (tables.c.computer_asked_at, "running"),
        "clock": (tables.c.clock_ends_at, "running"),
        "dealing": (tables.c.created_at, "dealing"),
    }
    found = []
    with engine.connect() as connection:
        for why, (since, status) in overdue.items():
            wanted = select(tables.c.id, tables.c.game, since).where(tables.c.status == status, since < before)
            found += [StuckRow(row[0], row[1], why, row[2]) for row in connection.execute(wanted)]
    return sorted(found, key=lambda row: row.since)


def idle_guests(engine: Engine, before: float) -> list[str]:
    """Return the guests not seen since a time who sit at no unfinished table."""
    seen = exists().where(sessions.c.person_id == people.c.id, sessions.c.used_at >= before)
    sits = exists().where(
        seats.c.person_id == people.c.id, tables.c.id == seats.c.table_id, tables.c.status.in_(RUNNING)
    )
    is_guest = people.c.login.is_(None) & people.c.left_at.is_(None) & (people.c.created_at < before)
    with engine.connect() as connection:
        return list(connection.execute(select(people.c.id).where(is_guest, ~seen, ~sits)).scalars())


def old_games(engine: Engine, before: float) -> list[str]:
    """Return the games finished before a time; of a campaign none until all its games are that old."""
    other = series_games.alias("other")
    other_table = tables.alias("other_table")
    is_younger = exists().where(
        series_games.c.table_id == tables.c.id,
        other.c.series == series_games.c.series,
        other_table.c.id == other.c.table_id,
        (other_table.c.finished_at >= before) | other_table.c.finished_at.is_(None),
    )
    wanted = select(tables.c.id).where(tables.c.status == "over", tables.c.finished_at < before, ~is_younger)
    with engine.connect() as connection:
        return list(connection.execute(wanted).scalars())


def remove_games(engine: Engine, table_ids: Sequence[str]) -> None:
    """Remove tables with their records and chat."""
    for first in range(0, len(table_ids), AT_ONCE):
        with engine.begin() as connection:
            connection.execute(delete(tables).where(tables.c.id.in_(table_ids[first : first + AT_ONCE])))


def back_up(engine: Engine, file: Path) -> None:
    """Write the whole database into a new file while it is in use.

    SQLite is copied as another database, PostgreSQL is dumped by `pg_dump` in its custom format (for `pg_restore`).

    Args:
        engine: the database.
        file: the file to create.

    Raises:
        AdministrationError: the file already exists, or cannot be written; then no partial file is left.
    """
    if file.exists():
        raise AdministrationError(Message("fault.admin.there", {"file": str(file)}))
    part = file.with_name(f"{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        create_private(part)
        if engine.dialect.name == "sqlite":
            _copy_sqlite(engine, part)
        else:
            _dump_postgresql(engine, part)
        part.rename(file)
    except (OSError, sqlite3.Error) as error:
        raise AdministrationError(Message("fault.admin.unwritable", {"file": str(file), "why": str(error)})) from error
    finally:
        part.unlink(missing_ok=True)


def _copy_sqlite(engine: Engine, file: Path) -> None:
    with closing(engine.raw_connection()) as source, closing(sqlite3.connect(file)) as copy:
        source.driver_connection.backup(copy)  # type: ignore[union-attr]
        (said,) = copy.execute("PRAGMA integrity_check").fetchone()
    if said != "ok":
        raise AdministrationError(Message("fault.admin.not_whole", {"why": said}))


def _dump_postgresql(engine: Engine, file: Path) -> None:
    program = shutil.which("pg_dump")
    if program is None:
        raise AdministrationError(Message("fault.admin.no_pg_dump"))
    url = engine.url.set(drivername="postgresql")
    # Pass the password by the environment: all users of the machine can read the command line.
    shown = url.set(password=None).render_as_string()
    environment = {"PGPASSWORD": url.password} if url.password else {}
    done = subprocess.run(
        [program, "--format=custom", f"--file={file}", f"--dbname={shown}"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AdministrationError(Message("fault.admin.pg_dump", {"why": " ".join(done.stderr.split())}))
