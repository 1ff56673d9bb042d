"""Duplicate rounds: several tables play the same deal, and their results are compared once all are finished.

All tables have the same secret, so chance decides the same at the same place of a game; players add no bytes, which
would change it. Until the last table is finished the tables are sealed (`LiveTable.sealed`): a user sees only the table
they play at, from their own side. A user plays at one table of a round only.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine import commit_reveal
from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.game import Game
from brinkmanship.engine.options import OptionValue
from brinkmanship.store import duplicates
from brinkmanship.store.duplicates import KeptRound
from brinkmanship.store.writer import Statement
from brinkmanship.web.matches.duplicate_results import TableResult, averages, compared
from brinkmanship.web.matches.match_history import points_of
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import IllegalError, NotFoundError, TooManyError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Seating, new_token
from brinkmanship.web.tables.seats import Seat
from brinkmanship.web.tables.statuses import CLOSED, FINISHED

log = logging.getLogger("brinkmanship.web")

POLL_INTERVAL = 5
MAX_TABLES = 64
MAX_ROUNDS_OF_PERSON = 3
"""Maximum unfinished rounds to which a user has invited others."""


class DuplicateRound(NamedTuple):
    """A duplicate round and its tables."""

    kept: KeptRound
    tables: list[LiveTable]
    """Tables at which a game is or was played, or players are awaited."""

    @property
    def is_over(self) -> bool:
        """True if all tables are finished and revealed."""
        return self.kept.finished_at is not None

    @property
    def game(self) -> Game:
        """Ruleset of all tables."""
        return self.tables[0].game

    @property
    def unfinished(self) -> int:
        """Number of tables that are not finished."""
        return sum(table.status != FINISHED for table in self.tables)

    @property
    def averages(self) -> tuple[float, float] | None:
        """Average points of each side; None before the round is over."""
        results = self.results
        return averages([(each.first.points, each.second.points) for each in results]) if results else None

    @property
    def rows(self) -> list[tuple[LiveTable, TableResult | None]]:
        """Each table with its result, None before the round is over."""
        results = self.results
        if results is None:
            return [(table, None) for table in self.tables]
        finished = (table for table in self.tables if table.status == FINISHED)
        return list(zip(finished, results, strict=True))

    def invitations(self, table: LiveTable, person_id: str | None) -> dict[int, str]:
        """Return the tokens of the free seats of a table by side, for the organiser."""
        if person_id is None or person_id != self.kept.organiser:
            return {}
        return {seat.side: seat.invitation for seat in table.seats if seat.is_free and seat.invitation}

    @property
    def results(self) -> list[TableResult] | None:
        """Results in the order of the tables; None before the round is over."""
        if not self.is_over:
            return None
        return compared([points_of(table.game, table.result) for table in self.tables if table.status == FINISHED])


class DuplicateService:
    """Service for duplicate rounds.

    Args:
        engine: Database engine.
        tables: Registry of the tables in memory.
        seating: Seating service.
    """

    def __init__(self, engine: Engine, tables: TableRegistry, seating: Seating) -> None:
        self._engine = engine
        self._tables = tables
        self._seating = seating

    async def create(
        self,
        game_id: str,
        pairs: Sequence[Sequence[tuple[str, str]]],
        terms: Terms,
        *more: Statement,
        options: Mapping[str, OptionValue] | None = None,
        data: DataFile | None = None,
        round_id: str | None = None,
    ) -> DuplicateRound:
        """Create a round of tables at which users sit already; all games start at once.

        Args:
            game_id: Id of the game.
            pairs: For each table the id and display name of the user of each side.
            terms: Terms of all tables; there must be a clock.
            *more: Statements for the transaction that creates the round with all its tables.
            options: Options of the rules.
            data: Custom cards or scenario; None for the game's own.
            round_id: Id of the round (`new_id`); if it already exists it is returned. None for a new one.

        Raises:
            IllegalError: There is no clock, a user sits twice, or as in `Seating.pair`.
            IntegrityError, NoRowUpdatedError: A statement in `more` failed.
        """
        people = [person_id for pair in pairs for person_id, _ in pair]
        if len(set(people)) != len(people):
            raise IllegalError("a user plays at one table of a round only", key="duplicate.refused.twice")
        seats = [
            [Seat(side, person_id=person_id, name=name) for side, (person_id, name) in enumerate(pair)]
            for pair in pairs
        ]
        round_id = round_id or new_id()
        players = [duplicates.new_player(round_id, person_id) for person_id in people]
        try:
            await self._write(round_id, game_id, seats, terms, options or {}, data, None, None, *players, *more)
        except IntegrityError:
            if await asyncio.to_thread(duplicates.duplicate_round, self._engine, round_id) is None:
                raise
        return await self.round(round_id)

    async def open(
        self,
        game_id: str,
        count: int,
        terms: Terms,
        join_until: float,
        person_id: str,
        options: Mapping[str, OptionValue] | None = None,
    ) -> DuplicateRound:
        """Create a round of tables whose seats are given away by invitation links.

        Args:
            game_id: Id of the game.
            count: Number of tables.
            terms: Terms of all tables; there must be a clock.
            join_until: Time at which tables with free seats are closed.
            person_id: User who invites.
            options: Options of the rules.

        Raises:
            IllegalError: There is no clock, game or option, or the number of tables is not possible.
            TooManyError: The user or their address has too many rounds or tables.
        """
        if not 2 <= count <= MAX_TABLES:
            raise IllegalError(f"a round has 2 to {MAX_TABLES} tables", key="refused.form_fields")
        await self._seating.check_quotas(person_id, False, count)
        if await asyncio.to_thread(duplicates.unfinished_count, self._engine, person_id) >= MAX_ROUNDS_OF_PERSON:
            raise TooManyError(
                f"no more than {MAX_ROUNDS_OF_PERSON} unfinished rounds at once", key="quota.tables.person"
            )
        seats = [[Seat(side, invitation=new_token()) for side in (0, 1)] for _ in range(count)]
        round_id = new_id()
        await self._write(round_id, game_id, seats, terms, options or {}, None, person_id, join_until)
        return await self.round(round_id)

    async def round(self, round_id: str) -> DuplicateRound:
        """Return a round.

        Raises:
            NotFoundError: There is no such round.
        """
        kept = await asyncio.to_thread(duplicates.duplicate_round, self._engine, round_id)
        if kept is None or not kept.tables:
            raise NotFoundError(f"there is no duplicate round {round_id}", key="duplicate.refused.none")
        tables = [await self._tables.fresh(table_id) for table_id in kept.tables]
        return DuplicateRound(kept, [table for table in tables if table.status != CLOSED] or tables[:1])

    async def tick(self) -> None:
        """End the rounds whose tables are all finished; call it every `POLL_INTERVAL`."""
        now = time_control.now()
        for round_id in await asyncio.to_thread(duplicates.due, self._engine, now):
            await self._settle(round_id, now)

    async def _settle(self, round_id: str, now: float) -> None:
        kept = await asyncio.to_thread(duplicates.duplicate_round, self._engine, round_id)
        if kept is None or kept.finished_at is not None:
            return
        closes = kept.join_until is not None and kept.join_until < now
        if await asyncio.to_thread(duplicates.settle, self._engine, round_id, now, closes):
            self._tables.changed_outside(kept.tables)

    async def _write(
        self,
        round_id: str,
        game_id: str,
        seats: Sequence[Sequence[Seat]],
        terms: Terms,
        options: Mapping[str, OptionValue],
        data: DataFile | None,
        organiser: str | None,
        join_until: float | None,
        *more: Statement,
    ) -> None:
        """Write a round with all its tables in one transaction."""
        if terms.clock is None:
            raise IllegalError(
                "a duplicate round needs a clock, so that every game ends", key="duplicate.refused.clock"
            )
        game = await self._seating.ruleset(game_id, options, data)
        if not seats or any(len(pair) != len(game.sides) for pair in seats):
            raise IllegalError(f"{game.title} needs {len(game.sides)} players at a table", key="refused.form_fields")
        await self._seating.keep_data(game, data)
        secret = commit_reveal.new_secret()
        new = [self._seating.new_table(new_id(), game, pair, terms, secret=secret, sealed=True) for pair in seats]
        for each in new:
            each.table.round = round_id
        rows = [
            duplicates.new_round(round_id, organiser, commit_reveal.commitment(secret), join_until, time_control.now()),
            *(duplicates.new_table(round_id, number, each.table.id) for number, each in enumerate(new)),
        ]
        await self._seating.write(new, *rows, *more)
