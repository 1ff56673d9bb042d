"""Authentication of requests: the user behind a session cookie or an API token, and their language."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.text import LANGUAGES
from brinkmanship.web.accounts.users import Person, UserService, csrf_token, is_csrf_token
from brinkmanship.web.support.errors import ForbiddenError, NotSignedInError
from brinkmanship.web.support.rate_limit import client_person
from brinkmanship.web.support.settings import Settings

COOKIE = "session"
LANGUAGE_COOKIE = "language"
MAX_LANGUAGES_LENGTH = 500
"""Maximum characters of the Accept-Language header that are parsed."""
CSRF_FIELD = "csrf"
CSRF_HEADER = "x-csrf-token"


@dataclass(frozen=True, kw_only=True)
class SignInServices:
    """Services that identify the sender of a request; `web.services.ServerServices` has all services."""

    settings: Settings
    users: UserService


def _services_of(request: Request) -> SignInServices:
    found: SignInServices = request.app.state.services
    return found


async def visitor(request: Request) -> Person | None:
    """Return the user of the session cookie, or None for an anonymous client."""
    token = request.cookies.get(COOKIE)
    if not token:
        return None
    users = _services_of(request).users
    return _counted(users.remembered(token, False) or await asyncio.to_thread(users.by_token, token, False))


def known_visitor(request: Request) -> Person | None:
    """Return the user of the session cookie if the database need not be asked, for pages about errors."""
    services: SignInServices | None = getattr(request.app.state, "services", None)
    token = request.cookies.get(COOKIE)
    return services.users.remembered(token, False) if services is not None and token else None


async def person(request: Request) -> Person:
    """Return the user of the session cookie.

    Raises:
        NotSignedInError: There is no valid session.
    """
    found = await visitor(request)
    if found is None:
        raise NotSignedInError("sign in first")
    return found


async def program_of(users: UserService, authorization: bytes) -> Person:
    """Return the user of the API token in the Authorization header ("Bearer ...").

    Raises:
        NotSignedInError: There is no token, or it is invalid.
    """
    kind, _, token = authorization.decode("latin-1").partition(" ")
    if kind.lower() == "bearer" and (token := token.strip()):
        found = _counted(users.remembered(token, True) or await asyncio.to_thread(users.by_token, token, True))
        if found is not None:
            return found
    raise NotSignedInError("send a valid token: Authorization: Bearer TOKEN")


def _counted(found: Person | None) -> Person | None:
    """Return the user of the current request, whom the limits count from now on."""
    client_person.set(found.id if found is not None else "")
    return found


async def protected(request: Request) -> None:
    """Check the CSRF token of a form.

    Raises:
        ForbiddenError: The form was sent by another site or belongs to another session.
    """
    given = request.headers.get(CSRF_HEADER)
    if given is None:
        value = (await request.form()).get(CSRF_FIELD)
        given = value if isinstance(value, str) else ""
    token = request.cookies.get(COOKIE, "")
    if not token or not is_csrf_token(token, given):
        raise ForbiddenError("the form is not from this session; reload the page", key="refused.form")


def language_of(request: Request, who: Person | None = None) -> str:
    """Return the viewer's language: their choice, else the browser's first supported language, else English."""
    chosen = request.cookies.get(LANGUAGE_COOKIE) or (who.language if who else "")
    if chosen in LANGUAGES:
        return chosen
    for part in request.headers.get("accept-language", "")[:MAX_LANGUAGES_LENGTH].split(","):
        wanted = part.split(";")[0].strip()[:2].lower()
        if wanted in LANGUAGES:
            return wanted
    return "en"


def browser(request: Request) -> str:
    """Return a browser label for the list of sessions, e.g. "Firefox, Linux"; "" if unknown."""
    agent = request.headers.get("user-agent", "")
    known = (next((name for sign, name in signs if sign in agent), "") for signs in (_BROWSERS, _SYSTEMS))
    return ", ".join(name for name in known if name)


_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)
"""Substrings of the User-Agent header and their labels; a string containing others comes before them."""


def remember(response: Response, request: Request, token: str) -> None:
    """Set the session cookie."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=365 * 24 * 3600,
        httponly=True,
        samesite="lax",
        secure=_services_of(request).settings.secure_cookies,
    )


async def remember_device(response: Response, request: Request, person_id: str) -> None:
    """Set the cookie that marks this browser as having been signed in to the account."""
    cookie = await asyncio.to_thread(_services_of(request).users.device_cookie, person_id)
    if cookie is not None:
        name, value = cookie
        response.set_cookie(name, value, max_age=365 * 24 * 3600, path="/account", httponly=True, samesite="strict")


def csrf_of(request: Request) -> str:
    """Return the CSRF token for the forms of this session; "" for an anonymous client."""
    token = request.cookies.get(COOKIE)
    return csrf_token(token) if token else ""
