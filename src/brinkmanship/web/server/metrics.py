"""Prometheus metrics: requests and their durations, contents of memory, queues.

They are served on a separate port (`BRINK_METRICS_PORT`), never on the public one. They describe the server, not games
or users: no name, table or address is included.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brinkmanship.store import repository
from brinkmanship.web.jobs.queue import Jobs
from brinkmanship.web.support.logs import about, begin_request

log = logging.getLogger("brinkmanship.requests")

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Histogram buckets (s) for responses and the database."""
THINKING_SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 120.0)
"""Histogram buckets (s) for computer players."""
OTHER = "other"
"""Page label of requests to unknown paths."""


class Metrics:
    """Metrics of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._requests = Counter(
            "brink_requests", "Completed requests.", ("method", "page", "status"), registry=self.registry
        )
        self._answers = Histogram(
            "brink_answer_seconds",
            "Time from a request to the end of its response (s), without streams.",
            ("page",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._of_pages: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        """Cached metric children per kind of request: looking them up by label takes as long as counting."""
        self._writes = Histogram(
            "brink_write_seconds", "Duration of the writer's transactions (s).", buckets=SECONDS, registry=self.registry
        )
        self._written = Counter(
            "brink_writes", "Jobs of the writer, by outcome (well or badly).", ("went",), registry=self.registry
        )
        self._choices = Histogram(
            "brink_choice_seconds",
            "Time a computer player takes to choose (s), here or on another machine.",
            ("where",),
            buckets=THINKING_SECONDS,
            registry=self.registry,
        )

    def answered(self, method: str, page: str, status: int, seconds: float, is_stream: bool) -> None:
        """Count a request that has been responded to."""
        counter, answers = self._of_pages.get((method, page, status)) or self._of_page(method, page, status)
        counter.inc()
        if not is_stream:
            answers.observe(seconds)

    def _of_page(self, method: str, page: str, status: int) -> tuple[Counter, Histogram]:
        figures = self._requests.labels(method, page, str(status)), self._answers.labels(page)
        return self._of_pages.setdefault((method, page, status), figures)

    def written(self, jobs: int, seconds: float, is_well: bool) -> None:
        """Count a transaction that the writer has tried."""
        self._writes.observe(seconds)
        self._written.labels("well" if is_well else "badly").inc(jobs)

    def chosen(self, where: str, seconds: float) -> None:
        """Count a choice of a computer player, computed "here" or at "another" machine."""
        self._choices.labels(where).observe(seconds)

    def watch(self, engine: Engine, gauges: dict[str, tuple[str, Callable[[], float]]]) -> None:
        """Add gauges, by name with description and value, and the metrics read from the database."""
        self.registry.register(_Gauges(gauges))
        self.registry.register(_OfDatabase(engine))

    def serve(self, host: str, first_port: int, ports: int) -> Callable[[], None]:
        """Serve the metrics on the first free of several ports; return the function that stops it.

        Raises:
            OSError: None of the ports is free.
        """
        for port in range(first_port, first_port + ports):
            with suppress(OSError):
                return partial(_end, *start_http_server(port, host, self.registry))
        raise OSError(f"no port from {first_port} on is free on {host}")


class MetricsServer:
    """HTTP server of a process's metrics, started once a port is free; see `Metrics.serve`."""

    def __init__(self, metrics: Metrics, host: str, first_port: int, ports: int) -> None:
        self._serve = partial(metrics.serve, host, first_port, ports)
        self._end: Callable[[], None] | None = None

    async def show(self) -> None:
        """Start serving, unless already started.

        Raises:
            OSError: No port is free.
        """
        if self._end is None:
            self._end = self._serve()

    def end(self) -> None:
        """Stop serving."""
        if self._end is not None:
            self._end()


def _end(server: WSGIServer, thread: Thread) -> None:
    server.shutdown()
    server.server_close()
    thread.join()


class _Gauges(Collector):
    def __init__(self, gauges: dict[str, tuple[str, Callable[[], float]]]) -> None:
        self._gauges = gauges

    def collect(self) -> Iterator[Metric]:
        for name, (what, value) in self._gauges.items():
            yield GaugeMetricFamily(name, what, value())


class _OfDatabase(Collector):
    """Metrics read from the database; the same in every process, so scraping one is enough."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs = Jobs(engine)

    def describe(self) -> list[Metric]:
        return []  # avoids a database query at registration

    def collect(self) -> Iterator[Metric]:
        try:
            running, waiting = repository.running_count(self._engine), self._jobs.waiting()
            workers = [row for row in self._jobs.all_workers() if row.seconds_left > 0]
        except SQLAlchemyError:  # the database is down, which its own gauge reports
            yield GaugeMetricFamily("brink_database_up", "1 if the database responds, otherwise 0.", 0)
            return
        yield GaugeMetricFamily("brink_database_up", "1 if the database responds, otherwise 0.", 1)
        yield GaugeMetricFamily("brink_running_games", "Running games.", running)
        yield GaugeMetricFamily("brink_jobs_waiting", "Jobs not yet started by a worker.", waiting)
        yield GaugeMetricFamily("brink_workers", "Live workers for computer players.", len(workers))
        yield GaugeMetricFamily(
            "brink_worker_places", "Jobs these workers can run at the same time.", sum(row.places for row in workers)
        )


def kind_of(scope: Scope) -> tuple[str, str]:
    """Return the method and page label of a request, from a bounded set of values."""
    route = about(scope)
    page = route["page"] or ("/static" if scope["path"].startswith("/static/") else OTHER)
    return route["method"] if route["page"] or page != OTHER else OTHER, page  # clients can invent methods


class MetricsMiddleware:
    """Middleware that counts requests, sets their ids for the logs, and logs them if the settings say so."""

    def __init__(self, app: ASGIApp, metrics: Metrics, logs_requests: bool = False) -> None:
        self.app = app
        self._metrics = metrics
        self._logs_requests = logs_requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begin_request(dict(scope["headers"]).get(b"x-request-id"))
        began, status, is_stream = time.perf_counter(), 500, False

        async def send_noted(message: Message) -> None:
            nonlocal status, is_stream
            if message["type"] == "http.response.start":
                status = message["status"]
                is_stream = dict(message["headers"]).get(b"content-type", b"").startswith(b"text/event-stream")
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        finally:
            seconds = time.perf_counter() - began
            self._metrics.answered(*kind_of(scope), status, seconds, is_stream)
            if self._logs_requests:
                extra: dict[str, Any] = {**about(scope), "status": status, "milliseconds": round(1000 * seconds, 1)}
                log.info("a request was answered", extra=extra)
