"""What is put away from time to time: open tables nobody came to, what was closed long ago, old entries of ledgers.

Every worker process does it; what one has done another finds done.
"""

from __future__ import annotations

import asyncio
import logging
import time

from sqlalchemy import Engine

from brinkmanship.store import repository
from brinkmanship.web.accounts import mail_rate_limit
from brinkmanship.web.jobs.queue import Jobs
from brinkmanship.web.support.settings import Settings
from brinkmanship.web.tables.seating import Seating

log = logging.getLogger("brinkmanship.web")

INTERVAL = 300
CLOSED_KEPT_SECONDS = 7 * 24 * 3600
"""So long the page of a table that was closed says so."""
DAY_SECONDS = 24 * 3600
DATA_KEPT_SECONDS = 90 * DAY_SECONDS
"""So long changed cards and scenarios are kept that nobody plays with, and what came of simulations."""


async def put_away(engine: Engine, seating: Seating, settings: Settings) -> None:
    """Put away once; to be called every `INTERVAL`."""
    now = time.time()
    if settings.open_table_days:
        closed = await seating.close_expired(now - settings.open_table_days * DAY_SECONDS)
        if closed:
            log.info("open tables have expired", extra={"tables": closed})
    await seating.end_deserted()
    await asyncio.to_thread(repository.remove_closed, engine, now - CLOSED_KEPT_SECONDS)
    await asyncio.to_thread(repository.remove_data_files, engine, now - DATA_KEPT_SECONDS)
    await asyncio.to_thread(repository.remove_simulations, engine, now - DATA_KEPT_SECONDS)
    await asyncio.to_thread(mail_rate_limit.forget_old, engine, now)
    await asyncio.to_thread(Jobs(engine).put_away)
