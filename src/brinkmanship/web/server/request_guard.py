"""What is seen to before any page or route: limits, sizes, malformed requests, and the headers of every answer.

Plain ASGI: Starlette's function middleware would wrap every event stream in tasks and queues of its own.
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
from brinkmanship.web.support.rate_limit import VisitorLimits, address_of, asking, delay_refusal

log = logging.getLogger("brinkmanship.web")

MAX_BYTES = 1_000_000
"""The largest request that is read: a journal that is uploaded."""
MAX_DIGITS = 20
"""Maximum digits of a length."""
_LONG_NUMBER = re.compile(r"[0-9]{101}")
"""A number in an address that no page has. Python refuses to read one of more than 4,300 digits. A shorter limit would
refuse digests: by chance twenty digits may follow one another there."""

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
"""Sent over https: for a year the browser comes by nothing else."""
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
"""How the character with the number 0 is written in a body, by its type; anywhere else as it is."""
_LONGEST_NUL = 6


class RequestGuardMiddleware:
    """Refuse requests that are too many, too large, malformed or from another site, and guard every answer.

    An answer gets the security headers, and over https its cookies are marked `Secure`. HEAD is answered as GET is,
    without the body.

    Args:
        secure_cookies: mark cookies `Secure` over http too, as behind a proxy that does not say how it was asked.
    """

    def __init__(
        self, app: ASGIApp, limits: VisitorLimits, trusts_proxies: bool = False, secure_cookies: bool = False
    ) -> None:
        self.app = app
        self.limits = limits
        self._warns = not trusts_proxies
        self._secure_cookies = secure_cookies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
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
                if not (is_static and b"cache-control" in own):  # a static file says itself how long it may be kept
                    headers = [pair for pair in headers if pair[0] != b"cache-control"]
                    headers.append((b"cache-control", b"no-store"))
                if marks_cookies and b"set-cookie" in own:
                    headers = [_marked(pair) for pair in headers]
                if is_https:
                    headers.append(STRICT_TRANSPORT)
                if not own.isdisjoint(_SECURITY_NAMES):  # a picture that stands alone has its policy
                    added = [pair for pair in _SECURITY if pair[0] not in own]
                message = {**message, "headers": [*headers, *added]}
            await send(message)

        _unescape_cookies(scope)
        headers = dict(scope["headers"])
        address = address_of(scope)
        asking.set(address)
        if self._warns and b"x-forwarded-for" in headers:
            self._warns = False
            log.warning(
                "a proxy says where requests come from, but BRINK_TRUSTED_PROXIES does not name it: "
                "all of its visitors share the limits of one address",
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
            error = ForbiddenError("the form is from another site", said="refused.form")
            await self._refuse(error, scope, receive, send_guarded)
        elif scope["method"] == "HEAD":
            await _without_body(self.app, scope, receive, send_guarded)
        else:
            await self.app(scope, _Checked(receive, headers).receive, send_guarded)

    async def _refuse(self, error: RequestError, scope: Scope, receive: Receive, send: Send) -> None:
        response = error_response(Request(_harmless(scope) if isinstance(error, MalformedError) else scope), error)
        await response(scope, receive, send)


class _Checked:
    """A request's body on its way in; one with the character 0, which no database keeps, is not read on."""

    def __init__(self, receive: Receive, headers: dict[bytes, bytes]) -> None:
        self._receive = receive
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        self._written = _NUL.get(kind, (b"\0",))
        self._end = b""
        self._is_malformed = False

    async def receive(self) -> Message:
        """The next message.

        Raises:
            MalformedError: the character is in it, or was before.
        """
        if not self._is_malformed:
            message = await self._receive()
            part = self._end + message.get("body", b"")
            self._end = part[-_LONGEST_NUL:]
            self._is_malformed = any(nul in part for nul in self._written)
            if not self._is_malformed:
                return message
        raise MalformedError("text has no characters with the number 0")


def _person_id(scope: Scope, headers: dict[bytes, bytes]) -> str | None:
    """Who asks, if his token has been checked lately; the database is not asked."""
    users = services_in(scope).users
    who: Person | None = None
    if b"cookie" in headers and (session := Request(scope).cookies.get(COOKIE)):
        who = users.remembered(session, False)
    if who is None and (authorization := headers.get(b"authorization")):
        who = users.remembered(authorization.decode("latin-1").partition(" ")[2].strip(), True)
    return who.id if who else None


def _unescape_cookies(scope: Scope) -> None:
    """Remove the backslashes from cookies: Python takes quadratic time to read them (CVE-2024-7592), no cookie of this
    server contains one, and RFC 6265 allows none."""
    if any(name == b"cookie" and b"\\" in value for name, value in scope["headers"]):
        scope["headers"] = [
            (name, value.replace(b"\\", b"") if name == b"cookie" else value) for name, value in scope["headers"]
        ]


def _fault(scope: Scope, headers: dict[bytes, bytes]) -> MalformedError | None:
    """What is malformed in a request's first lines."""
    if "\0" in scope["path"] or b"%00" in scope["query_string"]:
        return MalformedError("an address has no characters with the number 0")
    if _LONG_NUMBER.search(scope["path"]) or _LONG_NUMBER.search(scope["query_string"].decode("latin-1")):
        return MalformedError("a number in the address is too long")
    # Where each name stands once, there is nothing to look for.
    is_any_twice = len(headers) < len(scope["headers"])
    if is_any_twice and len([name for name, _ in scope["headers"] if name in _ONCE]) > len(_ONCE & headers.keys()):
        return MalformedError("Host and Origin are said once")
    if not _HOST.fullmatch(headers.get(b"host", b"localhost")):
        return MalformedError("the header Host is no name or address of a server")
    if b"origin" in headers and not _ORIGIN.fullmatch(headers[b"origin"]):
        return MalformedError("the header Origin is no origin")
    return None


def _is_from_another_site(scope: Scope, headers: dict[bytes, bytes]) -> bool:
    """Return True if another site has made a browser send this form.

    Programs at the API name themselves by a token, which no other site has.
    """
    if scope["method"] in _SAFE or scope["path"].startswith("/api/"):
        return False
    if b"sec-fetch-site" in headers:
        return headers[b"sec-fetch-site"] not in _OF_THIS_SITE
    origin = headers.get(b"origin")
    return origin is not None and urlsplit(origin).netloc != headers.get(b"host", b"")


async def _without_body(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer HEAD by the head of the answer to GET, also where the body of that would have no end."""
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
        if "route" in as_get:  # for logs and figures
            scope["route"] = as_get["route"]


def _marked(header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """Return a header, as a cookie that goes only over https if it sets one."""
    name, value = header
    is_open = name == b"set-cookie" and b"; secure" not in value.lower()
    return (name, value + b"; Secure") if is_open else header


def _harmless(scope: Scope) -> Scope:
    """A malformed request with only what an answer is made from."""
    headers = [pair for pair in scope["headers"] if pair[0] in (b"accept", b"accept-language")]
    path = "/api/" if scope["path"].startswith("/api/") else "/"
    return {**scope, "path": path, "raw_path": path.encode(), "query_string": b"", "headers": headers}


def _too_large(headers: dict[bytes, bytes]) -> bool:
    length = headers.get(b"content-length", b"0")
    if headers.get(b"transfer-encoding"):
        return True
    # So many digits are too many, whatever they say: Python would not even read thousands of them.
    return not length.isdigit() or len(length) > MAX_DIGITS or int(length) > MAX_BYTES
