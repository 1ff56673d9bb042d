"""Open records of users: games played with the physical game, which their owner enters step by step.

The database holds the journal of a record; everything else follows from it. A finished record becomes an upload like
any other, so replay, analysis and play from a position are those of uploaded journals.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import NamedTuple

from sqlalchemy import Engine

from brinkmanship.engine import journal
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import Game
from brinkmanship.engine.open_record import ContradictionError, OpenRecord, resumed
from brinkmanship.store import open_records
from brinkmanship.store.open_records import StoredRecord
from brinkmanship.web.support import rate_limit, time_control
from brinkmanship.web.support.client_limits import Client
from brinkmanship.web.support.errors import IllegalError, NotFoundError, StaleError, TooManyError
from brinkmanship.web.support.ids import new_id

MAX_RECORDS = 60
"""Maximum open records of one user."""
BEGUN_PER_MINUTE = 20
"""Maximum records begun per minute from one address, in bursts of a quarter of that."""
MAX_NAME = 30

Rulesets = Callable[[journal.Journal], Game]
"""Returns the ruleset that a journal names."""
Change = Callable[[OpenRecord], OpenRecord | None]
"""Changes an open record, or returns another one in its place."""


class OpenedRecord(NamedTuple):
    """A stored record with its game."""

    stored: StoredRecord
    headers: Mapping[str, str]
    record: OpenRecord


class OpenRecords:
    """Service that stores open records."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._limit = rate_limit.RateLimit(BEGUN_PER_MINUTE)

    async def check_allowed(self) -> None:
        """Raise unless the client of the current request may begin another record now.

        Raises:
            TooManyError: Too many were begun.
        """
        if not Client.current().keeps_to(self._limit):
            await rate_limit.delay_refusal()
            raise TooManyError("too many records begun; wait a little", key="record.refused.begun")

    def begin(self, person_id: str, game: Game, names: tuple[str, str]) -> str:
        """Store a new record; return its id.

        Raises:
            IllegalError: The user has the maximum number of records.
        """
        if open_records.count_of(self._engine, person_id) >= MAX_RECORDS:
            raise IllegalError(f"a user has at most {MAX_RECORDS} records", key="record.refused.most")
        headers = {side: name for side, name in zip(game.sides, names, strict=True) if name}
        record, title = OpenRecord(game), " – ".join(names) if all(names) else "".join(names)
        text, now, record_id = record.draft(headers).text(), time_control.now(), new_id()
        open_records.add(self._engine, StoredRecord(record_id, person_id, game.id, title, text, 0, False, 0, now))
        return record_id

    def open(self, record_id: str, person_id: str, ruleset: Rulesets) -> OpenedRecord:
        """Return a record of a user.

        Raises:
            NotFoundError: They have no such record.
        """
        stored = open_records.record_of(self._engine, record_id, person_id)
        if stored is None:
            raise NotFoundError("there is no such record", key="record.refused.gone")
        read = journal.parse(stored.journal)
        return OpenedRecord(stored, read.headers, resumed(read, ruleset(read)))

    def change(self, opened: OpenedRecord, changes: int, change: Change) -> OpenedRecord:
        """Change a record and store it.

        Args:
            opened: The record.
            changes: Number of its changes when the user saw it.
            change: The change.

        Raises:
            StaleError: It has been changed since.
            IllegalError: The rules or the other steps do not allow the change.
        """
        if changes != opened.stored.changes:
            raise StaleError("the record was changed elsewhere")
        try:
            record = change(opened.record) or opened.record
        except ContradictionError as error:
            raise IllegalError(str(error), key="record.refused.contradiction") from error
        except LocalizedError as error:
            raise IllegalError(str(error), key="refused.no_choice") from error
        text, count = record.draft(opened.headers).text(), len(record.steps)
        if not open_records.change(self._engine, opened.stored, text, count, record.is_over, time_control.now()):
            raise StaleError("the record was changed elsewhere")
        return opened._replace(record=record)


def upload_id_of(text: str) -> str:
    """Return the id under which a journal is uploaded: equal journals are uploaded once."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
