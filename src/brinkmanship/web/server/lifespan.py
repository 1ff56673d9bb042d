"""Lifespan of one server process: what starts at startup, and the order in which everything is closed."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette

from brinkmanship.web.notifications.notifier import Notifier
from brinkmanship.web.server.metrics import Metrics, MetricsServer
from brinkmanship.web.server.schedule import schedule
from brinkmanship.web.server.tracing import Traces
from brinkmanship.web.server.wiring import ServerProcess, open_process
from brinkmanship.web.support.settings import Settings, sign_of_life

log = logging.getLogger("brinkmanship.web")

METRICS_SECONDS = 5.0
"""Retry interval (s) if the metrics port is in use, such as by the worker that this one takes over from."""


def lifespan_of(
    settings: Settings, metrics: Metrics, traces: Traces | None
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """Return the lifespan of an application; during it, `app.state.services` holds its `ServerServices`."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        process = await open_process(settings, metrics, traces)
        services = app.state.services = process.services
        _watch(metrics, process)
        process.pubsub.listen(services.tables.apply_notifications)
        if settings.smtp_host and not settings.sends_mail:
            log.warning("no e-mails are sent: BRINK_SMTP_HOST is set, but BRINK_PUBLIC_URL is not")
        notifier = Notifier(services.engine, services.tables, services.presence, settings)
        await schedule(process, notifier)
        shown = MetricsServer(metrics, settings.metrics_host, settings.metrics_port, max(1, settings.workers))
        if settings.metrics_port:
            process.tasks.every(METRICS_SECONDS, "metrics", shown.show)
        try:
            await process.outage_monitor.beat()
            if settings.channel:
                sign_of_life(Path(settings.channel), os.getpid()).touch()
            yield
        finally:
            await process.tasks.close()
            shown.end()
            with suppress(SQLAlchemyError):  # on failure the pause is counted from the last heartbeat on
                await process.outage_monitor.last_beat()
            await notifier.close()
            await process.leases.leave()
            process.close()
            if traces is not None:
                traces.close()

    return lifespan


def _watch(metrics: Metrics, process: ServerProcess) -> None:
    services, tasks = process.services, process.tasks
    metrics.watch(
        services.engine,
        {
            "brink_streams": ("Open event streams.", lambda: services.streams.number),
            "brink_tables_in_memory": ("Tables in memory.", lambda: services.tables.number),
            "brink_tables_with_faults": (
                "Tables with a failed task that will be retried.",
                lambda: tasks.tables_with_faults,
            ),
            "brink_task_faults": ("Periodic tasks that fail or are overdue.", lambda: len(tasks.faults())),
            "brink_bus_cuts": ("Lost connections to the other processes.", lambda: process.pubsub.cuts),
        },
    )
