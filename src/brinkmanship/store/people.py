"""Rows of users."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, update

from brinkmanship.store.schema import people

is_active = people.c.left_at.is_(None) & people.c.banned_at.is_(None)
"""Condition that a user was neither deleted nor banned."""


def lock_person(connection: Connection, person_id: str, *conditions: ColumnElement[bool]) -> bool:
    """Lock a user's row until the end of the transaction; return False if there is no such row.

    Of two transactions that lock it, the second sees what the first has written.

    Args:
        connection: the transaction.
        person_id: the user.
        conditions: further conditions on the row, which stay true until the end of the transaction.
    """
    # An update locks in both databases, and begins a transaction in SQLite.
    wanted = update(people).where(people.c.id == person_id, *conditions)
    return bool(connection.execute(wanted.values(id=people.c.id)).rowcount)
