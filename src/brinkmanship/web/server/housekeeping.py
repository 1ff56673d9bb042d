"""Periodic cleanup: unused open tables, tables closed long ago, old entries of rate limits and jobs.

Every worker process does it; work already done by another is skipped.
"""

from __future__ import annotations

import asyncio
import logging
import time

from sqlalchemy import Engine

from brinkmanship.store import challenges, moderation, notices, repository, seeks
from brinkmanship.web.accounts import mail_rate_limit
from brinkmanship.web.accounts.contacts import remove_webhooks_of_finished
from brinkmanship.web.jobs.queue import Jobs
from brinkmanship.web.studies import animations
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.tables.seating import Seating

log = logging.getLogger("brinkmanship.web")

INTERVAL = 300
CLOSED_KEPT_SECONDS = 7 * 24 * 3600
"""Time (s) for which the page of a closed table still says that it was closed."""
DAY_SECONDS = 24 * 3600
SEEKS_KEPT_SECONDS = 90 * DAY_SECONDS
"""Retention time (s) of settled seeks and challenges."""
DATA_KEPT_SECONDS = 90 * DAY_SECONDS
"""Retention time (s) of unused custom cards and scenarios, and of simulation results."""

ANIMATIONS_KEPT_SECONDS = 30 * DAY_SECONDS
"""Retention time (s) of animated replays; a later request draws them again."""


async def put_away(engine: Engine, seating: Seating, settings: Settings) -> None:
    """Clean up once; call it every `INTERVAL`."""
    now = time.time()
    if settings.open_table_days:
        closed = await seating.close_expired(now - settings.open_table_days * DAY_SECONDS)
        if closed:
            log.info("open tables have expired", extra={"tables": closed})
    await seating.end_deserted()
    await asyncio.to_thread(repository.remove_closed, engine, now - CLOSED_KEPT_SECONDS)
    await asyncio.to_thread(repository.remove_data_files, engine, now - DATA_KEPT_SECONDS)
    await asyncio.to_thread(repository.remove_simulations, engine, now - DATA_KEPT_SECONDS)
    await asyncio.to_thread(animations.remove_old, engine, now - ANIMATIONS_KEPT_SECONDS, settings.animations)
    await asyncio.to_thread(seeks.remove_old, engine, now - SEEKS_KEPT_SECONDS)
    await asyncio.to_thread(challenges.remove_old, engine, now - SEEKS_KEPT_SECONDS)
    if settings.moderation_days:
        await asyncio.to_thread(moderation.remove_old, engine, now - settings.moderation_days * DAY_SECONDS)
    await asyncio.to_thread(mail_rate_limit.forget_old, engine, now)
    await asyncio.to_thread(_forget_notices, engine, now)
    await asyncio.to_thread(Jobs(engine).put_away)


def _forget_notices(engine: Engine, now: float) -> None:
    with engine.begin() as connection:
        notices.remove_old_announcements(connection, now)
        remove_webhooks_of_finished(connection)
