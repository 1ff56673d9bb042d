"""What pages list: tables by status and person, chat, notes. Plain questions to the database, answered in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import IntegrityError

from brinkmanship.store.schema import chats, looks, notes, seats, series_games, tables, uploads

PAGE = 20


class ListedSeat(NamedTuple):
    """A seat in a list."""

    name: str
    person_id: str | None
    computer: str | None


class ListedTable(NamedTuple):
    """A table in a list."""

    id: str
    game: str
    status: str
    result: str
    asked: tuple[str, ...]
    created_at: float
    finished_at: float | None
    seats: tuple[ListedSeat, ...]
    series: str | None
    """The series the game belongs to."""


class ChatLine(NamedTuple):
    """Something said at a table; `side` is None for an onlooker."""

    name: str
    side: int | None
    text: str
    at: float


def open_tables(engine: Engine, limit: int = PAGE) -> list[ListedTable]:
    """Tables where anybody may sit down, newest first."""
    with engine.connect() as connection:
        wanted = tables.c.is_open.is_(True) & (tables.c.status == "waiting")
        return _listed(connection, wanted, limit)


def tables_of(engine: Engine, person_id: str, finished: bool, limit: int = PAGE) -> list[ListedTable]:
    """The tables a person plays or has played at, newest first; of a series only the latest one."""
    mine = select(seats.c.table_id).where(seats.c.person_id == person_id)
    status = tables.c.status == "over" if finished else tables.c.status != "over"
    with engine.connect() as connection:
        return _listed(connection, tables.c.id.in_(mine) & status & ~_has_successor(), limit)


def _has_successor() -> Any:
    this, later = series_games.alias("this"), series_games.alias("later")
    return (
        select(this.c.table_id)
        .join(later, (later.c.series == this.c.series) & (later.c.number > this.c.number))
        .where(this.c.table_id == tables.c.id)
        .exists()
    )


def tables_of_series(engine: Engine, series_id: str) -> list[str]:
    """The tables of a series in the order of its games; empty if there is no such series."""
    wanted = select(series_games.c.table_id).where(series_games.c.series == series_id)
    with engine.connect() as connection:
        return list(connection.execute(wanted.order_by(series_games.c.number)).scalars())


def finished_tables(engine: Engine, limit: int = PAGE) -> list[ListedTable]:
    """Games at open tables that are over, newest first; what friends played by invitation is listed to nobody else."""
    with engine.connect() as connection:
        return _listed(connection, tables.c.is_open.is_(True) & (tables.c.status == "over"), limit)


def _listed(connection: Connection, wanted: Any, limit: int) -> list[ListedTable]:
    rows = (
        connection.execute(
            select(tables, series_games.c.series)
            .outerjoin(series_games, series_games.c.table_id == tables.c.id)
            .where(wanted)
            .order_by(tables.c.created_at.desc())
            .limit(limit)
        )
        .mappings()
        .all()
    )
    by_table: dict[str, list[ListedSeat]] = {row["id"]: [] for row in rows}
    for seat in connection.execute(
        select(seats).where(seats.c.table_id.in_(by_table)).order_by(seats.c.table_id, seats.c.side)
    ).mappings():
        by_table[seat["table_id"]].append(ListedSeat(seat["name"], seat["person_id"], seat["computer"]))
    return [
        ListedTable(
            row["id"],
            row["game"],
            row["status"],
            row["result"],
            tuple(filter(None, row["asked"].split(","))),
            row["created_at"],
            row["finished_at"],
            tuple(by_table[row["id"]]),
            row["series"],
        )
        for row in rows
    ]


def running_count(engine: Engine) -> int:
    """How many games are running."""
    with engine.connect() as connection:
        return connection.execute(
            select(func.count()).select_from(tables).where(tables.c.status == "running")
        ).scalar_one()


def chat_of(engine: Engine, table_id: str, limit: int = 200) -> Sequence[ChatLine]:
    """What was said at a table, oldest first."""
    with engine.connect() as connection:
        rows = connection.execute(
            select(chats).where(chats.c.table_id == table_id).order_by(chats.c.id.desc()).limit(limit)
        ).mappings()
        return [ChatLine(row["name"], row["side"], row["text"], row["at"]) for row in rows][::-1]


def note_of(engine: Engine, table_id: str, person_id: str) -> str:
    """A person's private note on a table."""
    with engine.connect() as connection:
        text = connection.execute(
            select(notes.c.text).where((notes.c.table_id == table_id) & (notes.c.person_id == person_id))
        ).scalar()
    return text or ""


def write_note(engine: Engine, table_id: str, person_id: str, text: str) -> None:
    """Keep a person's private note on a table, replacing the one before."""
    with engine.begin() as connection:
        mine = (notes.c.table_id == table_id) & (notes.c.person_id == person_id)
        if connection.execute(notes.update().where(mine).values(text=text)).rowcount == 0:
            connection.execute(notes.insert().values(table_id=table_id, person_id=person_id, text=text))


def look_of(engine: Engine, table_id: str, person_id: str) -> int | None:
    """The last entry of a game that a person has seen, None if he never looked."""
    with engine.connect() as connection:
        return connection.execute(
            select(looks.c.entry).where((looks.c.table_id == table_id) & (looks.c.person_id == person_id))
        ).scalar()


def note_look(engine: Engine, table_id: str, person_id: str, entry: int) -> None:
    """Remember the last entry of a game that a person has seen."""
    mine = (looks.c.table_id == table_id) & (looks.c.person_id == person_id)
    with engine.begin() as connection:
        if connection.execute(looks.update().where(mine).values(entry=entry)).rowcount:
            return
        with suppress(IntegrityError), connection.begin_nested():  # another tab was quicker
            connection.execute(looks.insert().values(table_id=table_id, person_id=person_id, entry=entry))


def keep_upload(engine: Engine, upload_id: str, journal: str, at: float, most: int) -> None:
    """Keep a journal that was uploaded, and of all of them the newest `most`."""
    newest = select(uploads.c.id).order_by(uploads.c.at.desc(), uploads.c.id).limit(most).subquery()
    with engine.begin() as connection:
        connection.execute(uploads.insert().values(id=upload_id, journal=journal, at=at))
        connection.execute(uploads.delete().where(uploads.c.id.not_in(select(newest.c.id))))


def upload_of(engine: Engine, upload_id: str) -> str | None:
    """A journal that was uploaded, as its text; None when it is no longer kept."""
    with engine.connect() as connection:
        return connection.execute(select(uploads.c.journal).where(uploads.c.id == upload_id)).scalar()
