"""Schedule the moves of computer players, and answer by standing orders.

A move is computed in another process (`process_pool`) or on another machine (`remote`) from the game as that side saw
it. The process that holds the table's lease asks for it.

That a computer is to move is stored with the table's row, in the transaction of the record that makes it so. Whatever
happens (a notification is lost, a worker dies, the server stops), the next sweep finds the tables that still wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial

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
from brinkmanship.web.tables.live_table import ACTION, RUNNING, LiveTable
from brinkmanship.web.tables.registry import TableRegistry

SWEEP_SECONDS = 3.0
"""How often the database is asked for tables whose computer has not been set thinking, and how long each has to wait
before it counts as forgotten."""

KNOCK_SECONDS = 1.0
"""How often, at most, it is asked whether a table is at home here whose computer is waited for."""


WATCHED_SECONDS = 20.0
"""Somebody looks on whose page was open so long ago at most; a program that plays is not kept waiting."""
FASTER = 0.85
"""Of the time over one step, that over the next one in a row: ten steps shall not take ten times as long as one."""
FASTEST = 0.4


class BotMoves:
    """Plays every side that a computer has, at the tables whose home is this worker.

    Args:
        pace: minimum time of a decision (s) where somebody looks on, so that it can be followed.
        observe: called with the place where a computer has chosen ("here", "another") and the seconds it took.
        remote_workers: other machines for computer players, None: there are none.
    """

    def __init__(
        self,
        tables: TableRegistry,
        event_log: EventLog,
        channel: PubSub,
        leases: TableLeases,
        tasks: Supervisor,
        pace: float,
        observe: Callable[[str, float], object],
        remote_workers: RemoteWorkers | None = None,
    ) -> None:
        self._tables = tables
        self._event_log = event_log
        self._channel = channel
        self._leases = leases
        self._tasks = tasks
        self._remote_workers = remote_workers
        self._pace = pace
        self._observe = observe

    def table_used(self, table: LiveTable) -> None:
        """Let the computer answer, if one is asked at this table: here, or at the table's home."""
        if not table.goes_on_by_itself:
            return
        if self._leases.holds(table.id) or time.monotonic() - table.last_claim_attempt >= KNOCK_SECONDS:
            table.last_claim_attempt = time.monotonic()
            self.play(table.id)

    def computer_due(self, table_id: str) -> None:
        """Another process says that a computer is waited for."""
        if self._leases.holds(table_id):
            self.play(table_id)

    def play(self, table_id: str) -> None:
        """See to it that the computer answers, if this is the table's home or can be."""
        self._tasks.start("computer", table_id, partial(self._play, table_id))

    async def sweep(self, engine: Engine) -> None:
        """Set the computers thinking that are waited for and have been forgotten, by whatever fault."""
        for table_id in await asyncio.to_thread(_forgotten, engine, time_control.now() - SWEEP_SECONDS):
            self.play(table_id)

    async def _play(self, table_id: str) -> None:
        """Answer for the computer until a person is asked."""
        if not await self._leases.claim(table_id):
            self._channel.tell(Notification(table_id, due=True))
            return
        steps = 0
        while True:
            started = time.monotonic()
            table = await self._tables.table(table_id)
            if table.ordered is not None:
                await self._event_log.do(table, partial(_as_ordered, table))
                continue
            side = table.computer_asked
            if side is None:
                return
            name = table.seats[side].computer or ""
            count = len(table.records)
            seen = partial(table.still().seen_game, side)
            began, where = time.perf_counter(), "another"
            choice = (
                await self._remote_workers.choice(f"{table_id}.{count}.{side}", name, seen)
                if self._remote_workers
                else None
            )
            if choice is None:
                where = "here"
                choice = await asyncio.wrap_future(process_pool().ask(name, seen))
            self._observe(where, time.perf_counter() - began)
            if table.who_is_here(WATCHED_SECONDS):
                least = self._pace * max(FASTER**steps, FASTEST)
                await asyncio.sleep(max(0.0, started + least - time.monotonic()))
            steps += 1
            await self._event_log.do(table, partial(_unless_changed, table, count, side, choice.action), choice.reason)


def _as_ordered(table: LiveTable) -> TableRecord | None:
    """What a standing order answers at this moment, if it does: it may just have been revoked."""
    if (ordered := table.ordered) is None:
        return None
    side, action = ordered
    return TableRecord(ACTION, side, action, time.time())


def _unless_changed(table: LiveTable, count: int, side: int, action: int) -> TableRecord | None:
    """The computer's action; none where somebody acted while it thought, so that it thinks again."""
    if len(table.records) != count or table.status != RUNNING:
        return None
    return TableRecord(ACTION, side, action, time.time())


def _forgotten(engine: Engine, before: float) -> list[str]:
    wanted = select(tables.c.id).where(tables.c.status == RUNNING, tables.c.computer_asked_at < before)
    with engine.connect() as connection:
        return list(connection.execute(wanted).scalars())
