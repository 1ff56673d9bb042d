"""The application: middleware, errors, and the two faces of the authority, `routes` and `pages`."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from sqlalchemy import Engine
from sqlalchemy.exc import DataError, SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from brinkmanship import __version__
from brinkmanship.store.database import open_database, sqlite_file
from brinkmanship.store.writer import TRANSIENT_ERRORS, Writer
from brinkmanship.web import pages
from brinkmanship.web.accounts.account_service import AccountService
from brinkmanship.web.accounts.contacts import ContactService
from brinkmanship.web.accounts.password_service import Passwords
from brinkmanship.web.accounts.users import UserService
from brinkmanship.web.api.routes import api
from brinkmanship.web.cluster.db_clock import INTERVAL, DatabaseClock
from brinkmanship.web.cluster.leases import RENEW_SECONDS, TableLeases, process_name
from brinkmanship.web.cluster.postgres_pubsub import PostgresPubSub
from brinkmanship.web.cluster.pubsub import Notification, PubSub
from brinkmanship.web.cluster.unix_pubsub import UnixPubSub
from brinkmanship.web.jobs.background import HEARTBEAT_INTERVAL
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.notifications.notifier import TICK_SECONDS, TIMEOUT, Notifier
from brinkmanship.web.notifications.presence import Presence
from brinkmanship.web.pages.account import export
from brinkmanship.web.presentation.replay import ReplayCache, ReplaySource
from brinkmanship.web.server import housekeeping
from brinkmanship.web.server.compression import CompressionMiddleware
from brinkmanship.web.server.connections import StreamLimits
from brinkmanship.web.server.error_responses import error_response, internal_error_response
from brinkmanship.web.server.health import Health
from brinkmanship.web.server.metrics import Metrics, MetricsMiddleware
from brinkmanship.web.server.request_guard import RequestGuardMiddleware
from brinkmanship.web.server.static_files import KeptFiles
from brinkmanship.web.server.tracing import Traces, Tracing
from brinkmanship.web.services import build_services
from brinkmanship.web.support.bounded_pool import BoundedPool
from brinkmanship.web.support.errors import RequestError
from brinkmanship.web.support.lru_cache import LruCache
from brinkmanship.web.support.problem_json import request_error_for
from brinkmanship.web.support.rate_limit import VisitorLimits
from brinkmanship.web.support.settings import Settings, sign_of_life
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.bot_moves import SWEEP_SECONDS
from brinkmanship.web.tables.outage import OutageMonitor
from brinkmanship.web.tables.registry import COMPARE_SECONDS, TableRegistry
from brinkmanship.web.tables.timeouts import POLL_INTERVAL, Clocks

log = logging.getLogger("brinkmanship.web")

READING_THREADS = 1
"""That make the pages which take long. More would hold the event loop up: of Python only one thread runs at a time."""
MAX_READING = 64
MAX_READING_OF_ADDRESS = 8
MAX_UPLOADED_FILMS = 64
"""Journals from elsewhere that are kept in memory, ready to be looked at."""
MAX_PROOFS = 1_000

_SAID = {404: "refused.address", 405: "refused.method"}
"""What pages say to requests that the framework refuses by itself, by the status."""

STATIC = Path(__file__).parents[1] / "static"


def channel_between(engine: Engine, folder: Path | None, name: str) -> PubSub:
    """The channel of a process of this name to all others on its database; see `channel`.

    Args:
        folder: where workers of one machine find one another, None: there is only one.
    """
    if engine.dialect.name == "postgresql":
        return PostgresPubSub(engine, name)
    return UnixPubSub(folder) if folder else PubSub()


METRICS_SECONDS = 5.0
"""How often it is tried to show figures where the port was taken: by the worker that this one takes over from."""


class _Shown:
    """The figures of a process, shown as soon as their port is free."""

    def __init__(self, metrics: Metrics, settings: Settings) -> None:
        self._metrics = metrics
        self._settings = settings
        self._end: Callable[[], None] | None = None

    async def show(self) -> None:
        """See to it that they are shown."""
        if self._end is None:
            ports = max(1, self._settings.workers)
            self._end = self._metrics.serve(self._settings.metrics_host, self._settings.metrics_port, ports)

    def end(self) -> None:
        """Show them no more."""
        if self._end is not None:
            self._end()


class _Application(FastAPI):
    """An application with a door: what is answered there never meets the layers of the framework."""

    door: Any
    """An ASGI application; see `create_app`."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the ASGI specification."""
        scope["app"] = self
        await self.door(scope, receive, send)


def _ignore(_: str) -> None:
    pass


def create_app(settings: Settings) -> FastAPI:
    """A server for these settings; opens and migrates the database when it starts."""

    metrics = Metrics()
    traces = Traces(settings.traces) if settings.traces else None

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        engine = open_database(settings.database_url)
        if traces is not None:
            traces.watch(engine)
        folder = Path(settings.channel) if settings.channel else None
        turn_file = folder / ".writing" if folder and engine.dialect.name == "sqlite" else None
        writer = Writer(engine, turn_file, metrics.written)
        name = process_name()
        channel = channel_between(engine, folder, name)
        leases = TableLeases(engine, writer, "" if channel.is_alone else name)
        is_first = await leases.enter(channel.has_come_up())
        users = UserService(engine, lambda person: channel.tell(Notification(person=person)))
        tasks = Supervisor()
        remote_workers = RemoteWorkers(engine, name) if isinstance(channel, PostgresPubSub) else None
        job_answered = remote_workers.answered if remote_workers else _ignore
        tables = TableRegistry(engine, channel, tasks, users.forget, job_answered)
        outage_monitor = OutageMonitor(engine, writer, is_first, tables.clocks_stood_still)
        services = build_services(
            engine, writer, tables, settings, channel, leases, tasks, outage_monitor, remote_workers, metrics.chosen
        )
        metrics.watch(
            engine,
            {
                "brink_streams": ("Open tables that are told of news.", lambda: app.state.streams.number),
                "brink_tables_in_memory": ("Tables in memory.", lambda: services.tables.number),
                "brink_tables_with_faults": ("Tables whose work failed.", lambda: tasks.tables_with_faults),
                "brink_task_faults": ("Standing tasks that fail or are late.", lambda: len(tasks.faults())),
                "brink_bus_cuts": (
                    "Times that the line to the others was cut.",
                    lambda: channel.cuts,
                ),
            },
        )
        app.state.engine = engine
        app.state.people = users
        app.state.passwords = Passwords()
        app.state.reading = BoundedPool("reading", READING_THREADS, MAX_READING, MAX_READING_OF_ADDRESS)
        app.state.services = services
        app.state.exports = BoundedPool("exports", 1, export.MAX_AT_ONCE, 1)
        app.state.accounts = AccountService(engine, users)
        app.state.health = Health(engine, outage_monitor, tasks, sqlite_file(settings.database_url))
        app.state.contacts = ContactService(
            engine,
            needs_https=not settings.webhooks_to_private,
            ports=None if settings.webhooks_to_private else settings.webhook_ports,
            mails_of_address=settings.mails_of_address,
        )
        channel.listen(services.tables.hear)
        if settings.smtp_host and not settings.sends_mail:
            log.warning("no mail is sent: BRINK_SMTP_HOST is set, but BRINK_PUBLIC_URL is not")
        notifier = Notifier(engine, services.tables, app.state.presence, settings)
        clocks = Clocks(engine, writer, leases, services.tables, services.event_log, tasks)
        timekeeping = DatabaseClock(engine)
        await timekeeping.set()
        tasks.every(INTERVAL, "time", timekeeping.set)
        tasks.every(RENEW_SECONDS, "homes", leases.renew)
        tasks.every(COMPARE_SECONDS, "compare", services.tables.compare)
        tasks.every(POLL_INTERVAL, "clocks", clocks.look)
        tasks.every(SWEEP_SECONDS, "computers", partial(services.bot_moves.sweep, engine))
        tasks.every(HEARTBEAT_INTERVAL, "analyses", services.analyses.beat)
        tasks.every(HEARTBEAT_INTERVAL, "own puzzles", services.personal_puzzles.beat)
        tasks.every(HEARTBEAT_INTERVAL, "simulations", services.simulations.beat)
        tasks.every(TICK_SECONDS, "turn notices", notifier.tick, patience=TIMEOUT)
        put_away = partial(housekeeping.put_away, engine, services.seating, settings)
        tasks.every(housekeeping.INTERVAL, "housekeeping", put_away, patience=TIMEOUT)
        shown = _Shown(metrics, settings)
        if settings.metrics_port:
            tasks.every(METRICS_SECONDS, "metrics", shown.show)
        try:
            await outage_monitor.beat()
            if folder:
                sign_of_life(folder, os.getpid()).touch()
            yield
        finally:
            await tasks.close()
            shown.end()
            with suppress(SQLAlchemyError):  # where it cannot be written, the pause is counted from the last beat on
                await outage_monitor.last_beat()
            await notifier.close()
            await leases.leave()
            channel.close()
            writer.close()
            app.state.passwords.close()
            app.state.reading.close()
            app.state.exports.close()
            engine.dispose()
            if traces is not None:
                traces.close()

    app = _Application(
        title="Brinkmanship",
        version=__version__,
        summary="Crisis games for two, to the letter of their rules.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # the document about `routes` is its own, and there is none about pages
        telemetry={"auto_configure": False, "tracing": False, "metrics": False, "logs": False},
    )
    app.state.settings = settings
    app.state.metrics = metrics
    app.state.reels = ReplayCache()
    app.state.uploads = LruCache[str, ReplaySource](MAX_UPLOADED_FILMS)
    app.state.proofs = LruCache[str, object](MAX_PROOFS)
    app.state.streams = StreamLimits(settings.streams_of_address, settings.streams_of_person)
    app.state.presence = Presence(60 * settings.notice_away_minutes)
    # What people read, many times smaller; streams and what programs ask for all the time go as they are.
    app.add_middleware(CompressionMiddleware)
    limits = VisitorLimits(settings.requests_per_minute, settings.requests_per_minute_of_address)
    app.door = RequestGuardMiddleware(
        api.before(partial(FastAPI.__call__, app)),
        limits,
        trusts_proxies=bool(settings.trusted_proxies),
        secure_cookies=settings.secure_cookies,
    )
    if settings.trusted_proxies:
        app.door = ProxyHeadersMiddleware(app.door, trusted_hosts=list(settings.trusted_proxies))
    if traces is not None:
        app.door = Tracing(app.door, traces)
    app.door = MetricsMiddleware(app.door, metrics, settings.log_requests)

    async def refused(request: Request, error: Exception) -> Response:
        found = request_error_for(request.scope, error)
        assert found is not None
        return error_response(request, found)

    for kind in (RequestError, DataError, *TRANSIENT_ERRORS):
        app.exception_handler(kind)(refused)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        faults = [f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}" for fault in error.errors()]
        return error_response(request, RequestError("; ".join(faults)))

    @app.exception_handler(HTTPException)
    async def not_found(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        refusal = RequestError(str(error.detail), _SAID.get(error.status_code, "refused.request"))
        refusal.status = error.status_code
        refusal.key = "error.not_found" if error.status_code == 404 else "error.bad_request"
        response = error_response(request, refusal)
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        return internal_error_response(request, error)

    @app.get("/health", include_in_schema=False)
    async def health(request: Request) -> Response:
        """For the operator and for load balancers: 503 with reasons where something is wrong."""
        report = await request.app.state.health.report()
        return JSONResponse(report, 503 if report["reasons"] else 200)

    app.mount("/static", KeptFiles(directory=STATIC), name="static")
    app.include_router(pages.router)
    return app
