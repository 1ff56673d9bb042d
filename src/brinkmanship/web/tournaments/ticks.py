"""Ticks: carry out the steps that the arbiter derives from a tournament and the time.

Every server process ticks. A change of entries or matches fails if another process was first (compare-and-swap on the
tournament's row), and a game is created in one transaction with its table, under a unique key. So a process may be
stopped anywhere: the next tick, here or elsewhere, goes on from what is stored.
"""

from __future__ import annotations

import asyncio
import logging
import time

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from brinkmanship.store import tournaments as store
from brinkmanship.store.tournaments import Record
from brinkmanship.store.writer import TRANSIENT_ERRORS, Statement
from brinkmanship.tournament.arbiter import (
    Begin,
    Cancel,
    EndGame,
    Finish,
    PairUp,
    Remove,
    SetTable,
    Step,
    Substitute,
    next_steps,
    next_time,
)
from brinkmanship.tournament.event import OPEN, RUNNING
from brinkmanship.tournament.withdrawals import would_be_struck
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support import time_control
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import RESIGN, TIMEOUT
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Seating
from brinkmanship.web.tables.statuses import RUNNING as BEING_PLAYED
from brinkmanship.web.tournaments.terms import table_terms

log = logging.getLogger("brinkmanship.web")

POLL_INTERVAL = 5.0
"""Interval (s) between two looks at what is due."""
MAX_STEPS = 200
"""Maximum changes of one tournament in one tick."""
BETWEEN_SEASONS_SECONDS = 7 * 24 * 3600.0
"""Time for entries between two seasons of a league."""


class Ticks:
    """Carries tournaments on; call `tick` every `POLL_INTERVAL`."""

    def __init__(self, engine: Engine, tables: TableRegistry, seating: Seating, event_log: EventLog) -> None:
        self._engine = engine
        self._tables = tables
        self._seating = seating
        self._event_log = event_log

    async def tick(self) -> None:
        """Carry on every tournament in which something is due."""
        for tournament_id in await asyncio.to_thread(store.due, self._engine, time_control.now()):
            try:
                await self.carry_on(tournament_id)
            except TRANSIENT_ERRORS:
                raise
            except Exception:  # one tournament must not keep the others waiting
                log.exception("a tournament could not be carried on", extra={"tournament": tournament_id})

    async def carry_on(self, tournament_id: str) -> None:
        """Carry out the steps of one tournament until none is left."""
        for _ in range(MAX_STEPS):
            now = time_control.now()
            record = await asyncio.to_thread(self._look, tournament_id, now)
            if record is None:
                return
            # In a thread: pairing many people takes a while.
            steps = await asyncio.to_thread(next_steps, record.event, now)
            if not steps:
                at = next_time(record.event, now)
                await asyncio.to_thread(store.wait_until, self._engine, record.tournament, at)
                return
            for step in steps:
                if not await self._carry_out(step, record, now):
                    return  # another process was first, and carries on

    def _look(self, tournament_id: str, now: float) -> Record | None:
        """Return an unfinished tournament after noting new results and players who are gone."""
        store.note_results(self._engine, tournament_id, now)
        while (record := store.read(self._engine, tournament_id)) is not None:
            if record.tournament.status not in (OPEN, RUNNING):
                return None
            gone = store.gone(self._engine, tournament_id)
            if not gone:
                return record
            is_struck = would_be_struck(record.event, gone[0])
            store.withdraw(self._engine, record.tournament, gone[0], is_struck, now)
        return None

    async def _carry_out(self, step: Step, record: Record, now: float) -> bool:
        """Carry out one step; return False if the tournament has changed since it was read."""
        match step:
            case SetTable():
                await self._set_table(step, record)
                return True
            case EndGame():
                await self._end_game(step, record)
                return True
            case _:
                return await asyncio.to_thread(self._change, step, record, now)

    def _change(self, step: Step, record: Record, now: float) -> bool:
        engine, known = self._engine, record.tournament
        match step:
            case Cancel():
                return store.cancel(engine, known, now)
            case Begin(divisions):
                return store.begin(engine, known, divisions, now)
            case PairUp(matches):
                return store.add_matches(engine, known, matches, now)
            case Remove(person, is_struck):
                return store.withdraw(engine, known, person, is_struck, now)
            case Substitute():
                return store.substitute(engine, known, step, now)
            case Finish(divisions):
                following = store.next_season(known, new_id(), now, now + BETWEEN_SEASONS_SECONDS)
                return store.finish(engine, known, divisions, following, now)
        raise AssertionError(step)

    async def _set_table(self, step: SetTable, record: Record) -> None:
        tournament, match = record.tournament, step.match
        assert match.second is not None, "a bye has no table"
        seated = [(person, record.names[person]) for person in (match.first, match.second)]
        table_id = new_id()
        row = {
            "tournament_id": tournament.id,
            **match.place._asdict(),
            "game": step.number,
            "table_id": table_id,
            "first_side": step.first_side,
        }
        try:
            await self._seating.pair(
                tournament.game,
                seated if step.first_side == 0 else seated[::-1],
                table_terms(tournament),
                Statement(store.insert_game, row),
                options=tournament.options,
                table_id=table_id,
                may_be_unrated=True,
            )
        except IntegrityError:
            log.info("another process has set this game", extra={"tournament": tournament.id})

    async def _end_game(self, step: EndGame, record: Record) -> None:
        table_id = record.tables.get((step.place, step.number))
        if table_id is None:
            return
        table = await self._tables.fresh(table_id)

        def ending() -> TableRecord | None:
            if table.status != BEING_PLAYED:
                return None
            if step.loser is not None:
                return TableRecord(RESIGN, table.seat_of(step.loser)[0], 0, time.time())
            return TableRecord(TIMEOUT, _slowest(table), 0, time.time())

        await self._event_log.do(table, ending)


def _slowest(table: LiveTable) -> int:
    """Return the side to move; of two the one with less time left."""
    now = time_control.now()

    def left(side: int) -> tuple[float, int]:
        return (table.timer.seconds_left(side, now) if table.timer else 0.0), side

    return min(table.to_move, key=left)
