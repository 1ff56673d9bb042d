"""Stored challenges: one user asks another one for a game."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, bindparam, delete, func, insert, select, update

from brinkmanship.engine.message import Message
from brinkmanship.store import notices
from brinkmanship.store.people import is_active
from brinkmanship.store.schema import challenges, people
from brinkmanship.store.writer import Statement

OPEN = "open"
ACCEPTED = "accepted"
DECLINED = "declined"
WITHDRAWN = "withdrawn"

REASONS = ("busy", "clock", "game", "not_now")
"""Reasons for declining."""


class Challenge(NamedTuple):
    """A challenge; it is open only until it expires."""

    id: str
    from_id: str
    to_id: str
    game: str
    side: int | None
    """Side of the challenger; None for a random one."""
    clock: str
    """Clock, named as in `web.presentation.clock_forms`; "" for none."""
    rated: bool
    created_at: float
    expires_at: float
    state: str
    reason: str
    """Reason for declining, one of `REASONS`, or ""."""
    answered_at: float | None
    table_id: str | None
    from_name: str = ""
    to_name: str = ""
    """Display names; not stored."""


STORED = Challenge._fields[:-2]
_from, _to = people.alias("challenger"), people.alias("challenged")
_wanted = (
    select(*(challenges.c[name] for name in STORED), _from.c.name.label("from_name"), _to.c.name.label("to_name"))
    .join(_from, _from.c.id == challenges.c.from_id)
    .join(_to, _to.c.id == challenges.c.to_id)
)
_accept = (
    update(challenges)
    .where(challenges.c.id == bindparam("challenge"), challenges.c.state == OPEN)
    .where(challenges.c.expires_at > bindparam("now"))
    .values(state=ACCEPTED, table_id=bindparam("table"), answered_at=bindparam("now"))
)


def _is_open(now: float) -> ColumnElement[bool]:
    return (challenges.c.state == OPEN) & (challenges.c.expires_at > now)


def add(connection: Connection, new: Challenge, most: int) -> bool:
    """Store a challenge; return False if the challenger already has `most` open ones."""
    mine = (challenges.c.from_id == new.from_id) & _is_open(new.created_at)
    if connection.execute(select(func.count()).select_from(challenges).where(mine)).scalar_one() >= most:
        return False
    connection.execute(insert(challenges).values(**{name: getattr(new, name) for name in STORED}))
    said = Message("challenges.in", {"who": new.from_name})
    notices.tell(connection, new.to_id, "challenge", said, "/challenges", new.id)
    return True


def challenge(engine: Engine, challenge_id: str) -> Challenge | None:
    """Return a challenge, or None if it does not exist."""
    with engine.connect() as connection:
        row = connection.execute(_wanted.where(challenges.c.id == challenge_id)).first()
    return None if row is None else Challenge(**row._mapping)


def of_person(engine: Engine, person_id: str, now: float, answered_since: float) -> list[Challenge]:
    """Return the open challenges to and from a user, and those of theirs declined since a time; newest first."""
    declined = (challenges.c.state == DECLINED) & (challenges.c.answered_at >= answered_since)
    with engine.connect() as connection:
        found = [
            Challenge(**row._mapping)
            for which in (
                (challenges.c.to_id == person_id) & _is_open(now),
                (challenges.c.from_id == person_id) & _is_open(now),
                (challenges.c.from_id == person_id) & declined,
            )
            for row in connection.execute(_wanted.where(which))
        ]
    return sorted(found, key=lambda one: one.created_at, reverse=True)


def open_between(connection: Connection, from_id: str, to_id: str, now: float) -> bool:
    """Return True if a user has an open challenge to another one."""
    both = (challenges.c.from_id == from_id) & (challenges.c.to_id == to_id) & _is_open(now)
    return connection.execute(select(challenges.c.id).where(both)).first() is not None


def declined_since(engine: Engine, from_id: str, to_id: str, since: float) -> int:
    """Return how often a user has declined challenges of another one since a time."""
    declined = (
        (challenges.c.from_id == from_id) & (challenges.c.state == DECLINED) & (challenges.c.to_id == to_id)
    ) & (challenges.c.answered_at >= since)
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(challenges).where(declined)).scalar_one()


def decline(engine: Engine, challenge_id: str, reason: str, now: float) -> bool:
    """Decline an open challenge; return False if it is no longer open."""
    return _close(engine, challenge_id, {"state": DECLINED, "reason": reason, "answered_at": now}, now)


def withdraw(engine: Engine, challenge_id: str, now: float) -> bool:
    """Withdraw an open challenge; return False if it is no longer open."""
    return _close(engine, challenge_id, {"state": WITHDRAWN, "answered_at": now}, now)


def _close(engine: Engine, challenge_id: str, values: dict[str, object], now: float) -> bool:
    is_it = (challenges.c.id == challenge_id) & _is_open(now)
    with engine.begin() as connection:
        return bool(connection.execute(update(challenges).where(is_it).values(**values)).rowcount)


def accept(challenge_id: str, table_id: str, now: float) -> Statement:
    """Return the statement that gives an open challenge its table; it fails if it is no longer open."""
    return Statement(_accept, {"challenge": challenge_id, "table": table_id, "now": now}, must_change=True)


def remove_old(engine: Engine, before: float) -> None:
    """Remove challenges that expired before a time."""
    with engine.begin() as connection:
        connection.execute(delete(challenges).where(challenges.c.expires_at < before))


def person_by(connection: Connection, text: str) -> tuple[str, str] | None:
    """Return the id and name of the account with this id or login, or None."""
    wanted = select(people.c.id, people.c.name).where(is_active, people.c.login.is_not(None))
    for is_it in (people.c.id == text, people.c.login == text):
        row = connection.execute(wanted.where(is_it)).first()
        if row is not None:
            return row[0], row[1]
    return None
