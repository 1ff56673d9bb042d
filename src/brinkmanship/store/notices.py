"""Notices to users: announcements, the queue of deliveries, and when a user wants to receive them.

Any part of the server calls `tell`, in its own transaction, to announce something to a user on all of their channels.
The notifier (`web.notifications`) delivers what is queued.
"""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from sqlalchemy import Connection, delete, insert, select, update

from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.store.database import insert_into
from brinkmanship.store.schema import announcements, contacts, deliveries, notice_preferences, notices, server_keys

TURN = "turn"
NEWS = "news"
EMAIL = "email"
WEBHOOK = "webhook"
NO_TURN = -1
"""Value of `notices.turn` before the first notification."""
KEPT_SECONDS = 30 * 24 * 3600
"""Retention time (s) of announcements; for that long a subject is not announced again."""
NEWS_DELAY = 10
"""Seconds before news is delivered, so that users who are online are found to be so."""
DAY_MINUTES = 24 * 60


# Announcements.


def tell(
    connection: Connection,
    person_id: str,
    purpose: str,
    message: Message,
    address: str,
    subject: str = "",
) -> bool:
    """Announce something to a user on all channels they have; return False if it has been announced before.

    Of the same purpose and subject a user is told once, whichever server process comes first. A user who is looking at
    a page of a table meanwhile is not told.

    Args:
        connection: Connection with an open transaction.
        person_id: The user.
        purpose: Kind of announcement, such as "challenge"; at most 20 characters.
        message: Sentence from the catalogues of the pages. Its arguments are texts, numbers, messages or names.
        address: Path of the page that it is about, such as "/t/ID"; at most 300 characters.
        subject: Subject that makes it unique, at most 80 characters; "": the address.
    """
    now = time.time()
    row = {
        "id": secrets.token_hex(8),
        "person_id": person_id,
        "purpose": purpose,
        "subject": subject or address,
        "message": _as_json(message),
        "address": address,
        "at": now,
    }
    adding = insert_into(connection, announcements).values(row).on_conflict_do_nothing()
    if connection.execute(adding.returning(announcements.c.id)).first() is None:
        return False
    queue(connection, person_id, NEWS, now, announcement_id=row["id"], due_at=now + NEWS_DELAY)
    return True


class Announcement(NamedTuple):
    """An announcement to a user."""

    id: str
    purpose: str
    message: Message
    path: str
    """Path of the page that it is about."""
    at: float


def announcement(connection: Connection, id: str) -> Announcement | None:
    """Return an announcement, or None if it no longer exists."""
    wanted = select(
        announcements.c.id,
        announcements.c.purpose,
        announcements.c.message,
        announcements.c.address,
        announcements.c.at,
    ).where(announcements.c.id == id)
    row = connection.execute(wanted).first()
    return None if row is None else Announcement(row[0], row[1], _from_json(row[2]), row[3], row[4])


def remove_old_announcements(connection: Connection, now: float) -> None:
    """Remove announcements after their retention time."""
    connection.execute(delete(announcements).where(announcements.c.at < now - KEPT_SECONDS))


def _as_json(value: Argument) -> Any:
    if isinstance(value, Message):
        return {"key": value.key, "args": {name: _as_json(each) for name, each in value.args.items()}}
    if isinstance(value, Ref):
        return {"kind": value.kind, "id": value.id}
    if isinstance(value, tuple):
        return [_as_json(each) for each in value]
    return value


def _from_json(value: Any) -> Any:
    if isinstance(value, dict):
        if "key" in value:
            return Message(value["key"], {name: _from_json(each) for name, each in value["args"].items()})
        return Ref(value["kind"], value["id"])
    return tuple(_from_json(each) for each in value) if isinstance(value, list) else value


# The queue.


def queue(
    connection: Connection,
    person_id: str,
    purpose: str,
    now: float,
    *,
    table_id: str | None = None,
    turn: int = 0,
    announcement_id: str | None = None,
    due_at: float | None = None,
) -> None:
    """Queue a delivery for each confirmed contact of a user; a webhook of a table replaces the general one there."""
    reachable = select(contacts.c.kind, contacts.c.place).where(
        contacts.c.person_id == person_id, contacts.c.confirmed_at.is_not(None)
    )
    found = connection.execute(reachable).all()
    webhook_at = table_id if (WEBHOOK, table_id) in {(row.kind, row.place) for row in found} else ""
    rows = [
        {
            "person_id": person_id,
            "kind": row.kind,
            "place": row.place,
            "purpose": purpose,
            "table_id": table_id,
            "turn": turn,
            "announcement_id": announcement_id,
            "attempts": 0,
            "due_at": now if due_at is None else due_at,
            "made_at": now,
        }
        for row in found
        if row.kind != WEBHOOK or row.place == webhook_at
    ]
    if rows:
        connection.execute(insert(deliveries), rows)


# Preferences.


class Preferences(NamedTuple):
    """Times at which a user wants to receive notices; times are minutes of the day in their time zone."""

    quiet_from: int | None = None
    """Begin of the quiet hours; None, or the same as their end: there are none."""
    quiet_to: int | None = None
    digest_at: int | None = None
    """Time of the one e-mail a day; None: e-mails are sent at once."""
    time_zone: str = "UTC"
    """IANA name."""

    @property
    def is_new(self) -> bool:
        """True if the user has chosen nothing yet."""
        return self == Preferences()

    def release(self, kind: str, made_at: float, now: float) -> float:
        """Return when a notice may be sent to a contact of this kind: now, or the end of a wait.

        Args:
            kind: Kind of the contact.
            made_at: When the notice was queued (s since 1970).
            now: Present time (s since 1970).
        """
        zone = _zone(self.time_zone)
        if kind == EMAIL and self.digest_at is not None:
            return max(now, _next(self.digest_at, made_at, zone))
        if self.quiet_from is None or self.quiet_to is None:
            return now
        local = datetime.fromtimestamp(now, zone)
        since_begin = (local.hour * 60 + local.minute - self.quiet_from) % DAY_MINUTES
        is_quiet = since_begin < (self.quiet_to - self.quiet_from) % DAY_MINUTES
        return _next(self.quiet_to, now, zone) if is_quiet else now


def _next(minute: int, after: float, zone: tzinfo) -> float:
    """Return the first time after a moment at which clocks in a zone show a minute of the day."""
    local = datetime.fromtimestamp(after, zone)
    at = local.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0)
    while at.timestamp() <= after:
        at += timedelta(days=1)
    return at.timestamp()


@cache
def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


@cache
def time_zones() -> frozenset[str]:
    """Return the names of all time zones."""
    return frozenset(available_timezones())


def preferences_of(connection: Connection, person_id: str) -> Preferences:
    """Return a user's preferences."""
    columns = (
        notice_preferences.c.quiet_from,
        notice_preferences.c.quiet_to,
        notice_preferences.c.digest_at,
        notice_preferences.c.time_zone,
    )
    row = connection.execute(select(*columns).where(notice_preferences.c.person_id == person_id)).first()
    return Preferences() if row is None else Preferences(*row)


def keep_preferences(connection: Connection, person_id: str, preferences: Preferences) -> None:
    """Store a user's preferences; notices that wait for the old ones are looked at again."""
    row = preferences._asdict()
    adding = insert_into(connection, notice_preferences).values(person_id=person_id, **row)
    connection.execute(adding.on_conflict_do_update(index_elements=["person_id"], set_=row))
    # Without an attempt: the others are being sent (the notifier counts an attempt when it begins) or have failed.
    is_waiting = (deliveries.c.attempts == 0) & deliveries.c.purpose.in_((TURN, NEWS))
    mine = (deliveries.c.person_id == person_id) & is_waiting
    connection.execute(update(deliveries).where(mine).values(due_at=deliveries.c.made_at))


# Tables that a user wants to hear nothing of.


def mute(connection: Connection, table_id: str, person_id: str, is_muted: bool) -> None:
    """Turn the notices of one table off or on for a user."""
    key = {"table_id": table_id, "person_id": person_id}
    adding = insert_into(connection, notices).values(**key, turn=NO_TURN, is_muted=is_muted)
    connection.execute(adding.on_conflict_do_update(index_elements=list(key), set_={"is_muted": is_muted}))


def is_muted(connection: Connection, table_id: str, person_id: str) -> bool:
    """Return True if a user has turned the notices of a table off."""
    mine = (notices.c.table_id == table_id) & (notices.c.person_id == person_id)
    return bool(connection.execute(select(notices.c.is_muted).where(mine)).scalar())


# Keys of the server.


def server_key(connection: Connection, name: str, new: bytes) -> bytes:
    """Return a key that all server processes share; the first one to ask stores its own."""
    adding = insert_into(connection, server_keys).values(name=name, secret=new)
    connection.execute(adding.on_conflict_do_nothing())
    return bytes(connection.execute(select(server_keys.c.secret).where(server_keys.c.name == name)).scalar_one())
