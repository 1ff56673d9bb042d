"""Contact addresses for notifications: an e-mail address, confirmed by a link, webhooks, and browsers (web push).

A user has one e-mail address, one general webhook, one webhook for each table, and several browsers. A browser belongs
to the session that subscribed it: signing out ends its notifications.

Each contact has a random secret. It signs webhook requests, and the tokens of links in e-mails are derived from it, so
no one else can confirm or stop a contact. A new address gets a new secret, which invalidates old links.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Connection, Engine, delete, insert, select, update

from brinkmanship.store.notices import EMAIL, WEBHOOK
from brinkmanship.store.people import lock_person
from brinkmanship.store.schema import contacts, deliveries, people, recoveries, tables
from brinkmanship.web.accounts import mail_rate_limit
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.errors import ForbiddenError, IllegalError

PUSH = "push"
KINDS = (EMAIL, WEBHOOK, PUSH)
CONFIRM = "confirm"
STOP = "stop"
RECOVER = "recover"

ADDRESS_LENGTH = 254
URL_LENGTH = 500
MAX_DEVICES = 10
"""Maximum browsers of a user; beyond it the oldest are forgotten."""
MAX_REFUSED_DAYS = 3
"""Days on which a push service may refuse before a browser is forgotten."""
DAY_SECONDS = 24 * 3600

_EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


class Contact(NamedTuple):
    """A contact address of a user; `name` and `language` are those of the user."""

    person_id: str
    kind: str
    address: str
    secret: str
    is_confirmed: bool
    name: str
    language: str
    present_at: float
    """Time at which the user was last seen looking (s since 1970)."""
    place: str
    """Id of a browser; table of a webhook; otherwise ""."""
    label: str
    """Name of a browser, such as "Firefox, Linux"; otherwise ""."""
    keys: str
    """Keys of a browser, as in `notifications.push`; otherwise ""."""
    session: str
    """Digest of the session that a browser belongs to; otherwise ""."""

    def token(self, purpose: str) -> str:
        """Return the token in a link that confirms or stops this contact."""
        return hmac.digest(self.secret.encode(), purpose.encode(), hashlib.sha256).hex()[:40]

    def link(self, purpose: str, site: str) -> str:
        """Return the URL of the page that confirms or stops this contact."""
        return f"{site}/notices/{purpose}/{self.kind}/{self.person_id}/{self.token(purpose)}"


class ContactService:
    """Contacts in the database; every method is a short transaction to run in a thread.

    Args:
        engine: Database engine.
        needs_https: Require https for webhooks.
        ports: Ports that webhooks may use; None: any.
        mails_of_address: Maximum confirmation e-mails a day requested from one network address; 0: no limit.
    """

    def __init__(
        self,
        engine: Engine,
        needs_https: bool = True,
        ports: Collection[int] | None = None,
        mails_of_address: int = 0,
    ) -> None:
        self._engine = engine
        self._needs_https = needs_https
        self._ports = ports
        self._mails_of_address = mails_of_address

    def of(self, person_id: str) -> list[Contact]:
        """Return a user's contacts, the oldest first."""
        with self._engine.connect() as connection:
            return _found(connection, contacts.c.person_id == person_id)

    def give_email(self, person_id: str, address: str) -> None:
        """Store an e-mail address and queue its confirmation; nothing else is sent before the user confirms it.

        Raises:
            IllegalError: The text is not an e-mail address.
            TooManyError: A confirmation was sent a moment ago, or too many were sent to this address or requested from
                the client's network address.
        """
        address = normal_address(address)
        now = time.time()
        with self._engine.begin() as connection:
            # A client can create any number of guests, so the network address is counted as well.
            if self._mails_of_address and (address_prefix := rate_limit.client_address.get()):
                allowed = (
                    *mail_rate_limit.BY_ADDRESS,
                    mail_rate_limit.MailLimit(self._mails_of_address, mail_rate_limit.DAY_SECONDS),
                )
                mail_rate_limit.enter(connection, CONFIRM, mail_rate_limit.address_digest(address_prefix), allowed, now)
            mail_rate_limit.enter(connection, CONFIRM, person_id, mail_rate_limit.BY_PERSON, now)
            mail_rate_limit.enter(
                connection, CONFIRM, mail_rate_limit.address_counted(address), mail_rate_limit.TO_ADDRESS, now
            )
            self._put(connection, person_id, EMAIL, address, confirmed_at=None)
            _due_now(connection, person_id, EMAIL, now)

    def give_webhook(self, person_id: str, url: str, table_id: str = "") -> str:
        """Store the URL of a webhook, in general or for one table; return the secret that signs its requests.

        Raises:
            IllegalError: The text is not an https URL, or the port is not allowed.
        """
        url = url.strip()
        try:
            split = urlsplit(url)
            port_is_number = split.port is None or split.port > 0
        except ValueError:
            raise IllegalError("this is not a URL", key="refused.webhook") from None
        kinds = ("https",) if self._needs_https else ("https", "http")
        is_plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= URL_LENGTH
        if split.scheme not in kinds or not split.hostname or split.username or not port_is_number or not is_plain:
            raise IllegalError("a webhook is an https URL, like https://example.org/turns", key="refused.webhook")
        port = split.port or (443 if split.scheme == "https" else 80)
        if self._ports is not None and port not in self._ports:
            raise IllegalError("this server does not send webhooks to this port", key="refused.webhook_port")
        with self._engine.begin() as connection:
            lock_person(connection, person_id)  # of two requests the second sees what the first has stored
            return self._put(connection, person_id, WEBHOOK, url, confirmed_at=time.time(), place=table_id)

    def give_browser(self, person_id: str, session: str, endpoint: str, keys: str, label: str) -> None:
        """Store the push subscription of a browser, or what has changed of it.

        Args:
            person_id: The user.
            session: Digest of the browser's session; the subscription ends with it.
            endpoint: URL at its push service, which `notifications.push` has checked.
            keys: Its keys, checked too.
            label: Name of the browser.
        """
        given = (contacts.c.kind == PUSH) & (contacts.c.address == endpoint)
        changes = {"keys": keys, "label": label, "session": session}
        with self._engine.begin() as connection:
            lock_person(connection, person_id)  # of two requests the second sees what the first has stored
            connection.execute(delete(contacts).where(given & (contacts.c.person_id != person_id)))
            mine = given & (contacts.c.person_id == person_id)
            if connection.execute(update(contacts).where(mine).values(**changes)).rowcount:
                return
            place = secrets.token_urlsafe(12)
            self._put(connection, person_id, PUSH, endpoint, confirmed_at=time.time(), place=place, **changes)
            browsers = _found(connection, (contacts.c.person_id == person_id) & (contacts.c.kind == PUSH))
            for browser in browsers[:-MAX_DEVICES]:
                forget(connection, person_id, PUSH, browser.place)

    def _put(
        self,
        connection: Connection,
        person_id: str,
        kind: str,
        address: str,
        confirmed_at: float | None,
        place: str = "",
        **more: str,
    ) -> str:
        secret = secrets.token_urlsafe(32)
        forget(connection, person_id, kind, place)
        connection.execute(
            insert(contacts).values(
                person_id=person_id,
                kind=kind,
                place=place,
                address=address,
                secret=secret,
                asked_at=time.time(),
                confirmed_at=confirmed_at,
                present_at=time.time(),
                **more,
            )
        )
        return secret

    def by_link(self, purpose: str, kind: str, person_id: str, token: str) -> Contact:
        """Return the contact that a link in an e-mail belongs to.

        Raises:
            ForbiddenError: The link is invalid or has expired.
        """
        with self._engine.connect() as connection:
            found = contact_of(connection, person_id, kind)
        if found is None or not hmac.compare_digest(found.token(purpose).encode(), token.encode()):
            raise ForbiddenError(
                "this link is no longer valid; notifications to this address may already have been stopped",
                key="refused.mail_link",
            )
        return found

    def confirm(self, contact: Contact) -> None:
        """Mark a contact as confirmed, so that notifications are sent to it."""
        mine = _is(contact.person_id, contact.kind) & (contacts.c.secret == contact.secret)
        with self._engine.begin() as connection:
            connection.execute(update(contacts).where(mine).values(confirmed_at=time.time()))

    def stop(self, person_id: str, kind: str, place: str = "") -> None:
        """Delete a contact."""
        with self._engine.begin() as connection:
            forget(connection, person_id, kind, place)

    def note_refusal(self, contact: Contact, now: float) -> None:
        """Count a day on which a push service refused a browser; forget the browser after `MAX_REFUSED_DAYS`."""
        mine = _is(contact.person_id, contact.kind, contact.place)
        today = now // DAY_SECONDS * DAY_SECONDS
        is_new = contacts.c.refused_at.is_(None) | (contacts.c.refused_at < today)
        with self._engine.begin() as connection:
            changes = {"refused_days": contacts.c.refused_days + 1, "refused_at": now}
            connection.execute(update(contacts).where(mine & is_new).values(**changes))
            days = connection.execute(select(contacts.c.refused_days).where(mine)).scalar()
            if days is not None and days >= MAX_REFUSED_DAYS:
                forget(connection, contact.person_id, contact.kind, contact.place)

    def note_acceptance(self, contact: Contact) -> None:
        """Forget earlier refusals of a push service."""
        mine = _is(contact.person_id, contact.kind, contact.place) & (contacts.c.refused_days > 0)
        with self._engine.begin() as connection:
            connection.execute(update(contacts).where(mine).values(refused_days=0, refused_at=None))


def normal_address(text: str) -> str:
    """Return an e-mail address in lower case, as stored; mail programs ignore case.

    Raises:
        IllegalError: The text is not an e-mail address.
    """
    address = text.strip().lower()
    if len(address) > ADDRESS_LENGTH or not _EMAIL.fullmatch(address):
        raise IllegalError("an e-mail address looks like anna@example.org", key="notices.refused.address")
    return address


def contact_of(connection: Connection, person_id: str, kind: str, place: str = "") -> Contact | None:
    """Return a user's contact of this kind, or None."""
    return next(iter(_found(connection, _is(person_id, kind, place))), None)


def _found(connection: Connection, wanted: ColumnElement[bool]) -> list[Contact]:
    query = (
        select(contacts, people.c.name, people.c.language)
        .join(people, people.c.id == contacts.c.person_id)
        .where(wanted)
        .order_by(contacts.c.asked_at)
    )
    return [
        Contact(
            row["person_id"],
            row["kind"],
            row["address"],
            row["secret"],
            row["confirmed_at"] is not None,
            row["name"],
            row["language"],
            row["present_at"],
            row["place"],
            row["label"],
            row["keys"] or "",
            row["session"] or "",
        )
        for row in connection.execute(query).mappings()
    ]


def forget(connection: Connection, person_id: str, kind: str, place: str = "") -> None:
    """Delete a contact and the deliveries still queued for it."""
    queued = (deliveries.c.person_id == person_id) & (deliveries.c.kind == kind) & (deliveries.c.place == place)
    connection.execute(delete(deliveries).where(queued))
    connection.execute(delete(contacts).where(_is(person_id, kind, place)))
    if kind == EMAIL:
        connection.execute(delete(recoveries).where(recoveries.c.person_id == person_id))


def move_browser(connection: Connection, old_session: str, new_session: str) -> None:
    """Let a browser keep its notifications when its session is replaced; sessions are given as digests."""
    mine = contacts.c.session == old_session
    connection.execute(update(contacts).where(mine).values(session=new_session))


def remove_webhooks_of_finished(connection: Connection) -> None:
    """Delete the webhooks of tables at which no one plays any more."""
    unfinished = select(tables.c.id).where(tables.c.id == contacts.c.place, tables.c.finished_at.is_(None))
    is_of_table = (contacts.c.kind == WEBHOOK) & (contacts.c.place != "")
    connection.execute(delete(contacts).where(is_of_table & ~unfinished.exists()))


def _is(person_id: str, kind: str, place: str = "") -> ColumnElement[bool]:
    return (contacts.c.person_id == person_id) & (contacts.c.kind == kind) & (contacts.c.place == place)


def _due_now(connection: Connection, person_id: str, kind: str, now: float) -> None:
    """Queue the confirmation e-mail, which refers to no table."""
    connection.execute(
        insert(deliveries).values(person_id=person_id, kind=kind, purpose=CONFIRM, turn=0, attempts=0, due_at=now)
    )
