"""Periodic background tasks of a server process."""

from __future__ import annotations

from functools import partial

from brinkmanship.web.cluster.db_clock import INTERVAL, DatabaseClock
from brinkmanship.web.cluster.leases import RENEW_SECONDS
from brinkmanship.web.daily import daily_service
from brinkmanship.web.jobs.background import HEARTBEAT_INTERVAL
from brinkmanship.web.matches import duplicate_service, match_service
from brinkmanship.web.notifications.notifier import POLL_INTERVAL as NOTICE_INTERVAL
from brinkmanship.web.notifications.notifier import TIMEOUT, Notifier
from brinkmanship.web.profiles import counting, statistics
from brinkmanship.web.ratings.rating_service import POLL_INTERVAL as RATING_INTERVAL
from brinkmanship.web.seeks import channel_posts, seek_service
from brinkmanship.web.seeks.channel_posts import ChannelPosts
from brinkmanship.web.server import housekeeping
from brinkmanship.web.server.wiring import ServerProcess
from brinkmanship.web.tables.bot_moves import SWEEP_INTERVAL
from brinkmanship.web.tables.replication import COMPARE_INTERVAL
from brinkmanship.web.tables.timeouts import POLL_INTERVAL, Clocks
from brinkmanship.web.tournaments import ticks


async def schedule(process: ServerProcess, notifier: Notifier) -> None:
    """Synchronize with the database's clock, then start the periodic tasks of a process."""
    services, tasks = process.services, process.tasks
    engine = services.engine
    clocks = Clocks(engine, process.writer, process.leases, services.tables, services.event_log, tasks)
    timekeeping = DatabaseClock(engine)
    await timekeeping.set()
    tasks.every(INTERVAL, "time", timekeeping.set)
    tasks.every(RENEW_SECONDS, "homes", process.leases.renew)
    tasks.every(COMPARE_INTERVAL, "compare", services.tables.replication.compare)
    tasks.every(POLL_INTERVAL, "clocks", clocks.look)
    tasks.every(SWEEP_INTERVAL, "computers", partial(services.bot_moves.sweep, engine))
    tasks.every(HEARTBEAT_INTERVAL, "analyses", services.analyses.beat)
    tasks.every(HEARTBEAT_INTERVAL, "own puzzles", services.personal_puzzles.beat)
    tasks.every(HEARTBEAT_INTERVAL, "animations", services.animations.beat)
    tasks.every(HEARTBEAT_INTERVAL, "simulations", services.simulations.beat)
    tasks.every(RATING_INTERVAL, "ratings", services.ratings.rate_finished, patience=TIMEOUT)
    tasks.every(match_service.POLL_INTERVAL, "matches", services.matches.tick)
    tasks.every(duplicate_service.POLL_INTERVAL, "duplicate rounds", services.duplicates.tick)
    tasks.every(daily_service.POLL_INTERVAL, "deals of the day", services.daily.tick, patience=TIMEOUT)
    tasks.every(ticks.POLL_INTERVAL, "tournaments", services.tournaments.tick, patience=TIMEOUT)
    tasks.every(NOTICE_INTERVAL, "turn notices", notifier.tick, patience=TIMEOUT)
    tasks.every(counting.INTERVAL, "results", partial(counting.count, engine, services.tables), patience=TIMEOUT)
    tasks.every(statistics.INTERVAL, "statistics", partial(statistics.compute, engine), patience=TIMEOUT)
    tasks.every(seek_service.MATCH_SECONDS, "seeks", services.seeks.tick)
    tasks.every(seek_service.POLL_INTERVAL, "waiting seekers", services.seeks.look)
    tasks.every(seek_service.SETTLE_SECONDS, "games found", services.seeks.settle)
    posts = ChannelPosts(engine, services.settings)
    tasks.every(channel_posts.POST_SECONDS, "posts of seeks", posts.tick, patience=TIMEOUT)
    put_away = partial(housekeeping.put_away, engine, services.seating, services.settings)
    tasks.every(housekeeping.INTERVAL, "housekeeping", put_away, patience=TIMEOUT)
