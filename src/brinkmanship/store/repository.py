"""What pages list: tables by status and person, chat, notes. Plain questions to the database, answered in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, func, select

from brinkmanship.store.schema import chats, notes, seats, tables

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
    """The tables a person plays or has played at, newest first."""
    mine = select(seats.c.table_id).where(seats.c.person_id == person_id)
    status = tables.c.status == "over" if finished else tables.c.status != "over"
    with engine.connect() as connection:
        return _listed(connection, tables.c.id.in_(mine) & status, limit)


def finished_tables(engine: Engine, limit: int = PAGE) -> list[ListedTable]:
    """Games that are over, newest first."""
    with engine.connect() as connection:
        return _listed(connection, tables.c.status == "over", limit)


def _listed(connection: Connection, wanted: Any, limit: int) -> list[ListedTable]:
    rows = (
        connection.execute(select(tables).where(wanted).order_by(tables.c.created_at.desc()).limit(limit))
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
