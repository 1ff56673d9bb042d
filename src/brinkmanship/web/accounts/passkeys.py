"""Passkeys (WebAuthn): sign in without a name or password, and recovery codes for accounts that have no password.

A ceremony has two requests: the browser gets options with a challenge, and sends what the authenticator signed. The
challenge is stored under the digest of a cookie of the ceremony and of the session, is used once, and expires. Keys
are discoverable (the authenticator knows whose they are), attestation is not asked for, and counters may stay at 0.
"""

from __future__ import annotations

import ipaddress
import logging
import secrets
import time
from typing import NamedTuple
from urllib.parse import urlsplit

import webauthn
from sqlalchemy import Connection, Engine, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from brinkmanship.store.people import lock_person
from brinkmanship.store.schema import external_accounts, passkey_challenges, passkeys, people, recovery_codes
from brinkmanship.web.accounts.users import LABEL_LENGTH, Person, UserService
from brinkmanship.web.support.display_names import clean_name, login_key
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError
from brinkmanship.web.support.tokens import digest

log = logging.getLogger("brinkmanship.web")

COOKIE = "passkey"
"""Cookie that marks the browser of a ceremony."""
CEREMONY_SECONDS = 600
REGISTER, SIGN_IN = "register", "sign_in"
MAX_PASSKEYS = 10
"""Maximum passkeys of one account."""
CODES = 10
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters of recovery codes, without those that look alike."""
CODE_GROUPS, GROUP_LENGTH = 4, 4
HANDLE_LENGTH = 16


class Site(NamedTuple):
    """The site that passkeys are for."""

    id: str
    """Relying party: the host of the public URL."""
    origin: str


class Passkey(NamedTuple):
    """A passkey in the list of its owner."""

    handle: str
    """Id in forms."""
    name: str
    created_at: float
    used_at: float | None


class WaysIn(NamedTuple):
    """The ways to sign in to an account."""

    keys: list[Passkey]
    has_password: bool
    codes: int
    """Number of recovery codes left."""


def site_of(public_url: str) -> Site | None:
    """Return the site at a public URL; None if it can have no passkeys: no URL is set, or its host is an address."""
    parts = urlsplit(public_url)
    host = parts.hostname or ""
    if not host or _is_address(host):
        return None
    return Site(host, f"{parts.scheme}://{parts.netloc}")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class PasskeyService:
    """Passkeys and recovery codes. Every method is a short transaction to run in a thread."""

    def __init__(self, engine: Engine, users: UserService) -> None:
        self._engine = engine
        self._users = users

    # Ceremonies.

    def options_to_register(self, site: Site, person: Person, session: str) -> tuple[str, str]:
        """Return the options for a new passkey of a user as JSON, and the cookie of the ceremony."""
        with self._engine.begin() as connection:
            known = connection.execute(select(passkeys.c.id).where(passkeys.c.person_id == person.id)).scalars()
            options = webauthn.generate_registration_options(
                rp_id=site.id,
                rp_name="Brinkmanship",
                user_name=person.name,
                user_id=person.id.encode(),
                authenticator_selection=AuthenticatorSelectionCriteria(
                    resident_key=ResidentKeyRequirement.REQUIRED,
                    user_verification=UserVerificationRequirement.PREFERRED,
                ),
                exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(each)) for each in known],
            )
            cookie = _keep(connection, options.challenge, REGISTER, person.id, session)
        return webauthn.options_to_json(options), cookie

    def options_to_sign_in(self, site: Site, session: str) -> tuple[str, str]:
        """Return the options for signing in with any passkey as JSON, and the cookie of the ceremony."""
        options = webauthn.generate_authentication_options(
            rp_id=site.id, user_verification=UserVerificationRequirement.PREFERRED
        )
        with self._engine.begin() as connection:
            cookie = _keep(connection, options.challenge, SIGN_IN, None, session)
        return webauthn.options_to_json(options), cookie

    def add(self, site: Site, person: Person, session: str, cookie: str, credential: str, name: str) -> None:
        """Add a passkey to an account.

        Raises:
            ForbiddenError: The credential does not belong to this site and ceremony.
            IllegalError: The account has `MAX_PASSKEYS` passkeys already.
        """
        key = self._registered(site, person, session, cookie, credential)
        with self._engine.begin() as connection:
            count = select(func.count()).where(passkeys.c.person_id == person.id)
            if connection.execute(count).scalar_one() >= MAX_PASSKEYS:
                raise IllegalError(f"an account has at most {MAX_PASSKEYS} passkeys", key="passkey.refused.many")
            _insert(connection, person.id, key, name)

    def register(self, site: Site, person: Person, session: str, cookie: str, credential: str, login: str) -> list[str]:
        """Turn a guest into an account with a passkey and no password; return its recovery codes.

        Raises:
            ForbiddenError: The credential does not belong to this site and ceremony.
            IllegalError: The name is taken or not allowed, or the user already has an account.
        """
        name, key_of_login = clean_name(login), login_key(login)
        key = self._registered(site, person, session, cookie, credential)
        is_guest = (people.c.id == person.id) & people.c.login.is_(None)
        try:
            with self._engine.begin() as connection:
                self._users.check_not_removed(connection, person.id, name)
                new = {"login": key_of_login, "name": name}
                if not connection.execute(update(people).where(is_guest).values(**new)).rowcount:
                    raise IllegalError("you already have an account", key="account.refused.registered")
                _insert(connection, person.id, key, "")
                codes = _new_codes(connection, person.id)
        except IntegrityError as error:
            raise IllegalError("this name already has an account", key="account.refused.taken") from error
        self._users.forget_everywhere(person.id)
        return codes

    def sign_in(self, site: Site, session: str, cookie: str, credential: str, browser: str) -> tuple[Person, str]:
        """Sign in with a passkey; return the user and the token of a new session.

        Raises:
            ForbiddenError: The passkey is unknown, or its answer does not belong to this site and ceremony.
            ClosedAccountError: The account is closed.
        """
        challenge = self._challenge(SIGN_IN, None, session, cookie)
        try:
            given = webauthn.helpers.parse_authentication_credential_json(credential)
            key_id = bytes_to_base64url(given.raw_id)
        except Exception as error:  # of many kinds: the text comes from anyone
            raise _refused() from error
        wanted = select(passkeys, people.c.banned_at).join(people, people.c.id == passkeys.c.person_id)
        with self._engine.connect() as connection:
            row = connection.execute(wanted.where(passkeys.c.id == key_id)).mappings().first()
        if row is None:
            raise _refused()
        try:
            verified = webauthn.verify_authentication_response(
                credential=given,
                expected_challenge=challenge,
                expected_rp_id=site.id,
                expected_origin=site.origin,
                credential_public_key=row["public_key"],
                credential_current_sign_count=row["sign_count"],
            )
        except Exception as error:
            log.info("a passkey was refused", exc_info=error)
            raise _refused() from error
        self._users.check_not_closed(row["person_id"], row["banned_at"])
        used = {"sign_count": verified.new_sign_count, "used_at": time.time()}
        with self._engine.begin() as connection:
            connection.execute(update(passkeys).where(passkeys.c.id == key_id).values(**used))
        return self._users.person(row["person_id"]), self._users.open_session(row["person_id"], browser=browser)

    def _registered(
        self, site: Site, person: Person, session: str, cookie: str, credential: str
    ) -> tuple[str, bytes, int]:
        challenge = self._challenge(REGISTER, person.id, session, cookie)
        try:
            verified = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.id,
                expected_origin=site.origin,
            )
        except Exception as error:  # of many kinds: the text comes from anyone
            log.info("a new passkey was refused", exc_info=error)
            raise _refused() from error
        return bytes_to_base64url(verified.credential_id), verified.credential_public_key, verified.sign_count

    def _challenge(self, purpose: str, person_id: str | None, session: str, cookie: str) -> bytes:
        """Return the challenge of a ceremony, which ends with this.

        Raises:
            ForbiddenError: There is none, or it has expired, or is another user's, or of another purpose.
        """
        is_it = passkey_challenges.c.digest == _digest(cookie, session)
        with self._engine.begin() as connection:
            row = connection.execute(select(passkey_challenges).where(is_it)).mappings().first()
            is_mine = connection.execute(delete(passkey_challenges).where(is_it)).rowcount == 1
        if not is_mine or row is None or (row["purpose"], row["person_id"]) != (purpose, person_id):
            raise _refused()
        if row["expires_at"] < time.time():
            raise _refused()
        challenge: bytes = row["challenge"]
        return challenge

    # Ways to sign in.

    def ways_in(self, person_id: str) -> WaysIn:
        """Return the ways to sign in to an account."""
        mine = select(passkeys).where(passkeys.c.person_id == person_id).order_by(passkeys.c.created_at)
        with self._engine.connect() as connection:
            keys = [
                Passkey(_handle(row["id"]), row["name"], row["created_at"], row["used_at"])
                for row in connection.execute(mine).mappings()
            ]
            return WaysIn(keys, _has_password(connection, person_id), _code_count(connection, person_id))

    def remove(self, person_id: str, handle: str) -> None:
        """Remove a passkey.

        Raises:
            NotFoundError: The account has no such passkey.
            IllegalError: It is the last way to sign in.
        """
        with self._engine.begin() as connection:
            lock_person(connection, person_id)  # two requests may remove one of two keys each
            ids = connection.execute(select(passkeys.c.id).where(passkeys.c.person_id == person_id)).scalars().all()
            found = next((each for each in ids if _handle(each) == handle), None)
            if found is None:
                raise NotFoundError("you have no such passkey")
            if len(ids) == 1 and not _has_password(connection, person_id) and not _is_linked(connection, person_id):
                raise IllegalError("this is the last way to sign in", key="passkey.refused.last")
            connection.execute(delete(passkeys).where(passkeys.c.id == found))

    def new_codes(self, person_id: str) -> list[str]:
        """Replace the recovery codes of an account; return the new ones."""
        with self._engine.begin() as connection:
            return _new_codes(connection, person_id)

    def use_code(self, login: str, code: str, browser: str) -> tuple[Person, str]:
        """Sign in with a recovery code, which is used up; return the user and the token of a new session.

        Raises:
            ForbiddenError: The account does not exist or has no such code; the error does not say which.
            ClosedAccountError: The account is closed.
        """
        wrong = ForbiddenError("no account has this name and code", key="passkey.refused.code")
        with self._engine.begin() as connection:
            is_it = people.c.login == login_key(login)
            row = connection.execute(select(people.c.id, people.c.banned_at).where(is_it)).first()
            person_id = row.id if row is not None else ""
            is_code = (recovery_codes.c.digest == _code_digest(person_id, code)) & (
                recovery_codes.c.person_id == person_id
            )
            is_used = connection.execute(delete(recovery_codes).where(is_code)).rowcount
        if row is None or not is_used:
            raise wrong
        self._users.check_not_closed(person_id, row.banned_at)
        return self._users.person(person_id), self._users.open_session(person_id, browser=browser)


def _keep(connection: Connection, challenge: bytes, purpose: str, person_id: str | None, session: str) -> str:
    """Store a challenge; return the cookie of its ceremony."""
    cookie, now = secrets.token_urlsafe(32), time.time()
    connection.execute(delete(passkey_challenges).where(passkey_challenges.c.expires_at < now))
    row = {"challenge": challenge, "purpose": purpose, "person_id": person_id}
    connection.execute(
        insert(passkey_challenges).values(digest=_digest(cookie, session), expires_at=now + CEREMONY_SECONDS, **row)
    )
    return cookie


def _digest(cookie: str, session: str) -> str:
    return digest(f"{cookie}\n{session}")


def _insert(connection: Connection, person_id: str, key: tuple[str, bytes, int], name: str) -> None:
    key_id, public_key, sign_count = key
    row = {"id": key_id, "public_key": public_key, "sign_count": sign_count, "name": name[:LABEL_LENGTH]}
    connection.execute(insert(passkeys).values(person_id=person_id, created_at=time.time(), **row))


def _handle(key_id: str) -> str:
    return digest(key_id)[:HANDLE_LENGTH]


def _has_password(connection: Connection, person_id: str) -> bool:
    stored = connection.execute(select(people.c.password_hash).where(people.c.id == person_id)).scalar()
    return stored is not None


def _is_linked(connection: Connection, person_id: str) -> bool:
    """Return True if an account can also be opened at a sign-in provider."""
    wanted = select(external_accounts.c.subject).where(external_accounts.c.person_id == person_id)
    return connection.execute(wanted).first() is not None


def _code_count(connection: Connection, person_id: str) -> int:
    return connection.execute(select(func.count()).where(recovery_codes.c.person_id == person_id)).scalar_one()


def _new_codes(connection: Connection, person_id: str) -> list[str]:
    codes = [_new_code() for _ in range(CODES)]
    connection.execute(delete(recovery_codes).where(recovery_codes.c.person_id == person_id))
    rows = [{"digest": _code_digest(person_id, code), "person_id": person_id} for code in codes]
    connection.execute(insert(recovery_codes), rows)
    return codes


def _new_code() -> str:
    groups = ("".join(secrets.choice(CODE_LETTERS) for _ in range(GROUP_LENGTH)) for _ in range(CODE_GROUPS))
    return "-".join(groups)


def _code_digest(person_id: str, code: str) -> str:
    letters = "".join(each for each in code.lower() if each in CODE_LETTERS)
    return digest(f"{person_id} {letters}")


def _refused() -> ForbiddenError:
    return ForbiddenError("the passkey was not accepted; try again", key="passkey.refused")
