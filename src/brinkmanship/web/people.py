"""People: a guest needs only a name; an account (name and password) keeps his games.

A browser holds a random session token in a cookie, a program an API token in a header; the database holds only their
digests. Passwords are kept as argon2 hashes.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import Engine, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.store.schema import people, sessions
from brinkmanship.web.errors import ForbiddenError, IllegalError
from brinkmanship.web.service import new_id
from brinkmanship.web.table import digest

NAME_LENGTH = 30
PASSWORD_LENGTH = (8, 200)
SESSION_SECONDS = 365 * 24 * 3600
REMEMBERED_SECONDS = 300
"""How long a person is known without asking the database."""
MOST_REMEMBERED = 20_000


class Person(NamedTuple):
    """Somebody who uses the table."""

    id: str
    name: str
    login: str | None
    language: str

    @property
    def is_guest(self) -> bool:
        """Whether this person has no account."""
        return self.login is None


def clean_name(text: str) -> str:
    """A name as it is shown: one line, no invisible characters, not too long.

    Raises:
        IllegalError: nothing is left, or it is too long.
    """
    kept = "".join(c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c)[0] not in "C")
    name = " ".join(kept.split())
    if not 1 <= len(name) <= NAME_LENGTH:
        raise IllegalError(f"a name has 1 to {NAME_LENGTH} characters")
    return name


class PeopleService:
    """Who is who; every method is a short transaction, to be called in a thread.

    `changed` is told of every person whom other worker processes must `forget`.
    """

    def __init__(self, engine: Engine, changed: Callable[[str], None] = lambda _: None) -> None:
        self._engine = engine
        self._changed = changed
        self._hasher = PasswordHasher()
        self._known: dict[tuple[str, bool], tuple[Person, float]] = {}

    def add_guest(self, name: str, language: str) -> tuple[Person, str]:
        """A new guest, and the token of his first session."""
        person = Person(new_id(), clean_name(name), None, language)
        with self._engine.begin() as connection:
            connection.execute(
                insert(people).values(id=person.id, name=person.name, language=language, created_at=time.time())
            )
        return person, self.open_session(person.id)

    def open_session(self, person_id: str, api_label: str | None = None) -> str:
        """A new token for a person; with a label it is for programs."""
        token = secrets.token_urlsafe(32)
        with self._engine.begin() as connection:
            connection.execute(
                insert(sessions).values(
                    digest=digest(token),
                    person_id=person_id,
                    created_at=time.time(),
                    is_api_token=api_label is not None,
                    label=api_label or "",
                )
            )
        return token

    def by_token(self, token: str, is_api_token: bool = False) -> Person | None:
        """The person a token belongs to; remembered for `REMEMBERED_SECONDS`."""
        key = (token, is_api_token)
        known = self._known.get(key)
        if known is not None and known[1] > time.monotonic():
            return known[0]
        person = self._by_token(token, is_api_token)
        if person is not None:
            self._known[key] = (person, time.monotonic() + REMEMBERED_SECONDS)
            while len(self._known) > MOST_REMEMBERED:
                self._known.pop(next(iter(self._known)))
        return person

    def is_remembered(self, token: str, is_api_token: bool = False) -> bool:
        """Whether `by_token` answers without asking the database."""
        known = self._known.get((token, is_api_token))
        return known is not None and known[1] > time.monotonic()

    def forget(self, person_id: str) -> None:
        """Ask the database about this person when he comes next."""
        for key in [key for key, (person, _) in list(self._known.items()) if person.id == person_id]:
            self._known.pop(key, None)

    def _forget(self, person_id: str) -> None:
        self.forget(person_id)
        self._changed(person_id)

    def _by_token(self, token: str, is_api_token: bool) -> Person | None:
        wanted = (
            select(people, sessions.c.created_at.label("since"))
            .join(sessions, sessions.c.person_id == people.c.id)
            .where(sessions.c.digest == digest(token), sessions.c.is_api_token.is_(is_api_token))
        )
        with self._engine.connect() as connection:
            row = connection.execute(wanted).mappings().first()
        if row is None or (not is_api_token and row["since"] < time.time() - SESSION_SECONDS):
            return None
        return Person(row["id"], row["name"], row["login"], row["language"])

    def close_session(self, token: str) -> None:
        """Sign out."""
        person = self.by_token(token)
        with self._engine.begin() as connection:
            connection.execute(delete(sessions).where(sessions.c.digest == digest(token)))
        if person is not None:
            self._forget(person.id)

    def register(self, person: Person, login: str, password: str) -> Person:
        """Give a guest an account; his games stay his.

        Raises:
            IllegalError: the name is taken, or the password too short.
        """
        login = clean_name(login)
        self._check_password(password)
        try:
            with self._engine.begin() as connection:
                connection.execute(
                    update(people)
                    .where(people.c.id == person.id, people.c.login.is_(None))
                    .values(login=login.casefold(), name=login, password_hash=self._hasher.hash(password))
                )
        except IntegrityError as error:
            raise IllegalError("this name already has an account; choose another or sign in") from error
        self._forget(person.id)
        return person._replace(login=login.casefold(), name=login)

    def _check_password(self, password: str) -> None:
        least, most = PASSWORD_LENGTH
        if not least <= len(password) <= most:
            raise IllegalError(f"a password has {least} to {most} characters")

    def sign_in(self, login: str, password: str) -> tuple[Person, str]:
        """The person with this account, and a new session.

        Raises:
            ForbiddenError: no such account, or another password; which of the two is not said.
        """
        with self._engine.connect() as connection:
            row = (
                connection.execute(select(people).where(people.c.login == login.strip().casefold())).mappings().first()
            )
        stored = row["password_hash"] if row is not None else self._nobody_hash()
        try:
            self._hasher.verify(stored, password)
        except VerificationError:
            row = None
        if row is None:
            raise ForbiddenError("no account has this name and password")
        person = Person(row["id"], row["name"], row["login"], row["language"])
        return person, self.open_session(person.id)

    def _nobody_hash(self) -> str:
        # So that an unknown name takes as long as a wrong password.
        if not hasattr(self, "_nobody"):
            self._nobody = self._hasher.hash(secrets.token_hex(8))
        return self._nobody

    def rename(self, person: Person, name: str) -> Person:
        """Change the shown name."""
        name = clean_name(name)
        with self._engine.begin() as connection:
            connection.execute(update(people).where(people.c.id == person.id).values(name=name))
        self._forget(person.id)
        return person._replace(name=name)

    def set_language(self, person: Person, language: str) -> Person:
        """Remember the language a person reads."""
        with self._engine.begin() as connection:
            connection.execute(update(people).where(people.c.id == person.id).values(language=language))
        self._forget(person.id)
        return person._replace(language=language)


def csrf_token(session_token: str) -> str:
    """The token forms of a session carry, so that no other site can send them."""
    return hmac.digest(session_token.encode(), b"csrf", hashlib.sha256).hex()


def is_csrf_token(session_token: str, given: str) -> bool:
    """Whether a form carried the right token."""
    return hmac.compare_digest(csrf_token(session_token), given)
