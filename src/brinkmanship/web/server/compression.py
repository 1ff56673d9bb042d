"""Compress same-site responses; send cross-site responses uncompressed (BREACH mitigation).

A page contains the token of its session's forms. If another site can cause many requests with text of its choice, and
an eavesdropper sees the lengths of the compressed responses, they could guess the token piece by piece (Gluck, Harris
and Prado, "BREACH: Reviving the CRIME Attack", 2013). Browsers report what caused a request (`Sec-Fetch-Site`).
"""

from __future__ import annotations

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

COMPRESSION = 5
"""gzip level; higher levels take twice the time and save a fiftieth of the length."""
MIN_BYTES = 1000
OWN = (b"same-origin", b"none")
"""`Sec-Fetch-Site` of requests from our own pages, and from typed addresses or bookmarks."""


class CompressionMiddleware:
    """Middleware that compresses the responses of `app`, except to requests caused by other sites."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain = app
        self._packed = GZipMiddleware(app, minimum_size=MIN_BYTES, compresslevel=COMPRESSION)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI connection."""
        asked_by = next((value for name, value in scope.get("headers", ()) if name == b"sec-fetch-site"), b"none")
        app = self._packed if scope["type"] == "http" and asked_by in OWN else self._plain
        await app(scope, receive, send)
