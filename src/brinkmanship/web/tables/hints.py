"""Hints at tables: computed by the worker processes from what the requesting side has seen, and recorded.

Log, journal and replay show both players that a hint was taken for a decision; its content is shown only to the
requesting side. Until the decision is made, nothing reveals the hint, not even that a record was written.
"""

from __future__ import annotations

import asyncio
import logging
import time

from brinkmanship.engine.game import Game
from brinkmanship.engine.hint import Hints
from brinkmanship.players import players_for
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.jobs.job_limit import JobLimit
from brinkmanship.web.jobs.player_job import ADVISER, encode_request, hints_of
from brinkmanship.web.jobs.process_pool import HINT as WORK
from brinkmanship.web.jobs.process_pool import JobFailedError, process_pool
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.support.errors import IllegalError, TooManyError, UnavailableError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.lru_cache import LruCache
from brinkmanship.web.tables.actions import check_running, check_seat, check_version
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import HINT
from brinkmanship.web.tables.registry import TableRegistry

log = logging.getLogger("brinkmanship.web")

PER_MINUTE = 30
"""Maximum hints per minute of one address, in bursts of a quarter of that; each takes about a second of CPU time."""
MAX_GIVEN = 1000
"""Number of hints cached for redrawn pages."""


class HintService:
    """Computes and caches hints."""

    def __init__(self, tables: TableRegistry, event_log: EventLog, remote_workers: RemoteWorkers | None = None) -> None:
        self._tables = tables
        self._event_log = event_log
        self._remote_workers = remote_workers
        self._limit = JobLimit(PER_MINUTE, "hints", "hints.refused.many")
        self._at_work: set[tuple[str, int]] = set()
        self._given = LruCache[tuple[str, int, int], "Hints"](MAX_GIVEN)

    def given(self, table: LiveTable, side: int) -> Hints | None:
        """Return the hints already given to a side at the current position, or None."""
        return self._given.get((table.id, side, table.version(side)))

    async def hint(self, table_id: str, person_id: str, side: int, version: int) -> tuple[LiveTable, Hints]:
        """Return hints for the side to move; hints for a position that has changed since are discarded.

        Raises:
            NotFoundError: There is no such table or seat.
            ForbiddenError: The seat is not the user's.
            StaleError: The version is not, or no longer, the side's current one.
            IllegalError: This table or game has no hints, or the side is not to move.
            TooManyError: A hint for this seat is being computed, or too many are requested.
            UnavailableError: No hint can be computed now.
        """
        table = await self._tables.table(table_id)
        _check(table, person_id, side, version)
        if (given := self.given(table, side)) is not None:
            return table, given
        seat = (table.id, side)
        if seat in self._at_work:
            raise TooManyError("a hint for this seat is already being computed", key="hints.refused.busy")
        self._at_work.add(seat)
        try:
            async with self._limit.place():
                found = await self._worked_out(table, side)
        finally:
            self._at_work.discard(seat)

        def command() -> TableRecord | None:
            _check(table, person_id, side, version)
            known = table.seen_by(side).length
            return None if (side, known) in table.state.hinted else TableRecord(HINT, side, known, time.time())

        await self._event_log.do(table, command)
        return table, self._given.keep((table.id, side, table.version(side)), found)

    async def _worked_out(self, table: LiveTable, side: int) -> Hints:
        snapshot = table.snapshot()

        def question() -> bytes:
            return encode_request(ADVISER, snapshot.seen_game(side))

        try:
            about = f"{table.id}.{side}.{new_id()}"
            answer = await self._remote_workers.run(WORK, about, question) if self._remote_workers else None
            if answer is None:
                answer = await asyncio.wrap_future(process_pool().submit(WORK, question))
        except JobFailedError as error:
            log.warning("a hint could not be computed", extra={"table": table.id, "reason": str(error)})
            raise UnavailableError("the hint could not be computed; try again", key="hints.refused.failed") from error
        if not answer:
            raise UnavailableError("there are no hints until the rules are compiled", key="hints.refused.not_yet")
        return hints_of(answer)


def has_hints(game: Game) -> bool:
    """Return True if a game has hints: one of its players is the search."""
    return ADVISER in players_for(game)


def _check(table: LiveTable, person_id: str, side: int, version: int) -> None:
    check_seat(table, person_id, side)
    if not table.allows_hints:
        raise IllegalError("hints are not allowed at this table", key="hints.refused.table")
    if not has_hints(table.game):
        raise IllegalError(f"there are no hints in {table.game.title}", key="hints.refused.game")
    check_version(table, side, version)
    check_running(table)
    if side not in table.to_move:
        raise IllegalError(f"{table.game.sides[side]} is not to move", key="refused.not_asked")
