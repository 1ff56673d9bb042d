"""The event log: validate, persist, then apply and publish each table event."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from sqlalchemy import bindparam, insert, update
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine.message import Message
from brinkmanship.engine.message_json import as_json
from brinkmanship.store import schema
from brinkmanship.store.writer import Statement, Writer
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import RequestError, StaleError
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.outage import OutageMonitor
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.statuses import FINISHED
from brinkmanship.web.tables.table_state import TableState

Command = Callable[[], TableRecord | None]
"""Command callback: inspect the current table and return the record to write (None for none); raise to reject."""

ATTEMPTS = 5
"""Maximum attempts to write an event when other worker processes write at the same table."""

_insert_record = insert(schema.records)
_insert_reason = insert(schema.reasons)
_update_table = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("table"))
    .values(
        status=bindparam("new_status"),
        result=bindparam("new_result"),
        asked=bindparam("new_asked"),
        finished_at=bindparam("new_finished_at"),
        dealt_at=bindparam("new_dealt_at"),
        clock_ends_at=bindparam("new_clock_ends_at"),
        computer_asked_at=bindparam("new_computer_asked_at"),
    )
)

_note_change = update(schema.tables).where(schema.tables.c.id == bindparam("table")).values(**schema.CHANGED)


class EventLog:
    """Writer of table records; there is no other way to write one."""

    def __init__(self, writer: Writer, tables: TableRegistry, outage_monitor: OutageMonitor | None = None) -> None:
        self._writer = writer
        self._tables = tables
        self._outage_monitor = outage_monitor

    async def do(self, table: LiveTable, command: Command, reason: Message | None = None) -> None:
        """Write the record that `command` returns for the current position, if it returns one.

        If another worker process was first, `command` is called again with the new position. `reason` is why a computer
        player took the action; it is stored beside the record and hidden until the game is over.

        Raises:
            StaleError: Other processes were first in all attempts.
        """
        async with table.lock:
            if table.timer and self._outage_monitor and self._outage_monitor.is_late:
                await self._outage_monitor.beat()  # a pause must be recorded before the event
            for _ in range(ATTEMPTS):
                if table.freshness.is_behind:
                    await self._tables.replication.catch_up(table)
                try:
                    record = command()
                except RequestError:  # refuse a command only on the basis of the newest position
                    if await self._tables.replication.was_behind(table):
                        continue
                    raise
                if record is None:
                    return
                record = replace(record, at=record.at + time_control.ahead())
                with suppress(IntegrityError):
                    await self._write(table, record, reason)
                    return
            raise StaleError("the position has changed in the meantime")

    async def beat(self) -> None:
        """Write the server's heartbeat, and pauses after an outage (see `outage`)."""
        if self._outage_monitor:
            await self._outage_monitor.beat()

    async def _write(self, table: LiveTable, record: TableRecord, reason: Message | None) -> None:
        """Persist a validated record, then apply it, and notify the listeners.

        Raises:
            IntegrityError: Another worker process has written a record with this number.
        """
        state, after = table.state, table.after(record)
        number = len(after.records)
        kept = [Statement(_insert_record, {"table_id": table.id, "number": number, **vars(record)})]
        if reason is not None:
            said = {"table_id": table.id, "number": number, "entry": state.length + 1, "said": as_json(reason)}
            kept.append(Statement(_insert_reason, said))
        if (row := row_of(table.id, after)) != row_of(table.id, state):  # otherwise the row is up to date already
            kept.append(row)
        try:
            await self._writer.write(*kept)
        except BaseException:
            table.freshness.note_change()  # the commit may have succeeded and only its response was lost: reload
            raise
        table.apply_state(after)
        self._tables.recorded(table, record)


def change_of(table_id: str) -> Statement:
    """Return the statement that bumps a table's change counter.

    Include it in the transaction that changes something outside the event log.
    """
    return Statement(_note_change, {"table": table_id})


def row_of(table_id: str, state: TableState) -> Statement:
    """Return the statement that updates a table's row; include it in the transaction that changes the table."""
    row = {
        "table": table_id,
        "new_status": state.status,
        "new_result": state.result,
        "new_asked": state.asked_names,
        "new_finished_at": state.last_game_record.at if state.status == FINISHED and state.last_game_record else None,
        "new_dealt_at": state.dealt_at,
        "new_clock_ends_at": state.clock_ends_at,
        "new_computer_asked_at": computer_asked_at(state),
    }
    return Statement(_update_table, row)


def computer_asked_at(state: TableState) -> float | None:
    """Return the present time if a bot or a standing order is to act now, else None."""
    return time_control.now() if state.goes_on_by_itself else None
