"""Users and sessions: a guest needs only a name; an account (name and password) keeps its games.

A browser holds a random session token in a cookie, a program sends an API token in a header; the database stores only
their digests. Passwords are stored as argon2 hashes.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import Connection, Engine, RowMapping, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from brinkmanship.store import moderation
from brinkmanship.store.people import is_active, lock_person
from brinkmanship.store.schema import contacts, people, sessions
from brinkmanship.web.accounts.contacts import move_browser
from brinkmanship.web.support.display_names import clean_name, login_key
from brinkmanship.web.support.errors import ForbiddenError, IllegalError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.tokens import digest

log = logging.getLogger("brinkmanship.web")

PASSWORD_LENGTH = (8, 200)
SESSION_SECONDS = 365 * 24 * 3600
USED_SECONDS = 3600
"""Resolution (s) at which the last use of a session is stored."""
LABEL_LENGTH = 40
REMEMBERED_SECONDS = 300
"""Time (s) for which a validated token is cached."""
MAX_REMEMBERED = 20_000
DEVICE_COOKIE = "device-"
"""Cookie name prefix, followed by the user's id, because several users may share a browser."""
DEVICE_BYTES = 16
"""Random bytes in a browser's name."""
MAX_DEVICES = 20
"""Maximum device cookies of one request that are checked."""


class Person(NamedTuple):
    """A user: a guest or the owner of an account."""

    id: str
    name: str
    login: str | None
    language: str
    role: str | None = None
    """Role on this server (`store.moderation.MODERATOR`), None for a player."""
    has_unread: bool = False
    """True if the moderators have written something that the user has not confirmed."""

    @property
    def is_moderator(self) -> bool:
        """True if this user moderates."""
        return self.role == moderation.MODERATOR

    @property
    def is_guest(self) -> bool:
        """True if this user has no account."""
        return self.login is None

    @property
    def shown_login(self) -> str:
        """Name of the account in the user's own spelling, as long as it is also their display name."""
        login = self.login or ""
        with suppress(IllegalError):
            return self.name if login_key(self.name) == login else login
        return login


class ClosedAccountError(ForbiddenError):
    """The account is closed by a measure; whoever signs in to it has proved that it is theirs."""

    def __init__(self, person_id: str) -> None:
        super().__init__("this account is closed", key="account.refused.banned")
        self.person_id = person_id


class UserService:
    """Users and their sessions; every method is a short transaction to run in a thread.

    `changed` is called with the id of each user whom other worker processes must `forget`.
    """

    def __init__(self, engine: Engine, changed: Callable[[str], None] = lambda _: None) -> None:
        self._engine = engine
        self._changed = changed
        self._hasher = PasswordHasher()
        self._known: dict[tuple[str, bool], tuple[Person, float]] = {}
        self._forgotten = 0
        """Number of calls of `forget`."""
        self._remembering = threading.Lock()
        """Held to change the cache; reading needs no lock."""

    def add_guest(self, name: str, language: str, browser: str = "") -> tuple[Person, str]:
        """Create a guest, and return them with the token of their first session, in this browser."""
        person = Person(new_id(), clean_name(name), None, language)
        with self._engine.begin() as connection:
            connection.execute(
                insert(people).values(id=person.id, name=person.name, language=language, created_at=time.time())
            )
        return person, self.open_session(person.id, browser=browser)

    def open_session(self, person_id: str, api_label: str | None = None, browser: str = "") -> str:
        """Create a session and return its token; with a label it is an API token."""
        with self._engine.begin() as connection:
            return add_session(connection, person_id, api_label, browser)

    def by_token(self, token: str, is_api_token: bool = False) -> Person | None:
        """Return the user with this token, or None; cached for `REMEMBERED_SECONDS`."""
        key = (token, is_api_token)
        if (known := self.remembered(token, is_api_token)) is not None:
            return known
        forgotten = self._forgotten
        person = self._by_token(token, is_api_token)
        if person is None:
            return None
        with self._remembering:
            # If a user was forgotten since the query, it may have been this one: the row may be outdated.
            if self._forgotten == forgotten:
                self._known[key] = (person, time.monotonic() + REMEMBERED_SECONDS)
                while len(self._known) > MAX_REMEMBERED:
                    del self._known[next(iter(self._known))]
        return person

    def remembered(self, token: str, is_api_token: bool = False) -> Person | None:
        """Return the cached user with this token, or None, without a database query."""
        known = self._known.get((token, is_api_token))
        return known[0] if known is not None and known[1] > time.monotonic() else None

    def forget(self, person_id: str | None) -> None:
        """Drop this user from the cache; None: all users."""
        with self._remembering:
            self._forgotten += 1
            for key in [key for key, (person, _) in self._known.items() if person_id in (None, person.id)]:
                del self._known[key]

    def forget_everywhere(self, person_id: str) -> None:
        """Drop a changed user from the cache, here and in the other worker processes."""
        self.forget(person_id)
        self._changed(person_id)

    def _by_token(self, token: str, is_api_token: bool) -> Person | None:
        wanted = (
            select(
                people,
                sessions.c.created_at.label("since"),
                sessions.c.used_at,
                moderation.has_unread().label("has_unread"),
            )
            .join(sessions, sessions.c.person_id == people.c.id)
            .where(sessions.c.digest == digest(token), sessions.c.is_api_token.is_(is_api_token))
            # A sign-in without a password may end after the account was deleted.
            .where(is_active)
        )
        with self._engine.connect() as connection:
            row = connection.execute(wanted).mappings().first()
        if row is None or (not is_api_token and row["since"] < time.time() - SESSION_SECONDS):
            return None
        if (row["used_at"] or 0.0) < time.time() - USED_SECONDS:
            self._note_use(token)
        return _person(row)

    def _note_use(self, token: str) -> None:
        try:
            with self._engine.begin() as connection:
                is_it = sessions.c.digest == digest(token)
                connection.execute(update(sessions).where(is_it).values(used_at=time.time()))
        except SQLAlchemyError:  # a failed update must not keep the user out
            log.warning("the last use of a session could not be stored", exc_info=True)

    def close_session(self, token: str) -> None:
        """End the session with this token (sign out)."""
        person = self.by_token(token)
        with self._engine.begin() as connection:
            connection.execute(delete(sessions).where(sessions.c.digest == digest(token)))
        if person is not None:
            self.forget_everywhere(person.id)

    def renew_session(self, person_id: str, token: str, browser: str = "") -> str:
        """Replace a session with a new one and return its token; the old token becomes invalid."""
        new = self.open_session(person_id, browser=browser)
        with self._engine.begin() as connection:
            move_browser(connection, digest(token), digest(new))
        self.close_session(token)
        return new

    # Browsers that have been signed in to an account.

    def device_cookie(self, person_id: str) -> tuple[str, str] | None:
        """Return the name and value of the cookie that identifies a browser of this account; None for a guest.

        The value is signed with the stored password hash, so changing the password invalidates all these cookies, and
        the server does not have to store them.
        """
        with self._engine.connect() as connection:
            stored = connection.execute(select(people.c.password_hash).where(people.c.id == person_id)).scalar()
        if stored is None:
            return None
        nonce = secrets.token_urlsafe(DEVICE_BYTES)
        return DEVICE_COOKIE + person_id, f"{nonce}.{_device_signature(stored, nonce)}"

    def device_in(self, cookies: Mapping[str, str], login: str) -> str:
        """Return the browser's name if it has been signed in to the account before, otherwise ""."""
        account = self._account(login) if any(name.startswith(DEVICE_COOKIE) for name in cookies) else None
        if account is None:
            return ""
        return _device(cookies, account["id"], account["password_hash"])

    def device_with_address(self, cookies: Mapping[str, str], address: str) -> str:
        """Return the browser's name if it was signed in to an account with this confirmed e-mail address, or ""."""
        person_ids = [name.removeprefix(DEVICE_COOKIE) for name in cookies if name.startswith(DEVICE_COOKIE)]
        has_it = (contacts.c.kind == "email") & (contacts.c.address == address) & contacts.c.confirmed_at.is_not(None)
        wanted = (
            select(people.c.id, people.c.password_hash)
            .join(contacts, contacts.c.person_id == people.c.id)
            .where(has_it, people.c.id.in_(person_ids[:MAX_DEVICES]))
        )
        if not person_ids:
            return ""
        with self._engine.connect() as connection:
            found = [_device(cookies, row.id, row.password_hash) for row in connection.execute(wanted)]
        return next(filter(None, found), "")

    def register(self, person: Person, login: str, password: str) -> Person:
        """Turn a guest into an account; the guest's games are kept.

        Raises:
            IllegalError: The name is taken, the password too short, or the user already has an account.
        """
        name, key = clean_name(login), login_key(login)
        hashed = self.hashed(password)
        try:
            with self._engine.begin() as connection:
                self.check_not_removed(connection, person.id, name)
                is_new = connection.execute(
                    update(people)
                    .where(people.c.id == person.id, people.c.login.is_(None))
                    .values(login=key, name=name, password_hash=hashed)
                ).rowcount
        except IntegrityError as error:
            raise IllegalError(
                "this name already has an account; choose another or sign in", key="account.refused.taken"
            ) from error
        self.forget_everywhere(person.id)
        if not is_new:
            raise IllegalError("you already have an account", key="account.refused.registered")
        return person._replace(login=key, name=name)

    def hashed(self, password: str) -> str:
        """Return the hash to store for a password.

        Raises:
            IllegalError: The password is too short or too long.
        """
        least, most = PASSWORD_LENGTH
        if not least <= len(password) <= most:
            raise IllegalError(f"a password has {least} to {most} characters", key="account.refused.password")
        return self._hasher.hash(password)

    def is_password(self, stored: str, password: str) -> bool:
        """Return True if the password matches the stored hash."""
        try:
            return self._hasher.verify(stored, password)
        except VerificationError:
            return False

    def sign_in(self, login: str, password: str, browser: str = "") -> tuple[Person, str]:
        """Sign in with a password; return the user and the token of a new session in this browser.

        Raises:
            ForbiddenError: The account does not exist, or the password is wrong (the error does not say which of the
                two).
            ClosedAccountError: The account is closed.
        """
        wrong = ForbiddenError("no account has this name and password", key="account.refused.sign_in")
        row = self._account(login)
        stored = row["password_hash"] if row is not None else None
        if not self.is_password(stored or self._nobody_hash(), password) or stored is None or row is None:
            raise wrong
        self.check_not_closed(row["id"], row["banned_at"])
        person = Person(row["id"], row["name"], row["login"], row["language"])
        # Changing the password ends the sessions that it opened: one may not begin afterwards. This locks the row, as
        # the change does first, so either the change sees the session, or this sees the change.
        with self._engine.begin() as connection:
            if not lock_person(connection, person.id, people.c.password_hash == stored):
                raise wrong
            return person, add_session(connection, person.id, browser=browser)

    def check_not_closed(self, person_id: str, closed_at: float | None) -> None:
        """Raise if an account is closed; one whose measure has ended is open again from now on.

        Raises:
            ClosedAccountError: The account is closed.
        """
        if closed_at is None:
            return
        with self._engine.begin() as connection:
            if not moderation.reopen(connection, person_id, time.time()):
                raise ClosedAccountError(person_id)

    @staticmethod
    def check_not_removed(connection: Connection, person_id: str, name: str) -> None:
        """Raise if moderators have taken a name from a user.

        Raises:
            IllegalError: They have.
        """
        removed = {each.casefold() for each in moderation.removed_names(connection, person_id)}
        if name.casefold() in removed:
            raise IllegalError("the moderators have removed this name", key="measure.refused.name")

    def person(self, person_id: str) -> Person:
        """Return a user by their id, as of now."""
        columns = (
            people.c.id,
            people.c.name,
            people.c.login,
            people.c.language,
            people.c.role,
            moderation.has_unread(),
        )
        with self._engine.connect() as connection:
            row = connection.execute(select(*columns).where(people.c.id == person_id)).one()
        return Person(*row)

    def _account(self, login: str) -> RowMapping | None:
        try:
            key = login_key(login)
        except IllegalError:  # no account can have this name
            return None
        with self._engine.connect() as connection:
            return connection.execute(select(people).where(people.c.login == key)).mappings().first()

    def _nobody_hash(self) -> str:
        # Checked for unknown names so that they take as long as a wrong password.
        if not hasattr(self, "_nobody"):
            self._nobody = self._hasher.hash(secrets.token_hex(8))
        return self._nobody

    def rename(self, person: Person, name: str) -> Person:
        """Change the display name.

        Raises:
            IllegalError: The name is empty or too long, or moderators have taken it from this user.
        """
        name = clean_name(name)
        with self._engine.begin() as connection:
            self.check_not_removed(connection, person.id, name)
            connection.execute(update(people).where(people.c.id == person.id).values(name=name))
        self.forget_everywhere(person.id)
        return person._replace(name=name)

    def set_language(self, person: Person, language: str) -> Person:
        """Store a user's language."""
        with self._engine.begin() as connection:
            connection.execute(update(people).where(people.c.id == person.id).values(language=language))
        self.forget_everywhere(person.id)
        return person._replace(language=language)


def add_session(connection: Connection, person_id: str, api_label: str | None = None, browser: str = "") -> str:
    """Create a session in a transaction and return its token; with a label it is an API token."""
    token = secrets.token_urlsafe(32)
    connection.execute(
        insert(sessions).values(
            digest=digest(token),
            person_id=person_id,
            created_at=time.time(),
            is_api_token=api_label is not None,
            label=(browser if api_label is None else api_label)[:LABEL_LENGTH],
            used_at=time.time(),
        )
    )
    return token


def _person(row: RowMapping) -> Person:
    return Person(row["id"], row["name"], row["login"], row["language"], row["role"], bool(row["has_unread"]))


def _device(cookies: Mapping[str, str], person_id: str, stored: str | None) -> str:
    nonce, _, given = cookies.get(DEVICE_COOKIE + person_id, "").partition(".")
    if stored is None or not given.isascii() or len(nonce) > 2 * DEVICE_BYTES:
        return ""
    return nonce if hmac.compare_digest(_device_signature(stored, nonce), given) else ""


def _device_signature(stored: str, nonce: str) -> str:
    return hmac.digest(stored.encode(), f"device {nonce}".encode(), hashlib.sha256).hex()


def csrf_token(session_token: str) -> str:
    """Return the CSRF token for the forms of a session."""
    return hmac.digest(session_token.encode(), b"csrf", hashlib.sha256).hex()


def is_csrf_token(session_token: str, given: str) -> bool:
    """Return True if `given` is the CSRF token of the session."""
    # As bytes: `compare_digest` accepts only ASCII strings, and clients may send anything.
    return hmac.compare_digest(csrf_token(session_token).encode(), given.encode())
