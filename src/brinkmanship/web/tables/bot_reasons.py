"""Why the computer players at a table did what they did: for nobody before the game is over, then for everybody."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine

from brinkmanship.engine import journal
from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.engine.message import Message
from brinkmanship.engine.message_json import message_of
from brinkmanship.store import repository
from brinkmanship.web.tables.finished_cache import FinishedCache
from brinkmanship.web.tables.live_table import FINISHED, LiveTable

_kept: FinishedCache[dict[int, Message]] = FinishedCache()


def reasons_at(engine: Engine, table: LiveTable) -> dict[int, Message]:
    """The reasons of a finished game by the numbers of its entries; none before. Reads the database: for a thread."""
    if table.status != FINISHED:
        return {}
    reasons = _kept.get(table)
    if reasons is None:
        reasons = _kept.keep(table, _by_entry(table, repository.reasons_of(engine, table.id)))
    return reasons


def journal_at(engine: Engine, table: LiveTable, still: LiveTable, reader: int) -> journal.Journal:
    """The journal of a table that stands still, for a reader; when the game is over with the reasons.

    Reads the database: for a thread.
    """
    record = still.journal(reader)
    return journal.with_reasons(record, reasons_at(engine, table)) if still.status == FINISHED else record


def _by_entry(table: LiveTable, kept: Sequence[repository.KeptReason]) -> dict[int, Message]:
    """By their entries; those of actions that were taken back are left out."""
    found = {}
    entries = table.seen_by(FULL_INFORMATION).entries
    for reason in kept:
        record = table.records[reason.number - 1]
        # Of two answers given at once and in secret the one of the first side stands first, whoever was quicker.
        for number in (reason.entry, reason.entry + 1, reason.entry - 1):
            entry = entries[number - 1] if 1 <= number <= len(entries) else None
            if entry is None or (entry.actor, entry.action) != (record.actor, record.value):
                continue
            if number == reason.entry or entry.together:
                found[number] = message_of(reason.said)
                break
    return found
