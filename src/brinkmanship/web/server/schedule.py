"""Periodic background tasks of a server process."""

from __future__ import annotations

from functools import partial

from brinkmanship.web.cluster.db_clock import INTERVAL, DatabaseClock
from brinkmanship.web.cluster.leases import RENEW_SECONDS
from brinkmanship.web.jobs.background import HEARTBEAT_INTERVAL
from brinkmanship.web.notifications.notifier import TICK_SECONDS, TIMEOUT, Notifier
from brinkmanship.web.ratings.rating_service import POLL_INTERVAL as RATING_INTERVAL
from brinkmanship.web.server import housekeeping
from brinkmanship.web.server.wiring import ServerProcess
from brinkmanship.web.tables.bot_moves import SWEEP_SECONDS
from brinkmanship.web.tables.registry import COMPARE_SECONDS
from brinkmanship.web.tables.timeouts import POLL_INTERVAL, Clocks


async def schedule(process: ServerProcess, notifier: Notifier) -> None:
    """Synchronize with the database's clock, then start the periodic tasks of a process."""
    services, tasks = process.services, process.tasks
    engine = services.engine
    clocks = Clocks(engine, process.writer, process.leases, services.tables, services.event_log, tasks)
    timekeeping = DatabaseClock(engine)
    await timekeeping.set()
    tasks.every(INTERVAL, "time", timekeeping.set)
    tasks.every(RENEW_SECONDS, "homes", process.leases.renew)
    tasks.every(COMPARE_SECONDS, "compare", services.tables.compare)
    tasks.every(POLL_INTERVAL, "clocks", clocks.look)
    tasks.every(SWEEP_SECONDS, "computers", partial(services.bot_moves.sweep, engine))
    tasks.every(HEARTBEAT_INTERVAL, "analyses", services.analyses.beat)
    tasks.every(HEARTBEAT_INTERVAL, "own puzzles", services.personal_puzzles.beat)
    tasks.every(HEARTBEAT_INTERVAL, "simulations", services.simulations.beat)
    tasks.every(RATING_INTERVAL, "ratings", services.ratings.rate_finished, patience=TIMEOUT)
    tasks.every(TICK_SECONDS, "turn notices", notifier.tick, patience=TIMEOUT)
    put_away = partial(housekeeping.put_away, engine, services.seating, services.settings)
    tasks.every(housekeeping.INTERVAL, "housekeeping", put_away, patience=TIMEOUT)
