"""ASGI middleware applied before routing: rate limits, size limits, malformed requests, security headers.

Plain ASGI: Starlette's function middleware would wrap every event stream in additional tasks and queues.
"""

from __future__ import annotations

import logging
import re
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brinkmanship.web.accounts.authentication import COOKIE
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.server.error_responses import error_response
from brinkmanship.web.services import services_in
from brinkmanship.web.support.errors import ForbiddenError, MalformedError, RequestError, TooLargeError, TooManyError
from brinkmanship.web.support.rate_limit import VisitorLimits, address_of, client_address, client_person, delay_refusal

log = logging.getLogger("brinkmanship.web")

MAX_BYTES = 1_000_000
"""Maximum size of a request; uploaded journals are the largest."""
MAX_DIGITS = 20
"""Maximum digits of a Content-Length."""
_LONG_NUMBER = re.compile(r"[0-9]{101}")
"""Pattern of a number too long for any of our URLs.

Python refuses to parse one of more than 4,300 digits. A shorter limit would refuse digests, which by chance may contain
twenty digits in a row.
"""

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_SECURITY = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
_SECURITY_NAMES = frozenset(name for name, _ in _SECURITY)
STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000")
"""HSTS header, sent over https: for a year browsers use only https."""
_OF_THIS_SITE = (b"same-origin", b"none")
_SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""

_SERVER = rb"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?"
_HOST = re.compile(_SERVER)
_ORIGIN = re.compile(rb"null|[A-Za-z][A-Za-z0-9+.-]{0,30}://" + _SERVER)
_ONCE = frozenset((b"host", b"origin"))
_NUL = {
    b"application/x-www-form-urlencoded": (b"%00", b"\0"),
    b"application/json": (b"\\u0000", b"\0"),
}
"""Encodings of the NUL character in a body, by content type; in any other type only the raw byte."""
_LONGEST_NUL = 6


class RequestGuardMiddleware:
    """Middleware that refuses requests that are too many, too large, malformed or cross-site, and secures responses.

    Responses get the security headers, and over https their cookies are marked `Secure`. HEAD is handled as GET without
    the body.

    Args:
        app: Inner ASGI application.
        limits: Rate limits.
        trusts_proxies: True if trusted proxies are configured.
        secure_cookies: Mark cookies `Secure` over http too, e.g. behind a proxy that does not report the scheme.
    """

    def __init__(
        self, app: ASGIApp, limits: VisitorLimits, trusts_proxies: bool = False, secure_cookies: bool = False
    ) -> None:
        self.app = app
        self.limits = limits
        self._warns = not trusts_proxies
        self._secure_cookies = secure_cookies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_static = scope["path"].startswith("/static/")
        is_https = scope.get("scheme") == "https"
        marks_cookies = is_https or self._secure_cookies

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers, added = list(message["headers"]), _SECURITY
                own = {name for name, _ in headers}
                if not (is_static and b"cache-control" in own):  # static files set their own caching
                    headers = [pair for pair in headers if pair[0] != b"cache-control"]
                    headers.append((b"cache-control", b"no-store"))
                if marks_cookies and b"set-cookie" in own:
                    headers = [_marked(pair) for pair in headers]
                if is_https:
                    headers.append(STRICT_TRANSPORT)
                if not own.isdisjoint(_SECURITY_NAMES):  # a standalone image has its own policy
                    added = [pair for pair in _SECURITY if pair[0] not in own]
                message = {**message, "headers": [*headers, *added]}
            await send(message)

        _unescape_cookies(scope)
        headers = dict(scope["headers"])
        address = address_of(scope)
        client_address.set(address)
        client_person.set("")  # until the request is authenticated
        if self._warns and b"x-forwarded-for" in headers:
            self._warns = False
            log.warning(
                "a proxy forwards client addresses, but BRINK_TRUSTED_PROXIES does not include it: "
                "all of its clients share the limits of one address",
                extra={"proxy": address},
            )
        fault = _fault(scope, headers)
        if fault is not None:
            await self._refuse(fault, scope, receive, send_guarded)
        elif not is_static and not self.limits.allow(address, _person_id(scope, headers)):
            await delay_refusal()
            await self._refuse(TooManyError("too many requests; wait a little"), scope, receive, send_guarded)
        elif _too_large(headers):
            await self._refuse(TooLargeError("a request", MAX_BYTES), scope, receive, send_guarded)
        elif _is_from_another_site(scope, headers):
            error = ForbiddenError("the form is from another site", key="refused.form")
            await self._refuse(error, scope, receive, send_guarded)
        elif scope["method"] == "HEAD":
            await _without_body(self.app, scope, receive, send_guarded)
        else:
            await self.app(scope, _Checked(receive, headers).receive, send_guarded)

    async def _refuse(self, error: RequestError, scope: Scope, receive: Receive, send: Send) -> None:
        response = error_response(Request(_harmless(scope) if isinstance(error, MalformedError) else scope), error)
        await response(scope, receive, send)


class _Checked:
    """Request body that is refused once it contains a NUL character, which no database stores."""

    def __init__(self, receive: Receive, headers: dict[bytes, bytes]) -> None:
        self._receive = receive
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        self._written = _NUL.get(kind, (b"\0",))
        self._end = b""
        self._is_malformed = False

    async def receive(self) -> Message:
        """Return the next message.

        Raises:
            MalformedError: This or an earlier message contains a NUL character.
        """
        if not self._is_malformed:
            message = await self._receive()
            part = self._end + message.get("body", b"")
            self._end = part[-_LONGEST_NUL:]
            self._is_malformed = any(nul in part for nul in self._written)
            if not self._is_malformed:
                return message
        raise MalformedError("text must not contain NUL characters")


def _person_id(scope: Scope, headers: dict[bytes, bytes]) -> str | None:
    """Return the user id for a recently validated token, without a database query."""
    users = services_in(scope).users
    who: Person | None = None
    if b"cookie" in headers and (session := Request(scope).cookies.get(COOKIE)):
        who = users.remembered(session, False)
    if who is None and (authorization := headers.get(b"authorization")):
        who = users.remembered(authorization.decode("latin-1").partition(" ")[2].strip(), True)
    return who.id if who else None


def _unescape_cookies(scope: Scope) -> None:
    """Remove backslashes from cookies.

    Python takes quadratic time to parse them (CVE-2024-7592), no cookie of this server contains one, and RFC 6265
    allows none.
    """
    if any(name == b"cookie" and b"\\" in value for name, value in scope["headers"]):
        scope["headers"] = [
            (name, value.replace(b"\\", b"") if name == b"cookie" else value) for name, value in scope["headers"]
        ]


def _fault(scope: Scope, headers: dict[bytes, bytes]) -> MalformedError | None:
    """Return the error in a request's path, query or headers, or None."""
    if "\0" in scope["path"] or b"%00" in scope["query_string"]:
        return MalformedError("a URL must not contain NUL characters")
    if _LONG_NUMBER.search(scope["path"]) or _LONG_NUMBER.search(scope["query_string"].decode("latin-1")):
        return MalformedError("a number in the URL is too long")
    # If no header occurs twice, there is nothing to check.
    is_any_twice = len(headers) < len(scope["headers"])
    if is_any_twice and len([name for name, _ in scope["headers"] if name in _ONCE]) > len(_ONCE & headers.keys()):
        return MalformedError("the headers Host and Origin may occur only once")
    if not _HOST.fullmatch(headers.get(b"host", b"localhost")):
        return MalformedError("the header Host is not a host name or address")
    if b"origin" in headers and not _ORIGIN.fullmatch(headers[b"origin"]):
        return MalformedError("the header Origin is not an origin")
    return None


def _is_from_another_site(scope: Scope, headers: dict[bytes, bytes]) -> bool:
    """Return True if another site made a browser send this form.

    API clients authenticate with a token, which no other site has.
    """
    if scope["method"] in _SAFE or scope["path"].startswith("/api/"):
        return False
    if b"sec-fetch-site" in headers:
        return headers[b"sec-fetch-site"] not in _OF_THIS_SITE
    origin = headers.get(b"origin")
    return origin is not None and urlsplit(origin).netloc != headers.get(b"host", b"")


async def _without_body(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Respond to HEAD with the head of the response to GET, even if its body would be an endless stream."""
    as_get = {**scope, "method": "GET"}
    has_ended = False

    async def send_head(message: Message) -> None:
        nonlocal has_ended
        if message["type"] == "http.response.start":
            await send(message)
        elif not has_ended:
            has_ended = True
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    try:
        await app(as_get, receive, send_head)
    finally:
        if "route" in as_get:  # for logs and metrics
            scope["route"] = as_get["route"]


def _marked(header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """Return a header with `Secure` added if it sets a cookie."""
    name, value = header
    is_open = name == b"set-cookie" and b"; secure" not in value.lower()
    return (name, value + b"; Secure") if is_open else header


def _harmless(scope: Scope) -> Scope:
    """Return a malformed request reduced to what an error response needs."""
    headers = [pair for pair in scope["headers"] if pair[0] in (b"accept", b"accept-language")]
    path = "/api/" if scope["path"].startswith("/api/") else "/"
    return {**scope, "path": path, "raw_path": path.encode(), "query_string": b"", "headers": headers}


def _too_large(headers: dict[bytes, bytes]) -> bool:
    length = headers.get(b"content-length", b"0")
    if headers.get(b"transfer-encoding"):
        return True
    # Checked by number of digits first: Python refuses to parse a number of thousands of digits.
    return not length.isdigit() or len(length) > MAX_DIGITS or int(length) > MAX_BYTES
