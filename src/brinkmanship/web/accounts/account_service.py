"""What somebody does with his account: the password, where he is signed in, a way back in by mail.

A way back is a link with a random token that is good once and for an hour. The database holds only its digest, and
what is answered to who asks for one does not tell whether any account has the address.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from brinkmanship.store.schema import (
    CHANGED,
    boards,
    chats,
    contacts,
    deliveries,
    looks,
    notes,
    notices,
    people,
    puzzle_answers,
    recoveries,
    seats,
    sessions,
    tables,
)
from brinkmanship.web.accounts import mail_rate_limit
from brinkmanship.web.accounts.contacts import EMAIL, RECOVER, normal_address
from brinkmanship.web.accounts.users import SESSION_SECONDS, UserService
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.support.rate_limit import asking
from brinkmanship.web.support.tokens import digest

RECOVERY_SECONDS = 3600
MAX_TOKENS = 20
"""API tokens of one person."""
MAX_ACCOUNTS = 3
"""So many accounts with one address are sent a link at once."""
HANDLE_LENGTH = 16
LINKS_OF_STRANGERS = (mail_rate_limit.MailLimit(3, RECOVERY_SECONDS),)
"""Maximum links to one mailbox that strangers have sent, whatever their addresses.

Where it is reached the mailbox holds three links that are still good, so nobody who can read it is locked out.
"""


class SessionInfo(NamedTuple):
    """A browser that is signed in, or a program's token."""

    handle: str
    """Names it in forms: the beginning of its digest."""
    label: str
    is_api_token: bool
    created_at: float
    used_at: float | None
    is_this: bool
    """Whether the reader uses it just now."""


class AccountService:
    """See the module; every method is a short transaction, to be called in a thread."""

    def __init__(self, engine: Engine, users: UserService) -> None:
        self._engine = engine
        self._users = users

    def sessions_of(self, person_id: str, token: str) -> list[SessionInfo]:
        """Where a person is signed in, and his API tokens, the newest first; `token` is of the reader's session."""
        mine = sessions.c.person_id == person_id
        is_good = sessions.c.is_api_token | (sessions.c.created_at > time.time() - SESSION_SECONDS)
        wanted = select(sessions).where(mine & is_good).order_by(sessions.c.created_at.desc())
        with self._engine.connect() as connection:
            return [
                SessionInfo(
                    row["digest"][:HANDLE_LENGTH],
                    row["label"],
                    row["is_api_token"],
                    row["created_at"],
                    row["used_at"],
                    row["digest"] == digest(token),
                )
                for row in connection.execute(wanted).mappings()
            ]

    def make_token(self, person_id: str, label: str) -> str:
        """A new token for a program that plays in this person's name.

        Raises:
            IllegalError: he has too many already.
        """
        count = select(func.count()).where((sessions.c.person_id == person_id) & sessions.c.is_api_token)
        with self._engine.connect() as connection:
            if connection.execute(count).scalar_one() >= MAX_TOKENS:
                raise IllegalError(
                    f"you have {MAX_TOKENS} tokens already; revoke one first", said="account.refused.tokens"
                )
        return self._users.open_session(person_id, api_label=label)

    def revoke(self, person_id: str, handle: str) -> None:
        """End a session or token; what uses it is a stranger from now on.

        Raises:
            NotFoundError: this person has no such one.
        """
        is_it = func.substr(sessions.c.digest, 1, HANDLE_LENGTH) == handle
        with self._engine.begin() as connection:
            found = connection.execute(delete(sessions).where((sessions.c.person_id == person_id) & is_it)).rowcount
        self._users.forget_everywhere(person_id)
        if not found:
            raise NotFoundError("there is no such session or token of yours")

    def sign_out_others(self, person_id: str, token: str) -> None:
        """End all sessions in browsers but this one; programs keep their tokens."""
        with self._engine.begin() as connection:
            _end_sessions(connection, person_id, but=token)
        self._users.forget_everywhere(person_id)

    def change_password(self, person_id: str, old: str, new: str, token: str) -> None:
        """Another password, which signs out all other browsers; programs keep their tokens.

        Raises:
            ForbiddenError: the old password is not right.
            IllegalError: the new one is too short or too long.
        """
        stored = self.checked(person_id, old)
        hashed = self._users.hashed(new)
        mine = (people.c.id == person_id) & (people.c.password_hash == stored)
        with self._engine.begin() as connection:
            if not connection.execute(update(people).where(mine).values(password_hash=hashed)).rowcount:
                raise ForbiddenError("the password has just been changed", said="account.refused.old")
            _end_sessions(connection, person_id, but=token)
            connection.execute(delete(recoveries).where(recoveries.c.person_id == person_id))
        self._users.forget_everywhere(person_id)

    def checked(self, person_id: str, password: str) -> str:
        """The hash that is kept of a person's password, if this is his password.

        Raises:
            ForbiddenError: it is not, or he has none.
        """
        with self._engine.connect() as connection:
            stored: str | None = connection.execute(
                select(people.c.password_hash).where(people.c.id == person_id)
            ).scalar()
        if stored is None or not self._users.is_password(stored, password):
            raise ForbiddenError("the password is not right", said="account.refused.old")
        return stored

    def leave(self, person_id: str) -> list[str]:
        """Delete an account, or a guest; returns the tables where he has sat.

        His name goes from the games, what he said and noted goes altogether, and nobody can sign in. The row that the
        games refer to stays, without anything that says who it was. It is one transaction: whatever is to be ended at
        his tables follows from it (`Seating.end_deserted`).
        """
        with self._engine.begin() as connection:
            name = connection.execute(select(people.c.name).where(people.c.id == person_id)).scalar_one()
            sat = connection.execute(select(seats.c.table_id, seats.c.side).where(seats.c.person_id == person_id)).all()
            for table_id, side in sat:  # what was said before it was kept by whom
                is_his = (chats.c.table_id == table_id) & (chats.c.side == side) & (chats.c.name == name)
                connection.execute(delete(chats).where(is_his & chats.c.person_id.is_(None)))
            for table in (
                boards,
                chats,
                contacts,
                deliveries,
                looks,
                notes,
                notices,
                puzzle_answers,
                recoveries,
                sessions,
            ):
                connection.execute(delete(table).where(table.c.person_id == person_id))
            connection.execute(update(seats).where(seats.c.person_id == person_id).values(name=""))
            connection.execute(update(tables).where(tables.c.id.in_({row.table_id for row in sat})).values(**CHANGED))
            gone = {"name": "", "login": None, "password_hash": None, "left_at": time.time()}
            connection.execute(update(people).where(people.c.id == person_id).values(**gone))
        self._users.forget_everywhere(person_id)
        return list({row.table_id for row in sat})

    # The way back in.

    def ask_recovery(self, address: str, cookies: Mapping[str, str] | None = None) -> None:
        """Have a link sent to each account that has confirmed this address.

        Whether there is any makes no difference to who asks: the mail is counted, and sent later by the notifier.

        Args:
            cookies: of the browser that asks; one in which such an account was signed in is counted by itself.

        Raises:
            IllegalError: it is no e-mail address.
            TooManyError: enough such mails have been asked for to this address.
        """
        address = normal_address(address)
        now = time.time()
        device = self._users.device_with_address(cookies or {}, address)
        has_it = (contacts.c.kind == EMAIL) & (contacts.c.address == address) & contacts.c.confirmed_at.is_not(None)
        accounts = (
            select(contacts.c.person_id)
            .join(people, people.c.id == contacts.c.person_id)
            .where(has_it & people.c.login.is_not(None))
            .order_by(people.c.created_at)
            .limit(MAX_ACCOUNTS)
        )
        with self._engine.begin() as connection:
            mailbox = mail_rate_limit.address_counted(address)
            asker = f"device {device}" if device else asking.get()
            mail_rate_limit.enter(connection, RECOVER, digest(f"{address}\n{asker}"), mail_rate_limit.TO_ADDRESS, now)
            if not device:
                mail_rate_limit.enter(connection, RECOVER, mailbox, LINKS_OF_STRANGERS, now)
            for person_id in connection.execute(accounts).scalars().all():
                row = {"person_id": person_id, "kind": EMAIL, "purpose": RECOVER, "turn": 0, "attempts": 0}
                connection.execute(insert(deliveries).values(due_at=now, **row))

    def by_recovery(self, token: str) -> str:
        """The login of the account a link of recovery belongs to; looking uses nothing up.

        Raises:
            ForbiddenError: the link is not, or no longer, good.
        """
        wanted = select(people.c.login).join(recoveries, recoveries.c.person_id == people.c.id).where(_is_good(token))
        with self._engine.connect() as connection:
            login: str | None = connection.execute(wanted).scalar()
        if login is None:
            raise _worn_out()
        return login

    def recover(self, token: str, password: str, browser: str = "") -> tuple[str, str]:
        """Set a new password with a link, once; returns the person's id and the token of a new session.

        Every older session and token ends.

        Raises:
            ForbiddenError: the link is not, or no longer, good.
            IllegalError: the password is too short or too long; the link stays good.
        """
        self.by_recovery(token)
        hashed = self._users.hashed(password)
        with self._engine.begin() as connection:
            person_id = connection.execute(select(recoveries.c.person_id).where(_is_good(token))).scalar()
            if person_id is None or not connection.execute(delete(recoveries).where(_is_good(token))).rowcount:
                raise _worn_out()  # somebody else was first
            connection.execute(delete(recoveries).where(recoveries.c.person_id == person_id))
            connection.execute(delete(sessions).where(sessions.c.person_id == person_id))
            connection.execute(update(people).where(people.c.id == person_id).values(password_hash=hashed))
        self._users.forget_everywhere(person_id)
        return person_id, self._users.open_session(person_id, browser=browser)


def recovery_token(connection: Connection, person_id: str) -> str:
    """The token of a new link for an account, which is in no other place than the mail it is made for."""
    token = secrets.token_urlsafe(32)
    now = time.time()
    connection.execute(delete(recoveries).where(recoveries.c.expires_at < now))
    connection.execute(
        insert(recoveries).values(digest=digest(token), person_id=person_id, expires_at=now + RECOVERY_SECONDS)
    )
    return token


def _is_good(token: str):  # type: ignore[no-untyped-def] # SQLAlchemy's expression
    return (recoveries.c.digest == digest(token)) & (recoveries.c.expires_at > time.time())


def _worn_out() -> ForbiddenError:
    return ForbiddenError("this link is no longer good; ask for a new one", said="account.refused.link")


def _end_sessions(connection: Connection, person_id: str, but: str) -> None:
    others = (sessions.c.person_id == person_id) & sessions.c.is_api_token.is_(False)
    connection.execute(delete(sessions).where(others & (sessions.c.digest != digest(but))))
