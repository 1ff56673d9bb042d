"""Reasons of computer players for their choices: hidden until the game is over, then public."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine

from brinkmanship.engine import journal
from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.engine.message import Message
from brinkmanship.engine.message_json import message_of
from brinkmanship.store import repository
from brinkmanship.web.tables.finished_cache import FinishedCache
from brinkmanship.web.tables.live_table import LiveTable

_kept: FinishedCache[dict[int, Message]] = FinishedCache()


def reasons_at(engine: Engine, table: LiveTable) -> dict[int, Message]:
    """Return the reasons by entry number once the game is over, else none. Reads the database: call it in a thread."""
    if not table.is_revealed:
        return {}
    reasons = _kept.get(table)
    if reasons is None:
        reasons = _kept.keep(table, _by_entry(table, repository.reasons_of(engine, table.id)))
    return reasons


def journal_at(engine: Engine, table: LiveTable, still: LiveTable, viewer: int) -> journal.Journal:
    """Return the journal of a snapshot of a table for a viewer, with reasons once the game is over.

    Reads the database: call it in a thread.
    """
    record = still.journal(viewer)
    return journal.with_reasons(record, reasons_at(engine, table)) if still.is_revealed else record


def _by_entry(table: LiveTable, kept: Sequence[repository.KeptReason]) -> dict[int, Message]:
    """Return the reasons by entry number, without those of actions that were taken back."""
    found = {}
    entries = table.seen_by(FULL_INFORMATION).entries
    for reason in kept:
        record = table.records[reason.number - 1]
        # Of two simultaneous secret choices the first side's comes first in the entries, whichever was made first.
        for number in (reason.entry, reason.entry + 1, reason.entry - 1):
            entry = entries[number - 1] if 1 <= number <= len(entries) else None
            if entry is None or (entry.actor, entry.action) != (record.actor, record.value):
                continue
            if number == reason.entry or entry.together:
                found[number] = message_of(reason.said)
                break
    return found
