"""The application: middleware, errors, and the two faces of the service, `api` and `pages`."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brinkmanship import __version__
from brinkmanship.store.database import open_database
from brinkmanship.store.writer import Writer
from brinkmanship.web import api, pages
from brinkmanship.web.channel import Channel, Notice
from brinkmanship.web.errors import RequestError, TooLargeError, TooManyError
from brinkmanship.web.identity import COOKIE
from brinkmanship.web.limits import RateLimit
from brinkmanship.web.people import PeopleService
from brinkmanship.web.quick import QuickLane
from brinkmanship.web.service import TableService
from brinkmanship.web.settings import Settings
from brinkmanship.web.turns.contacts import ContactService
from brinkmanship.web.turns.notifier import Notifier
from brinkmanship.web.turns.presence import Presence

log = logging.getLogger("brinkmanship.web")

STATIC = Path(__file__).parent / "static"
MOST_BYTES = 1_000_000
"""The largest request that is read: a journal that is uploaded."""

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def create_app(settings: Settings) -> FastAPI:
    """A server for these settings; opens and migrates the database when it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        engine = open_database(settings.database_url)
        folder = Path(settings.channel) if settings.channel else None
        writer = Writer(engine, folder / ".writing" if folder and engine.dialect.name == "sqlite" else None)
        channel = Channel(folder)
        people = PeopleService(engine, lambda person: channel.tell(Notice(person=person)))
        tables = TableService(engine, writer, channel, people.forget)
        app.state.engine = engine
        app.state.people = people
        app.state.tables = tables
        app.state.contacts = ContactService(engine, needs_https=not settings.webhooks_to_private)
        channel.listen(tables.hear)
        notifier = Notifier(engine, tables, app.state.presence, settings)
        notices = asyncio.create_task(notifier.run())
        clocks = asyncio.create_task(tables.watch_clocks())
        try:
            yield
        finally:
            clocks.cancel()
            notices.cancel()
            notifier.close()
            channel.close()
            writer.close()
            engine.dispose()

    app = FastAPI(
        title="Brinkmanship",
        version=__version__,
        summary="Crisis games for two, to the letter of their rules.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.settings = settings
    app.state.presence = Presence(60 * settings.notice_away_minutes)
    app.add_middleware(QuickLane)
    app.add_middleware(Guard, limit=RateLimit(settings.requests_per_minute))

    @app.exception_handler(RequestError)
    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestError)
        return _problem(request, error)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        faults = [f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}" for fault in error.errors()]
        return _problem(request, RequestError("; ".join(faults)))

    @app.exception_handler(HTTPException)
    async def not_found(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        refusal = RequestError(str(error.detail))
        refusal.status = error.status_code
        refusal.key = "error.not_found" if error.status_code == 404 else "error.bad_request"
        response = _problem(request, refusal)
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        # This is answered outside of Guard, so the headers are put here.
        log.error("a request failed", exc_info=error, extra={"path": request.url.path, "method": request.method})
        failure = RequestError("something broke here; it has been logged")
        failure.status = 500
        failure.key = "error.broken"
        response = _problem(request, failure)
        response.headers.update(SECURITY_HEADERS)
        return response

    @app.get("/health", include_in_schema=False)
    async def health(request: Request) -> Response:
        """For the operator and for load balancers: the database answers."""
        from brinkmanship.store.repository import running_count

        count = running_count(request.app.state.engine)
        return JSONResponse({"status": "ok", "version": __version__, "running": count})

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.include_router(api.router)
    app.include_router(pages.router)
    return app


class Guard:
    """Refuses what is too much or too large, and puts the security headers on every answer.

    Plain ASGI: Starlette's function middleware would wrap every event stream in tasks and queues of its own.
    """

    def __init__(self, app: ASGIApp, limit: RateLimit) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_static = scope["path"].startswith("/static/")
        cache = b"public, max-age=31536000, immutable" if is_static else b"no-store"

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [pair for pair in message["headers"] if pair[0] != b"cache-control"]
                own = {name for name, _ in headers}  # a picture that stands alone brings a policy of its own
                added = [pair for pair in _SECURITY if pair[0] not in own]
                message = {**message, "headers": [*headers, *added, (b"cache-control", cache)]}
            await send(message)

        headers = dict(scope["headers"])
        refusal: Response | None = None
        if not is_static and not self.limit.allows(_who(scope, headers)):
            refusal = _problem(Request(scope), TooManyError("too many requests; wait a little"))
            refusal.headers["Retry-After"] = "5"
        elif _too_large(headers):
            refusal = _problem(Request(scope), TooLargeError(f"a request has at most {MOST_BYTES} bytes"))
        await (refusal or self.app)(scope, receive, send_guarded)


_SECURITY = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]


def _who(scope: Scope, headers: dict[bytes, bytes]) -> str:
    if b"cookie" in headers and (session := Request(scope).cookies.get(COOKIE)):
        return session
    if token := headers.get(b"authorization"):
        return token.decode("latin-1")
    return scope["client"][0] if scope.get("client") else ""


def _too_large(headers: dict[bytes, bytes]) -> bool:
    length = headers.get(b"content-length", b"0")
    if headers.get(b"transfer-encoding"):
        return True
    return not length.isdigit() or int(length) > MOST_BYTES


def _problem(request: Request, error: RequestError) -> Response:
    """RFC 9457 for programs, a page in the reader's language for people."""
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        body = {"type": "about:blank", "title": error.key.removeprefix("error.").replace("_", " ")}
        body |= {"status": error.status, "detail": error.detail}  # type: ignore[dict-item]
        return Response(json.dumps(body), error.status, media_type="application/problem+json")
    return pages.error_page(request, error)
