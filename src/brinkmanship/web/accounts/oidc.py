"""Sign-in with one external provider (OpenID Connect): code flow with PKCE, by Authlib (extra `oidc`).

An attempt lives in a cookie of the browser that began it, never in a shared cache: state, nonce and code verifier have
to come back with the same browser. An account at the provider is known by issuer and subject, never by its e-mail
address, which providers may not have checked.
"""

from __future__ import annotations

import base64
import hmac
import logging
import secrets
import time
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, Engine, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine.struct_types import prepare
from brinkmanship.store.people import lock_person
from brinkmanship.store.schema import external_accounts, passkeys, people
from brinkmanship.web.accounts.users import Person, UserService
from brinkmanship.web.support.display_names import NAME_LENGTH, clean_name, login_key
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError, RequestError, UnavailableError
from brinkmanship.web.support.settings import Settings

log = logging.getLogger("brinkmanship.web")

COOKIE = "oidc"
PATH = "/account/oidc"
"""Path of the cookie, and of all requests of an attempt."""
CALLBACK = f"{PATH}/callback"
ATTEMPT_SECONDS = 600
TIMEOUT = 10.0
"""Timeout (s) for each request to the provider."""
CLOCK_LEEWAY = 60
"""Tolerated difference (s) between the provider's clock and ours."""
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA")
"""Signatures with a public key of the provider; never one with the shared client secret."""
MAX_SUBJECT = 255
NAME_CLAIMS = ("preferred_username", "nickname", "name", "given_name")
"""Claims from which the name of a new account is taken, the first one that is usable."""
FALLBACK_NAME = "Player"
NUMBERED = 9
"""Names tried with a number behind them before one with random digits."""


class Identity(NamedTuple):
    """An account at the provider."""

    subject: str
    name: str
    """Name for a new account here."""


class Attempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An attempt to sign in, as its cookie holds it."""

    state: str
    nonce: str
    verifier: str
    person: str
    """Id of the user who began it; "" for a stranger."""
    bring: bool
    """True if the games of a guest are to come along."""
    expires_at: float


prepare(Attempt)


class OidcService:
    """Sign-in with the provider of the settings.

    Args:
        engine: Database engine.
        users: Users and sessions.
        settings: Settings of the server.
    """

    def __init__(self, engine: Engine, users: UserService, settings: Settings) -> None:
        self._engine = engine
        self._users = users
        self._issuer = settings.oidc_issuer
        self._callback = settings.public_url.rstrip("/") + CALLBACK
        self.name = settings.oidc_name or urlsplit(settings.oidc_issuer).hostname or ""
        """Name of the provider on pages."""
        self._client_id = settings.oidc_client_id
        self._app = _client(settings) if settings.oidc_issuer else None

    @property
    def is_on(self) -> bool:
        """True if there is a provider."""
        return self._app is not None

    # The two steps of an attempt.

    async def begin(self, who: Person | None, bring: bool) -> tuple[str, str]:
        """Return the address at the provider to go to, and the cookie of the attempt.

        Raises:
            NotFoundError: There is no provider.
            UnavailableError: The provider does not answer as it should.
        """
        app = await self._loaded()
        made = await app.create_authorization_url(self._callback)
        attempt = Attempt(
            made["state"],
            made["nonce"],
            made["code_verifier"],
            who.id if who else "",
            bring,
            time.time() + ATTEMPT_SECONDS,
        )
        return made["url"], base64.urlsafe_b64encode(msgspec.json.encode(attempt)).decode()

    async def finish(self, cookie: str, state: str, code: str, who: Person | None) -> tuple[Identity, Attempt]:
        """Return the account at the provider that the user has signed in to, and the attempt.

        Raises:
            ForbiddenError: The attempt is not one of this browser and user, or the provider's answer is not valid.
            NotFoundError: There is no provider.
            UnavailableError: The provider does not answer as it should.
        """
        attempt = _attempt(cookie)
        is_ours = attempt is not None and hmac.compare_digest(attempt.state.encode(), state.encode())
        if attempt is None or not is_ours or attempt.expires_at < time.time():
            raise _expired()
        if attempt.person != (who.id if who else ""):
            raise _expired()
        app = await self._loaded()
        try:
            token = await app.fetch_access_token(redirect_uri=self._callback, code=code, code_verifier=attempt.verifier)
            claims = await app.parse_id_token(
                token, nonce=attempt.nonce, claims_options=self._claims(app), leeway=CLOCK_LEEWAY
            )
        except Exception as error:  # of many kinds: Authlib's, joserfc's, httpx's
            log.warning("a sign-in at the provider failed", exc_info=error)
            raise ForbiddenError("the provider's answer is not valid", key="oidc.refused.answer") from error
        return _identity(claims), attempt

    def _claims(self, app: Any) -> dict[str, Any]:
        return {
            "iss": {"essential": True, "value": app.server_metadata["issuer"]},
            "aud": {"essential": True, "value": self._client_id},
            "sub": {"essential": True},
        }

    async def _loaded(self) -> Any:
        """Return the client after it has read the provider's metadata, which it does once."""
        if self._app is None:
            raise NotFoundError("this server has no sign-in provider")
        try:
            metadata = await self._app.load_server_metadata()
            if metadata["issuer"].rstrip("/") != self._issuer:
                raise ValueError(f"the metadata are those of {metadata['issuer']}")
        except Exception as error:  # of many kinds, as above
            self._app.server_metadata.clear()
            log.warning("the sign-in provider does not answer as it should", exc_info=error)
            raise UnavailableError("the sign-in provider does not answer", key="oidc.refused.provider") from error
        offered = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
        metadata["id_token_signing_alg_values_supported"] = [each for each in ALGORITHMS if each in offered]
        return self._app

    # Accounts; every method is a short transaction to run in a thread.

    def linked_at(self, person_id: str) -> float | None:
        """Return when a user has linked an account at the provider; None if they have not."""
        wanted = select(external_accounts.c.created_at).where(self._is_of(person_id))
        with self._engine.connect() as connection:
            return connection.execute(wanted).scalar()

    def sign_in(
        self, identity: Identity, who: Person | None, session: str, language: str, browser: str
    ) -> tuple[str, str]:
        """Sign in to the account of an identity, link it to the user's account, or create an account.

        A guest becomes an account and keeps their games.

        Args:
            identity: Account at the provider.
            who: User of the request, None for a stranger.
            session: Token of their session.
            language: Language of a new account.
            browser: Label of the browser.

        Returns:
            The id of the user, and the token of a new session; "" if the present one goes on.

        Raises:
            IllegalError: The identity belongs to another account here, or the user's account has another one.
            ClosedAccountError: The account is closed.
        """
        known = self._known(identity.subject)
        if who is not None and not who.is_guest:
            if known is None:
                self._link(who.id, identity.subject)
            elif known.person_id != who.id:
                raise _taken()
            return who.id, ""
        if known is not None:
            self._users.check_not_closed(known.person_id, known.banned_at)
            return known.person_id, self._users.open_session(known.person_id, browser=browser)
        if who is None:
            who, session = self._users.add_guest(identity.name, language, browser)
        self._register(who, identity)
        return who.id, self._users.renew_session(who.id, session, browser)

    def unlink(self, person_id: str) -> None:
        """Remove the link to the provider.

        Raises:
            NotFoundError: There is none.
            IllegalError: It is the last way to sign in.
        """
        with self._engine.begin() as connection:
            lock_person(connection, person_id)  # of two requests that remove the last two ways to sign in, one fails
            if not _has_other_way(connection, person_id):
                raise IllegalError("this is the last way to sign in", key="oidc.refused.last")
            if not connection.execute(delete(external_accounts).where(self._is_of(person_id))).rowcount:
                raise NotFoundError("your account is not linked to the provider")

    def _is_of(self, person_id: str) -> Any:
        return (external_accounts.c.person_id == person_id) & (external_accounts.c.issuer == self._issuer)

    def _known(self, subject: str) -> Any:
        """Return the row of an identity with the state of its account, and note its use; None if it is not known."""
        is_it = (external_accounts.c.issuer == self._issuer) & (external_accounts.c.subject == subject)
        wanted = select(external_accounts.c.person_id, people.c.banned_at).join(people).where(is_it)
        with self._engine.begin() as connection:
            connection.execute(update(external_accounts).where(is_it).values(used_at=time.time()))
            return connection.execute(wanted).first()

    def _link(self, person_id: str, subject: str) -> None:
        try:
            with self._engine.begin() as connection:
                if connection.execute(select(external_accounts.c.subject).where(self._is_of(person_id))).first():
                    raise IllegalError("your account has another identity there", key="oidc.refused.linked")
                self._insert(connection, person_id, subject)
        except IntegrityError as error:
            raise _taken() from error

    def _register(self, guest: Person, identity: Identity) -> None:
        """Turn a guest into an account that is opened by the identity alone."""
        for name in _names(guest.name):
            try:
                with self._engine.begin() as connection:
                    self._users.check_not_removed(connection, guest.id, name)
                    new = {"login": login_key(name), "name": name}
                    is_guest = (people.c.id == guest.id) & people.c.login.is_(None)
                    if not connection.execute(update(people).where(is_guest).values(**new)).rowcount:
                        raise _expired()
                    self._insert(connection, guest.id, identity.subject)
            except IntegrityError:  # the name has an account already
                continue
            self._users.forget_everywhere(guest.id)
            return
        raise _expired()

    def _insert(self, connection: Connection, person_id: str, subject: str) -> None:
        row = {"issuer": self._issuer, "subject": subject, "person_id": person_id}
        connection.execute(insert(external_accounts).values(created_at=time.time(), used_at=time.time(), **row))


def _client(settings: Settings) -> Any:
    """Return Authlib's client, which keeps no state of attempts."""
    from authlib.integrations.starlette_client import StarletteOAuth2App

    return StarletteOAuth2App(
        None,
        name="provider",
        client_id=settings.oidc_client_id,
        client_secret=Path(settings.oidc_secret_file).read_text("utf-8").strip(),
        server_metadata_url=f"{settings.oidc_issuer}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid profile",
            "code_challenge_method": "S256",
            "timeout": TIMEOUT,
            "trust_env": False,
        },
    )


def _attempt(cookie: str) -> Attempt | None:
    try:
        return msgspec.json.decode(base64.urlsafe_b64decode(cookie), type=Attempt)
    except ValueError:  # msgspec's and base64's
        return None


def _identity(claims: Any) -> Identity:
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT:
        raise ForbiddenError("the provider's answer has no usable subject", key="oidc.refused.answer")
    return Identity(subject, _name_in(claims))


def _name_in(claims: Any) -> str:
    for claim in NAME_CLAIMS:
        text = claims.get(claim)
        # A user name is often an e-mail address, which is nobody else's business.
        if isinstance(text, str) and "@" not in text:
            try:
                name = clean_name(text[:NAME_LENGTH])
                login_key(name)
            except RequestError:
                continue
            return name
    return FALLBACK_NAME


def _names(wanted: str) -> list[str]:
    """Return names to try for a new account: as wanted, with a number, with random digits."""
    ends = ["", *(f" {number}" for number in range(2, NUMBERED + 1)), f" {secrets.randbelow(10**6):06}"]
    return [clean_name(wanted[: NAME_LENGTH - len(end)] + end) for end in ends]


def _has_other_way(connection: Connection, person_id: str) -> bool:
    has_password = (people.c.id == person_id) & people.c.password_hash.is_not(None)
    found = (
        select(people.c.id)
        .where(has_password)
        .union_all(select(passkeys.c.person_id).where(passkeys.c.person_id == person_id))
    )
    return connection.execute(found.limit(1)).first() is not None


def _expired() -> ForbiddenError:
    return ForbiddenError("the sign-in has expired, or began in another browser", key="oidc.refused.expired")


def _taken() -> IllegalError:
    return IllegalError("this identity belongs to another account here", key="oidc.refused.taken")
