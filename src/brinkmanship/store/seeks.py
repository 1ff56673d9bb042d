"""Stored seeks: users who wait for an opponent.

The wants of a seek are stored as "13-days:0 13-days:1" (game and own side), its clocks as "live 10 5|live 20 10".
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, bindparam, delete, distinct, exists, func, insert, select, update

from brinkmanship.store import moderation
from brinkmanship.store.people import is_active, lock_person
from brinkmanship.store.schema import people, records, seats, seeks, tables
from brinkmanship.store.writer import Statement

LIVE = "live"
DAYS = "days"
PACES = (LIVE, DAYS)

OPEN = "open"
PAIRED = "paired"
"""State: a game was found, but not both players have made a move."""
SETTLED = "settled"
"""State: the game has begun or ended."""
CLOSED = "closed"
"""State: withdrawn or expired."""

MAX_READ = 200
"""Maximum open seeks of a pace that are read at once, the longest waiting first."""
_IDS = 500
"""Maximum ids in one statement."""


class Want(NamedTuple):
    """A game, and the side that the user would play."""

    game: str
    side: int


class Seek(NamedTuple):
    """A user who waits for an opponent."""

    id: str
    person_id: str
    name: str
    """Display name of the user."""
    wants: tuple[Want, ...]
    clocks: tuple[str, ...]
    """Acceptable clocks, named as in `web.presentation.clock_forms`."""
    pace: str
    rated: bool
    created_at: float
    """Start of the wait; a seek that is opened again keeps it."""
    expires_at: float
    state: str
    table_id: str | None


_columns = (
    seeks.c.id,
    seeks.c.person_id,
    people.c.name,
    seeks.c.wants,
    seeks.c.clocks,
    seeks.c.pace,
    seeks.c.rated,
    seeks.c.created_at,
    seeks.c.expires_at,
    seeks.c.state,
    seeks.c.table_id,
)
_wanted = select(*_columns).join(people, people.c.id == seeks.c.person_id)
_is_open = seeks.c.state == OPEN
_open_of_pace = (
    _wanted.where(
        _is_open,
        is_active,
        seeks.c.pace == bindparam("pace"),
        (seeks.c.pace != LIVE) | (seeks.c.seen_at >= bindparam("seen_since")),
    )
    .order_by(seeks.c.created_at, seeks.c.id)
    .limit(bindparam("most"))
)
_closed = {"state": CLOSED, "live_of": None}
_fire = (
    update(seeks)
    .where(seeks.c.id == bindparam("seek"), _is_open)
    .values(state=PAIRED, table_id=bindparam("table"), live_of=None)
)


def place(engine: Engine, new: Seek, now: float, address_mark: str | None, most: int, found_since: float) -> str | None:
    """Store a new seek and return its id; None if the user already has `most` open seeks by days.

    A live seek replaces the user's former one. It is not stored if the same one has found a game since `found_since`
    (see `_just_found`), as after a second click: then the id of that one is returned.
    """
    row = {
        **new._asdict(),
        "wants": " ".join(f"{want.game}:{want.side}" for want in new.wants),
        "clocks": "|".join(new.clocks),
        "live_of": new.person_id if new.pace == LIVE else None,
        "seen_at": now,
        "address_mark": address_mark,
    }
    del row["name"]
    mine = (seeks.c.person_id == new.person_id) & _is_open & (seeks.c.pace == new.pace)
    with engine.begin() as connection:
        lock_person(connection, new.person_id)  # of two requests of a user the second sees the first one's seek
        if new.pace == LIVE:
            connection.execute(update(seeks).where(mine).values(**_closed))
            # Read after the update, which waits while the matcher pairs the former seek.
            found = _just_found(connection, new, found_since)
            if found is not None:
                return found
        elif connection.execute(select(func.count()).select_from(seeks).where(mine)).scalar_one() >= most:
            return None
        connection.execute(insert(seeks).values(**row))
    return new.id


def _just_found(connection: Connection, new: Seek, since: float) -> str | None:
    """Return the user's live seek with the same choices that has found a game since a time, or None.

    The game is running, and the user has not acted in it: a player who has knows of it and may want another one.
    """
    mine = (seats.c.table_id == seeks.c.table_id) & (seats.c.person_id == seeks.c.person_id)
    has_acted = exists().where(
        mine, records.c.table_id == seats.c.table_id, records.c.actor == seats.c.side, records.c.kind == "action"
    )
    wanted = (
        _wanted.join(tables, tables.c.id == seeks.c.table_id)
        .where(seeks.c.person_id == new.person_id, seeks.c.state == PAIRED, seeks.c.pace == LIVE, ~has_acted)
        .where(tables.c.status == "running", tables.c.dealt_at >= since)
        .order_by(tables.c.dealt_at.desc())
    )
    for found in map(_seek, connection.execute(wanted)):
        if (found.wants, found.clocks, found.rated) == (new.wants, new.clocks, new.rated):
            return found.id
    return None


def open_seeks(connection: Connection, pace: str, seen_since: float = 0.0, limit: int = MAX_READ) -> list[Seek]:
    """Return the open seeks of a pace, the longest waiting first; live ones only if seen since a time."""
    rows = connection.execute(_open_of_pace, {"pace": pace, "seen_since": seen_since, "most": limit})
    return [_seek(row) for row in rows]


def seek(engine: Engine, seek_id: str) -> Seek | None:
    """Return a seek, or None if it does not exist."""
    with engine.connect() as connection:
        row = connection.execute(_wanted.where(seeks.c.id == seek_id)).first()
    return None if row is None else _seek(row)


def of_person(engine: Engine, person_id: str) -> list[Seek]:
    """Return the open seeks of a user, the longest waiting first."""
    wanted = _wanted.where(seeks.c.person_id == person_id, _is_open).order_by(seeks.c.created_at, seeks.c.id)
    with engine.connect() as connection:
        return [_seek(row) for row in connection.execute(wanted)]


def at_table(engine: Engine, table_id: str, person_id: str) -> Seek | None:
    """Return the seek that led a user to a table, or None."""
    with engine.connect() as connection:
        row = connection.execute(_wanted.where(seeks.c.table_id == table_id, seeks.c.person_id == person_id)).first()
    return None if row is None else _seek(row)


def open_of_address(engine: Engine, address_mark: str) -> int:
    """Return the number of open seeks of all clients of an address."""
    here = (seeks.c.address_mark == address_mark) & _is_open
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(seeks).where(here)).scalar_one()


def withdraw(engine: Engine, seek_id: str, person_id: str) -> bool:
    """Close an open seek of a user; return False if there is none with this id."""
    mine = (seeks.c.id == seek_id) & (seeks.c.person_id == person_id) & _is_open
    with engine.begin() as connection:
        return bool(connection.execute(update(seeks).where(mine).values(**_closed)).rowcount)


def note_seen(engine: Engine, seek_ids: Iterable[str], now: float) -> None:
    """Note a sign of life of the pages of open seeks."""
    ids = list(seek_ids)
    with engine.begin() as connection:
        for first in range(0, len(ids), _IDS):
            these = seeks.c.id.in_(ids[first : first + _IDS])
            connection.execute(update(seeks).where(these, _is_open).values(seen_at=now))


def states(engine: Engine, seek_ids: Iterable[str]) -> dict[str, tuple[str, str | None]]:
    """Return the state and the table of seeks by id; those that do not exist are left out."""
    ids = list(seek_ids)
    found: dict[str, tuple[str, str | None]] = {}
    with engine.connect() as connection:
        for first in range(0, len(ids), _IDS):
            these = select(seeks.c.id, seeks.c.state, seeks.c.table_id).where(seeks.c.id.in_(ids[first : first + _IDS]))
            found |= {row.id: (row.state, row.table_id) for row in connection.execute(these)}
    return found


def close_expired(engine: Engine, now: float, live_unseen_since: float) -> None:
    """Close open seeks that have expired, and live ones whose page has not been seen since a time."""
    is_gone = (seeks.c.pace == LIVE) & (seeks.c.seen_at < live_unseen_since)
    is_over = _is_open & seeks.c.pace.in_(PACES) & ((seeks.c.expires_at < now) | is_gone)
    with engine.begin() as connection:
        connection.execute(update(seeks).where(is_over).values(**_closed))


def remove_old(engine: Engine, before: float) -> None:
    """Remove closed and settled seeks that were placed before a time."""
    is_over = seeks.c.state.in_((SETTLED, CLOSED)) & seeks.c.pace.in_(PACES) & (seeks.c.created_at < before)
    with engine.begin() as connection:
        connection.execute(delete(seeks).where(is_over))


def fire(seek_id: str, table_id: str) -> Statement:
    """Return the statement that gives an open seek its table; it fails if the seek is no longer open."""
    return Statement(_fire, {"seek": seek_id, "table": table_id}, must_change=True)


def claim_posts(engine: Engine, now: float, placed_before: float, posted_before: float) -> list[Seek]:
    """Mark the open seeks that have not been posted, and return them; none if some were posted after a time.

    Of several processes one gets them.
    """
    is_due = _is_open & seeks.c.pace.in_(PACES) & (seeks.c.created_at <= placed_before) & seeks.c.announced_at.is_(None)
    with engine.begin() as connection:
        latest = connection.execute(select(func.max(seeks.c.announced_at))).scalar()
        if latest is not None and latest > posted_before:
            return []
        rows = connection.execute(_wanted.where(is_due).order_by(seeks.c.created_at, seeks.c.id).limit(MAX_READ)).all()
        return [
            _seek(row)
            for row in rows
            if connection.execute(
                update(seeks).where(seeks.c.id == row.id, seeks.c.announced_at.is_(None)).values(announced_at=now)
            ).rowcount
        ]


# Games that were found, until both players have made a move.


class FoundGame(NamedTuple):
    """A table whose players have not both made a move, as far as is known."""

    table_id: str
    is_over: bool
    movers: int
    """Number of sides that have acted."""


def unsettled(engine: Engine) -> list[FoundGame]:
    """Return the tables of paired seeks."""
    movers = (
        select(func.count(distinct(records.c.actor)))
        .where(records.c.table_id == tables.c.id, records.c.kind == "action")
        .scalar_subquery()
    )
    wanted = (
        select(seeks.c.table_id, tables.c.status, movers)
        .join(tables, tables.c.id == seeks.c.table_id)
        .where(seeks.c.state == PAIRED, seeks.c.pace.in_(PACES))
        .distinct()
    )
    with engine.connect() as connection:
        return [FoundGame(row[0], row[1] == "over", row[2]) for row in connection.execute(wanted)]


def settle(engine: Engine, table_id: str) -> None:
    """Note that a game has begun or ended, so that its seeks stay closed."""
    with engine.begin() as connection:
        _settle(connection, table_id)


def left(engine: Engine, table_id: str, leaver_id: str, now: float) -> None:
    """Note that a user left a game before their first move, and open the other's seek by days again.

    It keeps the time since when it waits. A live seek stays closed, because its user may no longer be waiting.
    """
    here = (seeks.c.table_id == table_id) & (seeks.c.state == PAIRED)
    again = here & (seeks.c.person_id != leaver_id) & (seeks.c.pace == DAYS) & (seeks.c.expires_at > now)
    with engine.begin() as connection:
        connection.execute(update(seeks).where(here & (seeks.c.person_id == leaver_id)).values(left_at=now))
        connection.execute(update(seeks).where(again).values(state=OPEN, table_id=None, announced_at=now))
        _settle(connection, table_id)


def _settle(connection: Connection, table_id: str) -> None:
    here = (seeks.c.table_id == table_id) & (seeks.c.state == PAIRED)
    connection.execute(update(seeks).where(here).values(state=SETTLED))


def times_left(engine: Engine, person_id: str, since: float) -> list[float]:
    """Return when a user left games before their first move since a time, the latest first."""
    wanted = select(seeks.c.left_at).where(seeks.c.person_id == person_id, seeks.c.left_at >= since)
    with engine.connect() as connection:
        return sorted(connection.execute(wanted).scalars(), reverse=True)


def may_meet(connection: Connection, first: str, second: str) -> bool:
    """Return True if two users may be paired: neither has blocked the other."""
    return first != second and not moderation.has_block(connection, first, second)


def _seek(row: Any) -> Seek:
    seek_id, person_id, name, wants, clocks, *rest = row
    return Seek(seek_id, person_id, name, _wants(wants), tuple(clocks.split("|")), *rest)


@lru_cache(maxsize=1000)
def _wants(text: str) -> tuple[Want, ...]:
    return tuple(_want(each) for each in text.split())


def _want(text: str) -> Want:
    game, _, side = text.rpartition(":")
    return Want(game, int(side))
