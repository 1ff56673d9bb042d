"""Registry of the tables in memory: finds or loads a table, and publishes what this process has written.

What other processes write reaches the tables by `replication`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from sqlalchemy import Engine

from brinkmanship.engine.game import OBSERVER
from brinkmanship.web.cluster.pubsub import Notification, PubSub
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.replication import Replication
from brinkmanship.web.tables.ruleset_cache import Rulesets
from brinkmanship.web.tables.table_cache import TableCache
from brinkmanship.web.tables.table_loader import TableLoader


class TableEvents(Protocol):
    """Subscriber for tables where a bot may be to move."""

    def table_used(self, table: LiveTable) -> None:
        """Handle the use of a table in this process."""
        ...

    def computer_due(self, table_id: str) -> None:
        """Handle another process's report that a bot is to move at a table."""
        ...


class TableRegistry:
    """Registry of one database's tables for one event loop; see the module.

    Args:
        engine: Database engine.
        pubsub: Pub/sub channel to the other processes.
        tasks: Supervisor of the background tasks.
        forget_person: Called with the id of a user whom another process has changed; None: it may have been anyone.
        job_answered: Called with the id of a job that a remote worker has done; None if there are no remote workers.
    """

    def __init__(
        self,
        engine: Engine,
        pubsub: PubSub,
        tasks: Supervisor,
        forget_person: Callable[[str | None], object],
        job_answered: Callable[[str], object] | None = None,
    ) -> None:
        self._pubsub = pubsub
        self._forget_person = forget_person
        self._job_answered = job_answered
        self._subscribers: list[TableEvents] = []
        self.rulesets = Rulesets()
        self._live = TableCache(self.rulesets)
        self.loader = TableLoader(engine, self.rulesets, self._live)
        self.replication = Replication(engine, pubsub, tasks, self._live, self.loader, self.table)

    def subscribe(self, events: TableEvents) -> None:
        """Add a subscriber for table events."""
        self._subscribers.append(events)

    @property
    def number(self) -> int:
        """Number of tables in memory."""
        return len(self._live)

    async def table(self, table_id: str) -> LiveTable:
        """Return a table by its id, from memory or rebuilt from its records.

        Raises:
            NotFoundError: There is no such table.
        """
        self.apply_notifications()
        live = self._live.get(table_id)
        if live is None:
            live = await self.loader.load(table_id)
        else:
            await self.replication.refresh(live)
        self._live.move_to_end(table_id)
        self._used(live)
        return live

    async def fresh(self, table_id: str) -> LiveTable:
        """Return a table with everything that any process has written.

        Raises:
            NotFoundError: There is no such table.
        """
        table = await self.table(table_id)
        await self.replication.ensure_version(table, OBSERVER, None)
        return table

    def at_hand(self, table_id: str) -> LiveTable | None:
        """Return a table if it is in memory and up to date, without waiting; otherwise None."""
        self.apply_notifications()
        live = self._live.get(table_id)
        if live is None or live.freshness.is_behind or self.replication.may_be_old(live):
            return None
        self._used(live)
        return live

    def apply_notifications(self) -> None:
        """Apply notifications from other processes; afterwards everything that any viewer was shown is known here."""
        for notice in self._pubsub.drain():
            if notice.answered:
                if self._job_answered is not None:
                    self._job_answered(notice.answered)
            elif notice.person:
                self._forget_person(notice.person)
            else:
                if notice.missed:
                    self._forget_person(None)
                self.replication.apply(notice)
            if notice.due:
                for events in self._subscribers:
                    events.computer_due(notice.table)

    def _used(self, table: LiveTable) -> None:
        for events in self._subscribers:
            events.table_used(table)

    # Publish persisted changes to the other worker processes and to the listeners.

    def added(self, table: LiveTable) -> None:
        """Add a new table to memory."""
        self._live.add(table)
        self._used(table)

    def recorded(self, table: LiveTable, record: TableRecord) -> None:
        """Publish the last record of a table."""
        due = table.state.goes_on_by_itself
        self._pubsub.publish(Notification(table.id, record, len(table.records), due=due))
        table.announce()
        self._used(table)

    def changed(self, table: LiveTable) -> None:
        """Publish a change outside the event log: seats, rematch, or closing of the table."""
        table.freshness.changes += 1
        self._pubsub.publish(Notification(table.id, anew=True, due=table.state.goes_on_by_itself))
        table.announce()
        self._used(table)

    def ordered(self, table: LiveTable) -> None:
        """Notify the other worker processes of changed standing orders; the other side never learns of them."""
        table.freshness.changes += 1
        self._pubsub.publish(Notification(table.id, orders=True, due=table.state.goes_on_by_itself))
        self._used(table)

    def said(self, table: LiveTable) -> None:
        """Publish a new chat line."""
        self._pubsub.publish(Notification(table.id, said=table.said))
        table.announce()

    def note_look(self, table: LiveTable, side: int) -> None:
        """Note that a side has the table open (spectators are ignored); call it again while it stays open."""
        if side < len(table.seats):
            table.presence.note_look(side)
            self._pubsub.publish(Notification(table.id, looks=side))

    def changed_outside(self, table_ids: Sequence[str]) -> None:
        """Reload these tables, here and in the other worker processes: their rows have changed (names, seals)."""
        for table_id in table_ids:
            self.replication.changed_outside(table_id)
            self._pubsub.publish(Notification(table_id, anew=True))

    def clocks_stood_still(self) -> None:
        """Reload the clocks of all tables, here and in the other worker processes."""
        self.replication.read_clocks_anew()
        self._pubsub.publish(Notification(paused=True))
