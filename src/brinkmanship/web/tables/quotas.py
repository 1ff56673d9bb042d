"""Quotas: maximum numbers of tables, jobs and uploads per user and per address.

An address may belong to a family or a school, so its quotas are several times those of a user. The database stores
only a mark of the address, so short that thousands of addresses share each; of the sender of an upload likewise.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from sqlalchemy import Engine, Row, Text, bindparam, func, select

from brinkmanship.store.repository import Sender
from brinkmanship.store.schema import seats, tables
from brinkmanship.store.writer import Writer
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.client_limits import Client
from brinkmanship.web.support.errors import TooManyError
from brinkmanship.web.support.settings import Settings

MARK_LENGTH = 5
"""Hexadecimal digits of a mark: one of about a million."""
UNFINISHED = ("waiting", "dealing", "running")

# Built once: building a statement takes five times as long as executing it.
_is_unfinished = tables.c.status.in_(UNFINISHED)
_is_waiting = tables.c.is_open.is_(True) & (tables.c.status == "waiting")
_tables_of_person = select(seats.c.table_id).where(seats.c.person_id == bindparam("person", type_=Text))
_counts = select(
    select(func.count())
    .select_from(tables)
    .where(tables.c.id.in_(_tables_of_person), _is_unfinished)
    .scalar_subquery()
    .label("of_person"),
    func.count().label("of_address"),
    func.count().filter(_is_waiting).label("open_of_address"),
).where(tables.c.address_mark == bindparam("mark", type_=Text), _is_unfinished)


class TableQuotas(NamedTuple):
    """Maximum numbers of tables; 0: no limit."""

    of_person: int = 0
    """Unfinished tables of one user."""
    of_address: int = 0
    """Unfinished tables of all clients of one address."""
    open_of_address: int = 0
    """Waiting open tables of all clients of one address."""


def mark_of(name: str) -> str | None:
    """Return the mark of an address or a user id for the database; None for none."""
    return hashlib.sha256(name.encode()).hexdigest()[:MARK_LENGTH] if name else None


def sender_of_upload(settings: Settings) -> Sender:
    """Return the client of the current request as the sender of an upload."""
    client = Client.current()
    marks = mark_of(client.address), mark_of(client.person_id)
    return Sender(*marks, settings.uploads_of_address, settings.uploads_of_person)


def check_tables(engine: Engine, quotas: TableQuotas, person_id: str, is_open: bool) -> None:
    """Check the quotas before the client creates another table. Blocks on the database.

    Args:
        engine: Database engine.
        quotas: Limits to enforce.
        person_id: User who creates the table.
        is_open: True if anyone may join the new table.

    Raises:
        TooManyError: The user, or the address of the request, has reached a limit.
    """
    with engine.connect() as connection:
        _check(connection.execute(_counts, _client(person_id)).one(), quotas, is_open)


async def check_tables_in_turn(
    writer: Writer, quotas: TableQuotas, person_id: str, is_open: bool, new: int = 1
) -> None:
    """Check the quotas as `check_tables` does, by the thread of the writer, before the client creates `new` tables.

    The user has a seat at one of them at most.
    """
    counts = await writer.first(_counts, _client(person_id))
    assert counts is not None, "the query always has a row"
    _check(counts, quotas, is_open, new)


def _client(person_id: str) -> dict[str, str | None]:
    return {"person": person_id, "mark": mark_of(rate_limit.client_address.get())}


def _check(counts: Row[Any], quotas: TableQuotas, is_open: bool, new: int = 1) -> None:
    for count, limit, said in (
        (counts.of_person + 1, quotas.of_person, "quota.tables.person"),
        (counts.of_address + new, quotas.of_address, "quota.tables.address"),
        (counts.open_of_address + 1 if is_open else 0, quotas.open_of_address, "quota.open.address"),
    ):
        if 0 < limit < count:
            raise TooManyError(f"no more than {limit} such tables at once; finish or withdraw one", said, 60)
