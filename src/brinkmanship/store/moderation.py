"""Moderation: blocks between people, reports, measures with their appeals, and the log of what moderators did.

The log is append-only: this module inserts into it and reads it, and nothing else does either.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, or_, select, union_all

from brinkmanship.store.schema import blocks, people, seats, tables

MODERATOR = "moderator"
"""Role of a moderator."""

CATEGORIES = ("abuse", "stalling", "cheating", "name", "other")
"""Categories of reports."""
OPEN, ACTED, DISMISSED = "open", "acted", "dismissed"
"""States of a report."""

WARNING, MUTE, UNRATED, RENAME, CLOSED = "warning", "mute", "unrated", "rename", "closed"
KINDS = (WARNING, MUTE, UNRATED, RENAME, CLOSED)
"""Kinds of measures: a warning, no chat, no rated games, another name required, the account closed."""

LINES = 20
"""Maximum chat lines attached to a report."""
PAGE = 50
RECENT_REPORTS = 20
"""Number of a reporter's last closed reports that count for the score of their next one."""
NEUTRAL_SCORE = 20
"""Score of a report by a person of whom half of the reports were confirmed."""
SCORE_PER_PERCENT = 0.8
MARKED_REPORTER = 30
"""Points that a report by a person under measures loses."""


# Blocks.


def has_block(connection: Connection, one: str, other: str) -> bool:
    """Return True if one of two people has blocked the other."""
    is_one = (blocks.c.person_id == one) & (blocks.c.blocked_id == other)
    is_other = (blocks.c.person_id == other) & (blocks.c.blocked_id == one)
    return connection.execute(select(blocks.c.at).where(or_(is_one, is_other)).limit(1)).first() is not None


def has_blocked(connection: Connection, person_id: str, other: str) -> bool:
    """Return True if a person has blocked another one, whatever the other one has done."""
    is_it = (blocks.c.person_id == person_id) & (blocks.c.blocked_id == other)
    return connection.execute(select(blocks.c.at).where(is_it)).first() is not None


def blocked_by(person_id: str) -> Select[tuple[str]]:
    """Return the subquery of the ids of the people whom a person has blocked."""
    return select(blocks.c.blocked_id).where(blocks.c.person_id == person_id)


def sits_apart(person_id: str) -> ColumnElement[bool]:
    """Return the condition that no one at a table has blocked this person or is blocked by them."""
    has_blocked_me = select(blocks.c.person_id).where(blocks.c.blocked_id == person_id)
    apart = union_all(blocked_by(person_id), has_blocked_me)
    at_it = select(seats.c.side).where(seats.c.table_id == tables.c.id, seats.c.person_id.in_(apart))
    return ~at_it.exists()


class Blocked(NamedTuple):
    """A blocked person in the list of the one who blocked them."""

    id: str
    name: str
    at: float


def block(connection: Connection, person_id: str, blocked_id: str, now: float) -> None:
    """Block a person; blocking them twice changes nothing."""
    if not has_blocked(connection, person_id, blocked_id):
        connection.execute(insert(blocks).values(person_id=person_id, blocked_id=blocked_id, at=now))


def unblock(connection: Connection, person_id: str, blocked_id: str) -> None:
    """End a block."""
    connection.execute(delete(blocks).where(blocks.c.person_id == person_id, blocks.c.blocked_id == blocked_id))


def all_blocked_by(connection: Connection, person_id: str) -> list[Blocked]:
    """Return the people whom a person has blocked, the latest first."""
    wanted = (
        select(people.c.id, people.c.name, blocks.c.at)
        .join(blocks, blocks.c.blocked_id == people.c.id)
        .where(blocks.c.person_id == person_id)
        .order_by(blocks.c.at.desc())
    )
    return [Blocked(*row) for row in connection.execute(wanted)]


def block_count(connection: Connection, person_id: str) -> int:
    """Return the number of people whom a person has blocked."""
    return connection.execute(select(func.count()).where(blocks.c.person_id == person_id)).scalar_one()
