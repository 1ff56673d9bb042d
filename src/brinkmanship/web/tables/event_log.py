"""Where what happens at tables is written: checked, made safe, and only then carried out and told."""

from __future__ import annotations

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
from brinkmanship.web.tables.live_table import FINISHED, Command, LiveTable
from brinkmanship.web.tables.outage import OutageMonitor
from brinkmanship.web.tables.registry import TableRegistry

ATTEMPTS = 5
"""How often something is tried again when another worker process has written at the table meanwhile."""

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
    """The one way to write a record at a table."""

    def __init__(self, writer: Writer, tables: TableRegistry, outage_monitor: OutageMonitor | None = None) -> None:
        self._writer = writer
        self._tables = tables
        self._outage_monitor = outage_monitor

    async def do(self, table: LiveTable, deed: Command, reason: Message | None = None) -> None:
        """Write the record that `deed` gives at the present position, if it gives one.

        When another worker process was first, `deed` has its say once more at the position as it is then. `reason`: why
        a computer player took the action, kept beside its record and shown to nobody before the game is over.

        Raises:
            StaleError: others were first again and again.
        """
        async with table.lock:
            if table.timer and self._outage_monitor and self._outage_monitor.is_late:
                await self._outage_monitor.beat()  # a pause has to stand before the deed
            for _ in range(ATTEMPTS):
                if table.is_behind:
                    await self._tables.catch_up(table)
                try:
                    record = deed()
                except RequestError:  # nobody is refused for what was not known here
                    if await self._tables.was_behind(table):
                        continue
                    raise
                if record is None:
                    return
                record = replace(record, at=record.at + time_control.ahead())
                with suppress(IntegrityError):
                    await self._write(table, record, reason)
                    return
            raise StaleError("the position has changed meanwhile")

    async def beat(self) -> None:
        """Say that the server lives; where it was away, write the pauses (see `outage`)."""
        if self._outage_monitor:
            await self._outage_monitor.beat()

    async def _write(self, table: LiveTable, record: TableRecord, reason: Message | None) -> None:
        """Make a checked record safe, then carry it out, and tell those who listen.

        Raises:
            IntegrityError: another worker process has written a record with this number.
        """
        after = table.after(record)
        number = len(after.records)
        kept = [Statement(_insert_record, {"table_id": table.id, "number": number, **vars(record)})]
        if reason is not None:
            said = {"table_id": table.id, "number": number, "entry": table.length + 1, "said": as_json(reason)}
            kept.append(Statement(_insert_reason, said))
        if (row := row_of(after)) != row_of(table):  # else it says already what the table will be
            kept.append(row)
        try:
            await self._writer.write(*kept)
        except BaseException:
            table.changes_elsewhere += 1  # it may be safe and only the answer was lost: the database knows
            raise
        table.apply_snapshot(after)
        self._tables.recorded(table, record)


def change_of(table_id: str) -> Statement:
    """Notes that a table has changed in what no record says; it goes into the transaction of what does so."""
    return Statement(_note_change, {"table": table_id})


def row_of(table: LiveTable) -> Statement:
    """Brings a table's row up to what the table is now; it goes into the transaction of whatever made it so."""
    row = {
        "table": table.id,
        "new_status": table.status,
        "new_result": table.result,
        "new_asked": table.asked_names,
        "new_finished_at": table.last_deed.at if table.status == FINISHED and table.last_deed else None,
        "new_dealt_at": table.dealt_at,
        "new_clock_ends_at": table.clock_ends_at,
        "new_computer_asked_at": computer_asked_at(table),
    }
    return Statement(_update_table, row)


def computer_asked_at(table: LiveTable) -> float | None:
    """Since when the program is waited for, a computer or a standing order: now, or None where it is not."""
    return time_control.now() if table.goes_on_by_itself else None
