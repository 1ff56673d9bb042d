"""Pages go packed to who asked for them himself, and unpacked to a request that another site has caused.

A page holds the token of its session's forms. Where another site can cause many requests with text of its choice and
somebody on the line sees how long the packed answers are, the token could be guessed piece by piece (Gluck, Harris and
Prado, "BREACH: Reviving the CRIME Attack", 2013). Browsers say who caused a request (`Sec-Fetch-Site`).
"""

from __future__ import annotations

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

COMPRESSION = 5
"""Of gzip: more takes twice the time for a fiftieth of the length."""
MIN_BYTES = 1000
OWN = (b"same-origin", b"none")
"""Requests of our own pages, and of who typed the address or followed a bookmark."""


class CompressionMiddleware:
    """Packs what `app` answers, but for what other sites have asked."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain = app
        self._packed = GZipMiddleware(app, minimum_size=MIN_BYTES, compresslevel=COMPRESSION)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the ASGI specification."""
        asked_by = next((value for name, value in scope.get("headers", ()) if name == b"sec-fetch-site"), b"none")
        app = self._packed if scope["type"] == "http" and asked_by in OWN else self._plain
        await app(scope, receive, send)
