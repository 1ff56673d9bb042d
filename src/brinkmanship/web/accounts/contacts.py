"""Contact addresses for turn notifications: an e-mail address, confirmed by a link, and the URL of a webhook.

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

from sqlalchemy import Connection, Engine, delete, insert, select, update

from brinkmanship.store.schema import contacts, deliveries, people, recoveries
from brinkmanship.web.accounts import mail_rate_limit
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.errors import ForbiddenError, IllegalError

EMAIL = "email"
WEBHOOK = "webhook"
KINDS = (EMAIL, WEBHOOK)
CONFIRM = "confirm"
STOP = "stop"
RECOVER = "recover"

ADDRESS_LENGTH = 254
URL_LENGTH = 500

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

    def of(self, person_id: str) -> dict[str, Contact]:
        """Return a user's contacts by kind."""
        with self._engine.connect() as connection:
            return {kind: found for kind in KINDS if (found := contact_of(connection, person_id, kind))}

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
            if self._mails_of_address and (address_prefix := rate_limit.asking.get()):
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

    def give_webhook(self, person_id: str, url: str) -> str:
        """Store the URL of a webhook; return the secret that signs its requests, to be shown once.

        Raises:
            IllegalError: The text is not an https URL, or the port is not allowed.
        """
        url = url.strip()
        try:
            split = urlsplit(url)
            port_is_number = split.port is None or split.port > 0
        except ValueError:
            raise IllegalError("this is not a URL", said="refused.webhook") from None
        kinds = ("https",) if self._needs_https else ("https", "http")
        is_plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= URL_LENGTH
        if split.scheme not in kinds or not split.hostname or split.username or not port_is_number or not is_plain:
            raise IllegalError("a webhook is an https URL, like https://example.org/turns", said="refused.webhook")
        port = split.port or (443 if split.scheme == "https" else 80)
        if self._ports is not None and port not in self._ports:
            raise IllegalError("this server does not send webhooks to this port", said="refused.webhook_port")
        with self._engine.begin() as connection:
            return self._put(connection, person_id, WEBHOOK, url, confirmed_at=time.time())

    def _put(self, connection: Connection, person_id: str, kind: str, address: str, confirmed_at: float | None) -> str:
        secret = secrets.token_urlsafe(32)
        forget(connection, person_id, kind)
        connection.execute(
            insert(contacts).values(
                person_id=person_id,
                kind=kind,
                address=address,
                secret=secret,
                asked_at=time.time(),
                confirmed_at=confirmed_at,
                present_at=time.time(),
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
                said="refused.mail_link",
            )
        return found

    def confirm(self, contact: Contact) -> None:
        """Mark a contact as confirmed, so that notifications are sent to it."""
        mine = _is(contact.person_id, contact.kind) & (contacts.c.secret == contact.secret)
        with self._engine.begin() as connection:
            connection.execute(update(contacts).where(mine).values(confirmed_at=time.time()))

    def stop(self, person_id: str, kind: str) -> None:
        """Delete a contact."""
        with self._engine.begin() as connection:
            forget(connection, person_id, kind)


def normal_address(text: str) -> str:
    """Return an e-mail address in lower case, as stored; mail programs ignore case.

    Raises:
        IllegalError: The text is not an e-mail address.
    """
    address = text.strip().lower()
    if len(address) > ADDRESS_LENGTH or not _EMAIL.fullmatch(address):
        raise IllegalError("an e-mail address looks like anna@example.org", said="notices.refused.address")
    return address


def contact_of(connection: Connection, person_id: str, kind: str) -> Contact | None:
    """Return a user's contact of this kind, or None."""
    wanted = (
        select(contacts, people.c.name, people.c.language)
        .join(people, people.c.id == contacts.c.person_id)
        .where(_is(person_id, kind))
    )
    row = connection.execute(wanted).mappings().first()
    if row is None:
        return None
    return Contact(
        row["person_id"],
        row["kind"],
        row["address"],
        row["secret"],
        row["confirmed_at"] is not None,
        row["name"],
        row["language"],
    )


def forget(connection: Connection, person_id: str, kind: str) -> None:
    """Delete a contact and the deliveries still queued for it."""
    connection.execute(delete(deliveries).where((deliveries.c.person_id == person_id) & (deliveries.c.kind == kind)))
    connection.execute(delete(contacts).where(_is(person_id, kind)))
    if kind == EMAIL:
        connection.execute(delete(recoveries).where(recoveries.c.person_id == person_id))


def _is(person_id: str, kind: str):  # type: ignore[no-untyped-def] # SQLAlchemy's expression
    return (contacts.c.person_id == person_id) & (contacts.c.kind == kind)


def _due_now(connection: Connection, person_id: str, kind: str, now: float) -> None:
    """Queue the confirmation e-mail, which refers to no table."""
    connection.execute(
        insert(deliveries).values(person_id=person_id, kind=kind, purpose=CONFIRM, turn=0, attempts=0, due_at=now)
    )
