"""Account management: password, sessions, API tokens, and recovery by e-mail.

A recovery link contains a random single-use token, valid for an hour. The database stores only its digest, and the
response to a recovery request does not reveal whether any account has the address.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection, Engine, delete, exists, func, insert, select, update

from brinkmanship.store import daily, profiles, solo
from brinkmanship.store.notices import EMAIL
from brinkmanship.store.people import lock_person
from brinkmanship.store.schema import (
    CHANGED,
    announcements,
    blocks,
    boards,
    challenges,
    chats,
    commentators,
    comments,
    contacts,
    deliveries,
    external_accounts,
    looks,
    measures,
    notes,
    notice_preferences,
    notices,
    open_records,
    passkey_challenges,
    passkeys,
    people,
    puzzle_answers,
    recoveries,
    recovery_codes,
    reports,
    seats,
    seeks,
    sessions,
    solo_games,
    tables,
)
from brinkmanship.web.accounts import mail_rate_limit
from brinkmanship.web.accounts.contacts import RECOVER, normal_address
from brinkmanship.web.accounts.users import SESSION_SECONDS, Person, UserService, add_session
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.support.rate_limit import client_address
from brinkmanship.web.support.tokens import digest

RECOVERY_SECONDS = 3600
MAX_TOKENS = 20
"""Maximum API tokens of one user."""
MAX_ACCOUNTS = 3
"""Maximum accounts per address that receive a recovery link."""
HANDLE_LENGTH = 16
LINKS_OF_STRANGERS = (mail_rate_limit.MailLimit(3, RECOVERY_SECONDS),)
"""Maximum links to one mailbox requested by strangers, from any addresses.

Once it is reached, the mailbox holds three valid links, so its owner is not locked out.
"""


class SessionInfo(NamedTuple):
    """A signed-in browser, or an API token."""

    handle: str
    """Id in forms: the beginning of the token's digest."""
    label: str
    is_api_token: bool
    created_at: float
    used_at: float | None
    is_this: bool
    """True if it is the viewer's current session."""


class AccountService:
    """Account management; see the module. Every method is a short transaction to run in a thread."""

    def __init__(self, engine: Engine, users: UserService) -> None:
        self._engine = engine
        self._users = users

    def sessions_of(self, person_id: str, token: str) -> list[SessionInfo]:
        """Return a user's sessions and API tokens, newest first; `token` is the current session's."""
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
        """Create an API token for this user.

        Raises:
            IllegalError: The user already has `MAX_TOKENS` tokens.
        """
        count = select(func.count()).where((sessions.c.person_id == person_id) & sessions.c.is_api_token)
        with self._engine.connect() as connection:
            if connection.execute(count).scalar_one() >= MAX_TOKENS:
                raise IllegalError(
                    f"you already have {MAX_TOKENS} tokens; revoke one first", key="account.refused.tokens"
                )
        return self._users.open_session(person_id, api_label=label)

    def revoke(self, person_id: str, handle: str) -> None:
        """End a session or revoke an API token.

        Raises:
            NotFoundError: The user has no session or token with this handle.
        """
        is_it = func.substr(sessions.c.digest, 1, HANDLE_LENGTH) == handle
        with self._engine.begin() as connection:
            found = connection.execute(delete(sessions).where((sessions.c.person_id == person_id) & is_it)).rowcount
        self._users.forget_everywhere(person_id)
        if not found:
            raise NotFoundError("you have no such session or token")

    def sign_out_others(self, person_id: str, token: str) -> None:
        """End all browser sessions except this one; API tokens stay valid."""
        with self._engine.begin() as connection:
            _end_sessions(connection, person_id, but=token)
        self._users.forget_everywhere(person_id)

    def change_password(self, person_id: str, old: str, new: str, token: str) -> None:
        """Change the password and sign out all other browsers; API tokens stay valid.

        An account that has only passkeys gets its first password; then there is no old one to check.

        Raises:
            ForbiddenError: The old password is wrong.
            IllegalError: The new password is too short or too long.
        """
        stored = self.checked(person_id, old) if self.has_password(person_id) else None
        hashed = self._users.hashed(new)
        mine = (people.c.id == person_id) & people.c.password_hash.is_not_distinct_from(stored)
        mine &= people.c.login.is_not(None)
        with self._engine.begin() as connection:
            if not connection.execute(update(people).where(mine).values(password_hash=hashed)).rowcount:
                raise ForbiddenError("the password has just been changed", key="account.refused.old")
            _end_sessions(connection, person_id, but=token)
            connection.execute(delete(recoveries).where(recoveries.c.person_id == person_id))
        self._users.forget_everywhere(person_id)

    def checked(self, person_id: str, password: str) -> str:
        """Check a user's password and return its stored hash.

        Raises:
            ForbiddenError: The password is wrong, or the user has none.
        """
        with self._engine.connect() as connection:
            stored: str | None = connection.execute(
                select(people.c.password_hash).where(people.c.id == person_id)
            ).scalar()
        if stored is None or not self._users.is_password(stored, password):
            raise ForbiddenError("the password is wrong", key="account.refused.old")
        return stored

    def has_password(self, person_id: str) -> bool:
        """Return True if the account has a password."""
        with self._engine.connect() as connection:
            wanted = select(people.c.password_hash).where(people.c.id == person_id)
            return connection.execute(wanted).scalar() is not None

    def games_of_guest(self, person: Person | None) -> int:
        """Return the number of tables at which a guest sits; 0 for anyone else."""
        if person is None or not person.is_guest:
            return 0
        wanted = select(func.count(seats.c.table_id.distinct())).where(seats.c.person_id == person.id)
        with self._engine.connect() as connection:
            return connection.execute(wanted).scalar_one()

    def bring(self, guest_id: str, person_id: str) -> list[str]:
        """Move the games of a guest to an account, with chat lines, notes and everything else; return their tables.

        Tables at which the account already sits stay with the guest. It is one transaction, and doing it twice changes
        nothing.
        """
        taken = select(seats.c.table_id).where(seats.c.person_id == person_id)
        brought = (seats.c.person_id == guest_id) & seats.c.table_id.not_in(taken)
        with self._engine.begin() as connection:
            if not lock_person(connection, guest_id, people.c.login.is_(None)):
                return []
            moved = list(connection.execute(select(seats.c.table_id).where(brought).distinct()).scalars())
            connection.execute(update(seats).where(brought).values(person_id=person_id))
            for table in (chats, comments, looks, notes):
                mine = (table.c.person_id == guest_id) & table.c.table_id.in_(moved)
                if table not in (chats, comments):
                    mine &= table.c.table_id.not_in(select(table.c.table_id).where(table.c.person_id == person_id))
                connection.execute(update(table).where(mine).values(person_id=person_id))
            for table in (boards, measures, open_records, reports):
                connection.execute(update(table).where(table.c.person_id == guest_id).values(person_id=person_id))
            profiles.bring(connection, guest_id, person_id, moved)
            daily.bring(connection, guest_id, person_id)
            solo.bring(connection, guest_id, person_id)
            _bring_blocks(connection, guest_id, person_id)
            _bring_puzzles(connection, guest_id, person_id)
            connection.execute(update(tables).where(tables.c.id.in_(moved)).values(**CHANGED))
        self._users.forget_everywhere(person_id)
        return moved

    def leave(self, person_id: str) -> list[str]:
        """Delete an account or a guest; return the ids of the tables where the user had a seat.

        The name is removed from the games, chat lines and notes are deleted, and the account can no longer sign in. The
        row that the games refer to stays, without any data that identifies the user. It is one transaction; ending the
        user's tables follows from it (`Seating.end_deserted`).
        """
        with self._engine.begin() as connection:
            name = connection.execute(select(people.c.name).where(people.c.id == person_id)).scalar_one()
            sat = connection.execute(select(seats.c.table_id, seats.c.side).where(seats.c.person_id == person_id)).all()
            for table_id, side in sat:  # older chat lines have no user id
                is_his = (chats.c.table_id == table_id) & (chats.c.side == side) & (chats.c.name == name)
                connection.execute(delete(chats).where(is_his & chats.c.person_id.is_(None)))
            for table in (
                announcements,
                blocks,
                boards,
                chats,
                commentators,
                comments,
                contacts,
                deliveries,
                external_accounts,
                looks,
                measures,
                notes,
                notice_preferences,
                notices,
                open_records,
                passkey_challenges,
                passkeys,
                puzzle_answers,
                recoveries,
                recovery_codes,
                reports,
                seeks,
                sessions,
                solo_games,
            ):
                connection.execute(delete(table).where(table.c.person_id == person_id))
            takes_part = (challenges.c.from_id == person_id) | (challenges.c.to_id == person_id)
            connection.execute(delete(challenges).where(takes_part))
            connection.execute(delete(blocks).where(blocks.c.blocked_id == person_id))
            connection.execute(delete(reports).where(reports.c.reporter_id == person_id))
            connection.execute(update(seats).where(seats.c.person_id == person_id).values(name=""))
            profiles.forget(connection, person_id, {row.table_id for row in sat})
            connection.execute(update(tables).where(tables.c.id.in_({row.table_id for row in sat})).values(**CHANGED))
            gone = {"name": "", "login": None, "password_hash": None, "role": None, "left_at": time.time()}
            connection.execute(update(people).where(people.c.id == person_id).values(**gone))
        self._users.forget_everywhere(person_id)
        return list({row.table_id for row in sat})

    # Account recovery.

    def ask_recovery(self, address: str, cookies: Mapping[str, str] | None = None) -> None:
        """Queue an e-mail with a recovery link for each account that has confirmed this address.

        The response is the same whether or not there is such an account: the e-mail is counted, and the notifier sends
        it later.

        Args:
            address: E-mail address.
            cookies: Cookies of the requesting browser; one that was signed in to such an account is counted separately.

        Raises:
            IllegalError: The text is not an e-mail address.
            TooManyError: Too many such e-mails have been requested for this address.
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
            asker = f"device {device}" if device else client_address.get()
            mail_rate_limit.enter(connection, RECOVER, digest(f"{address}\n{asker}"), mail_rate_limit.TO_ADDRESS, now)
            if not device:
                mail_rate_limit.enter(connection, RECOVER, mailbox, LINKS_OF_STRANGERS, now)
            for person_id in connection.execute(accounts).scalars().all():
                row = {"person_id": person_id, "kind": EMAIL, "purpose": RECOVER, "turn": 0, "attempts": 0}
                connection.execute(insert(deliveries).values(due_at=now, **row))

    def by_recovery(self, token: str) -> str:
        """Return the login of the account that a recovery link belongs to, without using up the link.

        Raises:
            ForbiddenError: The link is invalid or has expired.
        """
        wanted = select(people.c.login).join(recoveries, recoveries.c.person_id == people.c.id).where(_is_good(token))
        with self._engine.connect() as connection:
            login: str | None = connection.execute(wanted).scalar()
        if login is None:
            raise _worn_out()
        return login

    def recover(self, token: str, password: str, browser: str = "") -> tuple[str, str]:
        """Set a new password with a recovery link; return the user's id and the token of a new session.

        The link is used up, and all older sessions and tokens end.

        Raises:
            ForbiddenError: The link is invalid or has expired.
            IllegalError: The password is too short or too long; the link stays valid.
        """
        self.by_recovery(token)
        hashed = self._users.hashed(password)
        with self._engine.begin() as connection:
            person_id = connection.execute(select(recoveries.c.person_id).where(_is_good(token))).scalar()
            if person_id is None:
                raise _worn_out()
            # First, because it locks the row: a sign-in with the old password has ended before, or sees the new one.
            connection.execute(update(people).where(people.c.id == person_id).values(password_hash=hashed))
            if not connection.execute(delete(recoveries).where(_is_good(token))).rowcount:
                raise _worn_out()  # another request used the link first
            connection.execute(delete(recoveries).where(recoveries.c.person_id == person_id))
            connection.execute(delete(sessions).where(sessions.c.person_id == person_id))
            session = add_session(connection, person_id, browser=browser)
        self._users.forget_everywhere(person_id)
        return person_id, session


def recovery_token(connection: Connection, person_id: str) -> str:
    """Create a recovery link and return its token; the token appears only in the e-mail it is made for."""
    token = secrets.token_urlsafe(32)
    now = time.time()
    connection.execute(delete(recoveries).where(recoveries.c.expires_at < now))
    connection.execute(
        insert(recoveries).values(digest=digest(token), person_id=person_id, expires_at=now + RECOVERY_SECONDS)
    )
    return token


def _bring_blocks(connection: Connection, guest_id: str, person_id: str) -> None:
    for own, other in ((blocks.c.person_id, blocks.c.blocked_id), (blocks.c.blocked_id, blocks.c.person_id)):
        known = select(other).where(own == person_id).scalar_subquery()
        brought = (own == guest_id) & other.not_in(known) & (other != person_id)
        connection.execute(update(blocks).where(brought).values({own: person_id}))


def _bring_puzzles(connection: Connection, guest_id: str, person_id: str) -> None:
    known = puzzle_answers.alias("known")
    is_known = exists().where(
        known.c.person_id == person_id, known.c.game == puzzle_answers.c.game, known.c.puzzle == puzzle_answers.c.puzzle
    )
    brought = (puzzle_answers.c.person_id == guest_id) & ~is_known
    connection.execute(update(puzzle_answers).where(brought).values(person_id=person_id))


def _is_good(token: str):  # type: ignore[no-untyped-def] # SQLAlchemy's expression
    return (recoveries.c.digest == digest(token)) & (recoveries.c.expires_at > time.time())


def _worn_out() -> ForbiddenError:
    return ForbiddenError("this link is no longer valid; request a new one", key="account.refused.link")


def _end_sessions(connection: Connection, person_id: str, but: str) -> None:
    others = (sessions.c.person_id == person_id) & sessions.c.is_api_token.is_(False)
    connection.execute(delete(sessions).where(others & (sessions.c.digest != digest(but))))
