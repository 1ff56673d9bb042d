"""Puzzles from users' own games: found in the `background` once such a game is analysed, and stored."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import NamedTuple

import msgspec
from sqlalchemy import Engine

from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.puzzles.puzzle import Origin, Puzzle, read
from brinkmanship.store import puzzles as store
from brinkmanship.store import schema
from brinkmanship.store.analyses import played_by, reports_of
from brinkmanship.store.background_jobs import JobStore
from brinkmanship.store.writer import Writer
from brinkmanship.web.jobs import puzzle_job
from brinkmanship.web.jobs.background import MAX_AT_ONCE, BackgroundJobs, JobQuotas
from brinkmanship.web.jobs.process_pool import PUZZLES
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.studies.analyses import Analyses
from brinkmanship.web.support.client_limits import Client
from brinkmanship.web.support.lru_cache import LruCache
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.registry import TableRegistry

MAX_OWN = 200
"""Maximum games of a user whose puzzles are listed: the latest."""
MAX_SOUGHT = 3
"""Maximum games per address and user queued for puzzles in one process; analyses share its CPU, and users wait."""
MAX_KNOWN = 2_000
"""Maximum games, of all users, whose puzzles are cached: less than a kilobyte each."""
MAX_LISTED = 20
"""Maximum games of a user reported as still to be examined."""


class _Game(NamedTuple):
    """A game to be examined for puzzles."""

    about: str
    """Name of the game's analysis."""
    table_id: str

    @property
    def columns(self) -> dict[str, object]:
        """Additional values to store with the puzzles, by column."""
        return {"table_id": self.table_id}


class Own(NamedTuple):
    """A puzzle from a user's own game; only that user sees it."""

    about: str
    """Name of the game's analysis."""
    table_id: str
    game: str
    puzzle: Puzzle
    """The puzzle, without solution and reasons if it is only listed."""

    @property
    def address(self) -> str:
        """Path of the puzzle's page."""
        return f"/puzzles/{self.game}/own/{self.table_id}/{self.puzzle.at}"


class PersonalPuzzles(BackgroundJobs[Origin]):
    """Service that finds puzzles in users' games.

    Args:
        engine: Database engine.
        writer: Writer for the database.
        tables: Registry of the tables in memory.
        analyses: Analyses of the games; they select the decisions to examine.
        tasks: Supervisor of the background tasks.
        remote_workers: Client for remote workers; None if there are none.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        tables: TableRegistry,
        analyses: Analyses,
        tasks: Supervisor,
        remote_workers: RemoteWorkers | None = None,
    ) -> None:
        kept = JobStore(engine, schema.own_puzzles)
        quotas, too_many = JobQuotas(MAX_SOUGHT, MAX_SOUGHT), "analysis.refused.many"
        super().__init__(PUZZLES, kept, origin_in, too_many, writer, tasks, quotas, remote_workers)
        self._engine = engine
        self._tables = tables
        self._analyses = analyses
        self._listed: LruCache[str, tuple[Puzzle, ...]] = LruCache(MAX_KNOWN)

    async def seek(self, person_id: str) -> int:
        """Examine a user's analysed games, newest first, a few at a time; return the number of games left."""
        left = await asyncio.to_thread(store.to_look_through, self._engine, person_id, MAX_LISTED)
        for about, table_id in left:
            if not self._clients.has_room(Client.current()) or len(self._progress) >= MAX_AT_ONCE:
                break
            await self._look_through(about, table_id)
        return len(left)

    async def listed(self, person_id: str, game_id: str | None = None) -> list[Own]:
        """Return the puzzles from a user's games, of one ruleset or of all, oldest game first."""
        return await asyncio.to_thread(self._list, person_id, game_id)

    async def origin(self, one: Own) -> Origin:
        """Return the game of a listed puzzle, with the complete puzzle."""
        return await asyncio.to_thread(self._read_origin, one.about)

    def _list(self, person_id: str, game_id: str | None) -> list[Own]:
        played = played_by(self._engine, person_id, MAX_OWN, schema.own_puzzles)
        games = [one for one in reversed(played) if game_id in (None, one.game)]
        known = {one.about: self._listed.get(one.about) for one in games}
        unread = [about for about, puzzles in known.items() if puzzles is None]
        for about, report in reports_of(self._engine, unread, schema.own_puzzles).items():
            known[about] = self._listed.keep(about, tuple(map(_bare, origin_in(report).puzzles)))
        return [
            Own(one.about, one.table_id, one.game, puzzle)
            for one in games
            for puzzle in known[one.about] or ()
            if puzzle.side == one.side
        ]

    def _read_origin(self, about: str) -> Origin:
        return origin_in(reports_of(self._engine, [about], schema.own_puzzles)[about])

    async def _look_through(self, about: str, table_id: str) -> None:
        table = await self._tables.fresh(table_id)
        of = self._analyses.of_table(table)
        analysis = (await self._analyses.state(*of)).report
        if of[0].about != about or analysis is None:
            return  # the game's ending has changed since
        people = [seat.side for seat in table.seats if seat.person_id is not None]
        record = table.snapshot().journal(FULL_INFORMATION)
        await self._begin(_Game(about, table_id), partial(puzzle_job.encode, record, table.game, analysis, people))


def _bare(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with only the fields a list needs."""
    return msgspec.structs.replace(puzzle, answer="", options=(), reason=None, reply=None)


def origin_in(report: bytes) -> Origin:
    """Decode a stored game with its puzzles."""
    (origin,) = read(report)
    return origin
