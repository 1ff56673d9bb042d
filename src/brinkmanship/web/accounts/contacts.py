"""The addresses people gave for turn notices: an e-mail address, confirmed by a link, and the URL of a webhook.

Each contact has a random secret. It signs what is posted to a webhook, and from it follow the tokens of the links in
mails, so that nobody else can confirm or stop a contact. A new address has a new secret: old links die with it.
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
    """Where and how a person is told; `name` and `language` are those of the person."""

    person_id: str
    kind: str
    address: str
    secret: str
    is_confirmed: bool
    name: str
    language: str

    def token(self, purpose: str) -> str:
        """What a link carries to confirm or stop this contact."""
        return hmac.digest(self.secret.encode(), purpose.encode(), hashlib.sha256).hex()[:40]

    def link(self, purpose: str, site: str) -> str:
        """The address of the page of a server that confirms or stops this contact."""
        return f"{site}/notices/{purpose}/{self.kind}/{self.person_id}/{self.token(purpose)}"


class ContactService:
    """The contacts in the database; every method is a short transaction, to be called in a thread.

    Args:
        needs_https: of webhooks.
        ports: that webhooks may go to; None: to any.
        mails_of_address: confirmation mails that one asking address may cause; 0: any number.
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
        """A person's contacts by their kind."""
        with self._engine.connect() as connection:
            return {kind: found for kind in KINDS if (found := contact_of(connection, person_id, kind))}

    def give_email(self, person_id: str, address: str) -> None:
        """Note an e-mail address and have its confirmation sent; nothing else is sent before it is confirmed.

        Raises:
            IllegalError: it is no e-mail address.
            TooManyError: a confirmation was sent a moment ago, or too many were sent to this address, or asked for from
                where the request comes from.
        """
        address = normal_address(address)
        now = time.time()
        with self._engine.begin() as connection:
            # Strangers become as many guests as they like: they are counted by where they come from as well.
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
        """Note the URL of a webhook; returns the secret that signs what is posted there, to be shown once.

        Raises:
            IllegalError: it is no https URL.
        """
        url = url.strip()
        try:
            split = urlsplit(url)
            port_is_number = split.port is None or split.port > 0
        except ValueError:
            raise IllegalError("that is no URL", said="refused.webhook") from None
        kinds = ("https",) if self._needs_https else ("https", "http")
        is_plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= URL_LENGTH
        if split.scheme not in kinds or not split.hostname or split.username or not port_is_number or not is_plain:
            raise IllegalError("a webhook is an https URL, like https://example.org/turns", said="refused.webhook")
        port = split.port or (443 if split.scheme == "https" else 80)
        if self._ports is not None and port not in self._ports:
            raise IllegalError("this server sends webhooks to no such port", said="refused.webhook_port")
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
        """The contact a link in a mail belongs to.

        Raises:
            ForbiddenError: the link is not, or no longer, good.
        """
        with self._engine.connect() as connection:
            found = contact_of(connection, person_id, kind)
        if found is None or not hmac.compare_digest(found.token(purpose).encode(), token.encode()):
            raise ForbiddenError(
                "this link is no longer good; notices to this address may already have been stopped",
                said="refused.mail_link",
            )
        return found

    def confirm(self, contact: Contact) -> None:
        """From now on notices are sent to this contact."""
        mine = _is(contact.person_id, contact.kind) & (contacts.c.secret == contact.secret)
        with self._engine.begin() as connection:
            connection.execute(update(contacts).where(mine).values(confirmed_at=time.time()))

    def stop(self, person_id: str, kind: str) -> None:
        """Forget an address."""
        with self._engine.begin() as connection:
            forget(connection, person_id, kind)


def normal_address(text: str) -> str:
    """An e-mail address in the one way it is kept: in small letters, for mail programs do not tell them apart.

    Raises:
        IllegalError: it is no e-mail address.
    """
    address = text.strip().lower()
    if len(address) > ADDRESS_LENGTH or not _EMAIL.fullmatch(address):
        raise IllegalError("an e-mail address looks like anna@example.org", said="notices.refused.address")
    return address


def contact_of(connection: Connection, person_id: str, kind: str) -> Contact | None:
    """One contact, None if there is none."""
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
    """Remove a contact and what was still to be sent to it."""
    connection.execute(delete(deliveries).where((deliveries.c.person_id == person_id) & (deliveries.c.kind == kind)))
    connection.execute(delete(contacts).where(_is(person_id, kind)))
    if kind == EMAIL:
        connection.execute(delete(recoveries).where(recoveries.c.person_id == person_id))


def _is(person_id: str, kind: str):  # type: ignore[no-untyped-def] # SQLAlchemy's expression
    return (contacts.c.person_id == person_id) & (contacts.c.kind == kind)


def _due_now(connection: Connection, person_id: str, kind: str, now: float) -> None:
    """The confirmation, which is about no table."""
    connection.execute(
        insert(deliveries).values(person_id=person_id, kind=kind, purpose=CONFIRM, turn=0, attempts=0, due_at=now)
    )
