"""Quotas: maximum numbers of tables, jobs and uploads per user and per address.

An address may belong to a family or a school, so its quotas are several times those of a user. The database stores
only a mark of the address, so short that thousands of addresses share each.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from sqlalchemy import Engine, func, select

from brinkmanship.store.schema import seats, tables
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.errors import TooManyError

MARK_LENGTH = 5
"""Hexadecimal digits of a mark: one of about a million."""
UNFINISHED = ("waiting", "dealing", "running")


class TableQuotas(NamedTuple):
    """Maximum numbers of tables; 0: no limit."""

    of_person: int = 0
    """Unfinished tables of one user."""
    of_address: int = 0
    """Unfinished tables of all clients of one address."""
    open_of_address: int = 0
    """Waiting open tables of all clients of one address."""


def mark_of(address: str) -> str | None:
    """Return the mark of an address for the database; None for the server itself."""
    return hashlib.sha256(address.encode()).hexdigest()[:MARK_LENGTH] if address else None


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
    mark = mark_of(rate_limit.asking.get())
    unfinished = tables.c.status.in_(UNFINISHED)
    mine = tables.c.id.in_(select(seats.c.table_id).where(seats.c.person_id == person_id))
    here = tables.c.address_mark == mark
    is_waiting = tables.c.is_open.is_(True) & (tables.c.status == "waiting")
    checks = [(quotas.of_person, mine & unfinished, "quota.tables.person")]
    if mark is not None:
        checks.append((quotas.of_address, here & unfinished, "quota.tables.address"))
    if mark is not None and is_open:
        checks.append((quotas.open_of_address, here & is_waiting, "quota.open.address"))
    with engine.connect() as connection:
        for most, which, said in checks:
            if most and connection.execute(select(func.count()).select_from(tables).where(which)).scalar_one() >= most:
                raise TooManyError(f"no more than {most} such tables at once; finish or withdraw one", said, 60)
