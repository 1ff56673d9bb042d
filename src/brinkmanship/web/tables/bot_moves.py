"""Scheduler for the moves of computer players and standing orders.

A move is computed in another process (`process_pool`) or on another machine (`remote`) from the game as that side saw
it. The process that holds the table's lease requests it.

The table's row stores that a bot is to move, in the transaction of the record that makes it so. Whatever happens (a
notification is lost, a worker dies, the server stops), the next sweep finds the tables that still wait.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable
from functools import partial
from weakref import WeakKeyDictionary

from sqlalchemy import Engine, select

from brinkmanship.store.schema import tables
from brinkmanship.web.cluster.leases import TableLeases
from brinkmanship.web.cluster.pubsub import Notification, PubSub
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.jobs.process_pool import process_pool
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.support import time_control
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import ACTION
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.statuses import RUNNING

SWEEP_INTERVAL = 3.0
"""Interval (s) of searches for overdue bot moves in the database; also the time after which a move is overdue."""

CLAIM_INTERVAL = 1.0
"""Minimum interval (s) between two attempts to claim the lease of a table where a bot is to move."""


WATCHED_SECONDS = 20.0
"""Maximum time (s) since a page had the table open for it to count as watched; API clients need not wait."""
FASTER = 0.85
"""Factor by which each further step in a row is faster: ten steps must not take ten times as long as one."""
FASTEST = 0.4


class BotMoves:
    """Plays all bots at the tables whose lease this worker holds.

    Args:
        tables: Registry of the tables in memory.
        event_log: Log that records the moves.
        pubsub: Pub/sub channel to the other processes.
        leases: Per-table leases of this process.
        tasks: Supervisor of the background tasks.
        pace: Minimum time of a decision (s) while someone is watching, so that they can follow it.
        observe: Called with where a bot's choice was computed ("here", "another") and the seconds it took.
        remote_workers: Client for remote workers; None if there are none.
    """

    def __init__(
        self,
        tables: TableRegistry,
        event_log: EventLog,
        pubsub: PubSub,
        leases: TableLeases,
        tasks: Supervisor,
        pace: float,
        observe: Callable[[str, float], object],
        remote_workers: RemoteWorkers | None = None,
    ) -> None:
        self._tables = tables
        self._event_log = event_log
        self._pubsub = pubsub
        self._leases = leases
        self._tasks = tasks
        self._remote_workers = remote_workers
        self._pace = pace
        self._observe = observe
        self._claim_tried_at: WeakKeyDictionary[LiveTable, float] = WeakKeyDictionary()
        """Monotonic time (s) of the last attempt to claim a table's lease."""

    def table_used(self, table: LiveTable) -> None:
        """Schedule the bot move, if one is due at this table: here, or in the process that holds the lease."""
        if not table.state.goes_on_by_itself:
            return
        if self._leases.holds(table.id) or time.monotonic() - self._claim_tried_at.get(table, 0.0) >= CLAIM_INTERVAL:
            self._claim_tried_at[table] = time.monotonic()
            self.play(table.id)

    def computer_due(self, table_id: str) -> None:
        """Schedule the bot move that another process reports as due, if this process holds the lease."""
        if self._leases.holds(table_id):
            self.play(table_id)

    def play(self, table_id: str) -> None:
        """Schedule the bot moves of a table, if this process holds or can claim its lease."""
        self._tasks.start("computer", table_id, partial(self._play, table_id))

    async def sweep(self, engine: Engine) -> None:
        """Schedule bot moves that are overdue, for whatever reason."""
        for table_id in await asyncio.to_thread(_forgotten, engine, time_control.now() - SWEEP_INTERVAL):
            self.play(table_id)

    async def _play(self, table_id: str) -> None:
        """Play for the bot until a user is to move."""
        if not await self._leases.claim(table_id):
            self._pubsub.publish(Notification(table_id, due=True))
            return
        steps = 0
        while True:
            started = time.monotonic()
            table = await self._tables.table(table_id)
            if table.state.ordered is not None:
                await self._event_log.do(table, partial(_as_ordered, table))
                continue
            side = table.state.computer_asked
            if side is None:
                return
            name = table.seats[side].computer or ""
            count = len(table.records)
            seen, seed = partial(table.snapshot().seen_game, side), bot_seed(table, side)
            began, where = time.perf_counter(), "another"
            choice = (
                await self._remote_workers.choice(f"{table_id}.{count}.{side}", name, seen, seed)
                if self._remote_workers
                else None
            )
            if choice is None:
                where = "here"
                choice = await asyncio.wrap_future(process_pool().ask(name, seen, seed))
            self._observe(where, time.perf_counter() - began)
            if table.presence.who_is_here(WATCHED_SECONDS):
                least = self._pace * max(FASTER**steps, FASTEST)
                await asyncio.sleep(max(0.0, started + least - time.monotonic()))
            steps += 1
            await self._event_log.do(table, partial(_unless_changed, table, count, side, choice.action), choice.reason)


def bot_seed(table: LiveTable, side: int) -> int | None:
    """Return the seed of a computer player's next choice; None lets it choose by chance.

    While others play the same deal it follows from the deal's secret and from all that the side sees, so that the same
    moves get the same reply at every table.
    """
    if not table.sealed:
        return None
    purpose = b"brinkmanship computer 1 %d " % side
    return int.from_bytes(hmac.digest(table.secret, purpose + table.view(side).tobytes(), "sha256")[:8], "big")


def _as_ordered(table: LiveTable) -> TableRecord | None:
    """Return the action of a standing order at this moment; None if it has just been revoked."""
    if (ordered := table.state.ordered) is None:
        return None
    side, action = ordered
    return TableRecord(ACTION, side, action, time.time())


def _unless_changed(table: LiveTable, count: int, side: int, action: int) -> TableRecord | None:
    """Return the bot's action; None if someone acted during its computation, so that it chooses again."""
    if len(table.records) != count or table.status != RUNNING:
        return None
    return TableRecord(ACTION, side, action, time.time())


def _forgotten(engine: Engine, before: float) -> list[str]:
    wanted = select(tables.c.id).where(tables.c.status == RUNNING, tables.c.computer_asked_at < before)
    with engine.connect() as connection:
        return list(connection.execute(wanted).scalars())
