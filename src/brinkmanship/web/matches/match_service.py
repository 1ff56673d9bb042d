"""Matches of two games: create, begin the second game, notice the end.

`advance` does whatever is due in a match. It depends only on the database and the time, and a game's number is unique
in its match, so any number of server processes may call it at any time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from brinkmanship.analysis.report import Analysis
from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.options import OptionValue
from brinkmanship.store import matches
from brinkmanship.store.matches import GAMES, KeptMatch
from brinkmanship.store.writer import Statement, Writer
from brinkmanship.web.matches.match_history import BOTH_READY, MatchGame, MatchHistory
from brinkmanship.web.studies.analyses import Analyses
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError, TooManyError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import LIVE
from brinkmanship.web.tables.followups import link_to_next
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.origins import MatchPlace
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Seating, TableSettings
from brinkmanship.web.tables.statuses import CLOSED, DEALING, FINISHED, RUNNING

log = logging.getLogger("brinkmanship.web")

POLL_INTERVAL = 5
BREAK_SECONDS = 300.0
"""Longest break between two games with live clocks; both players together may end it earlier."""
ANALYSED_FOR_SECONDS = 24 * 3600.0
"""Time (s) after the end of a match during which missing analyses of its games are requested."""
MAX_REQUESTED = 3
"""Maximum analyses that a tick requests."""
MAX_LOOKED_AT = 50


class MatchService:
    """Service for matches of two games.

    Args:
        engine: Database engine.
        writer: Writer for the database.
        tables: Registry of the tables in memory.
        seating: Seating service.
        analyses: Analyses of finished games.
    """

    def __init__(
        self, engine: Engine, writer: Writer, tables: TableRegistry, seating: Seating, analyses: Analyses
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._tables = tables
        self._seating = seating
        self._analyses = analyses

    async def create(
        self,
        game_id: str,
        people: Sequence[tuple[str, str]],
        terms: Terms,
        *more: Statement,
        options: Mapping[str, OptionValue] | None = None,
        data: DataFile | None = None,
        simultaneous: bool = False,
        match_id: str | None = None,
    ) -> MatchHistory:
        """Create a match of two users; its first game starts at once.

        Args:
            game_id: Id of the game.
            people: Id and display name of both users; the first one has side 0 in the first game.
            terms: Terms of both tables.
            *more: Statements for the transaction that creates the match.
            options: Options of the rules.
            data: Custom cards or scenario; None for the game's own.
            simultaneous: True if both games run at the same time.
            match_id: Id of the match (`new_id`), for statements that need it beforehand; None for a new one.

        Raises:
            IllegalError, IntegrityError, NoRowUpdatedError: As in `Seating.pair`.
        """
        match_id, table_id = match_id or new_id(), new_id()
        rows = (*self._rows(match_id, simultaneous, table_id), *more)
        table = await self._seating.pair(game_id, people, terms, *rows, options=options, data=data, table_id=table_id)
        table.match_place = MatchPlace(match_id, 0)
        return await self.match(match_id)

    async def open(
        self, plan: TableSettings, simultaneous: bool, person_id: str, name: str
    ) -> tuple[LiveTable, dict[int, str]]:
        """Create the first table of a match, where a seat waits for the other player.

        Returns the table and the invitation tokens by side, as `Seating.create` does.

        Raises:
            IllegalError: The plan is refused by `Seating.create`, is a campaign, or needs no second user.
            TooManyError: As in `Seating.create`.
        """
        if plan.series:
            raise IllegalError("a match of two games cannot be a campaign as well", key="match.refused.campaign")
        if sorted(plan.seats) not in (["friend", "me"], ["me", "open"]):
            raise IllegalError("a match is played by two users", key="match.refused.opponent")
        match_id, table_id = new_id(), new_id()
        rows = self._rows(match_id, simultaneous, table_id)
        table, tokens = await self._seating.create(plan, person_id, name, *rows, table_id=table_id)
        table.match_place = MatchPlace(match_id, 0)
        return table, tokens

    async def seats_taken(self, table: LiveTable) -> None:
        """Begin the second game of a simultaneous match whose players are both there."""
        if table.match_place is not None:
            await self.advance(table.match_place.match)

    async def match(self, match_id: str) -> MatchHistory:
        """Return a match, after everything that is due in it has been done.

        Raises:
            NotFoundError: There is no such match.
        """
        kept = await self.advance(match_id)
        if kept is None:
            raise NotFoundError(f"there is no match {match_id}", key="match.refused.none")
        games = [MatchGame(game.number, await self._tables.fresh(game.table_id)) for game in kept.games]
        return MatchHistory(kept, tuple(games))

    async def of_table(self, table: LiveTable) -> MatchHistory | None:
        """Return the match that a table belongs to, or None."""
        if table.match_place is None:
            return None
        try:
            return await self.match(table.match_place.match)
        except NotFoundError:  # withdrawn
            return None

    async def begin_second(self, match_id: str, person_id: str) -> MatchHistory:
        """Note that a player is ready for the second game; it begins when nothing else is awaited.

        Raises:
            NotFoundError: There is no such match.
            ForbiddenError: The user does not play this match.
            IllegalError: The first game is not over.
        """
        match = await self.match(match_id)
        player = match.player_of(person_id)
        if player is None:
            raise ForbiddenError("only the players can begin the next game", key="refused.not_yours")
        if len(match.games) == GAMES:
            return match
        if match.first.status != FINISHED:
            raise IllegalError("the first game is not over yet", key="refused.not_over")
        await self._writer.write(matches.ready(match_id, player))
        self._tables.changed_outside([match.first.id])
        return await self.match(match_id)

    async def analyses_of(self, match: MatchHistory) -> list[Analysis | None]:
        """Return the stored analysis of each game, None for one that has none yet."""
        return [
            await asyncio.to_thread(self._analyses.stored, game.table) if game.table.is_revealed else None
            for game in match.games
        ]

    def can_analyse(self, match: MatchHistory) -> bool:
        """Return True if all games of a finished match can be analysed."""
        return match.is_over and all(self._can_analyse(game.table) for game in match.games)

    async def tick(self) -> None:
        """Do what is due in all matches; call it every `POLL_INTERVAL`."""
        for match_id in await asyncio.to_thread(matches.due, self._engine):
            try:
                await self.advance(match_id)
            except Exception:  # one unreadable table must not hold up the other matches
                log.exception("a match could not go on", extra={"match": match_id})
        await self._request_analyses()

    async def advance(self, match_id: str) -> KeptMatch | None:
        """Do what is due in a match, and return it; None if it does not exist."""
        kept = await self._kept(match_id)
        if kept is None or kept.finished_at is not None:
            return kept
        first = kept.games[0]
        if first.status == CLOSED:
            await self._writer.write(matches.remove(match_id))
            return None
        if len(kept.games) < GAMES:
            if not await self._second_is_due(kept):
                return kept
            await self._begin_second(kept)
        elif all(game.status == FINISHED for game in kept.games):
            ends = [game.finished_at or 0.0 for game in kept.games]
            await self._writer.write(matches.finish(match_id, max(ends)))
        else:
            return kept
        return await self._kept(match_id)

    async def _kept(self, match_id: str) -> KeptMatch | None:
        return await asyncio.to_thread(matches.match, self._engine, match_id)

    async def _second_is_due(self, kept: KeptMatch) -> bool:
        first = kept.games[0]
        if kept.simultaneous:
            return first.status in (DEALING, RUNNING, FINISHED)
        if first.status != FINISHED:
            return False
        if kept.ready == BOTH_READY or time_control.now() >= (first.finished_at or 0.0) + BREAK_SECONDS:
            return True
        # Without a live clock nobody loses time by a game that has begun.
        clock = (await self._tables.table(first.table_id)).terms.clock
        return clock is None or clock.kind != LIVE

    async def _begin_second(self, kept: KeptMatch) -> None:
        first = await self._tables.fresh(kept.games[0].table_id)
        people = [(seat.person_id or "", seat.name) for seat in reversed(first.seats)]
        table_id = new_id()
        rows = [matches.new_game(kept.id, 1, table_id)]
        if not kept.simultaneous:
            rows.append(link_to_next(first, table_id))
        try:
            table = await self._seating.pair(
                first.game.id,
                people,
                first.terms,
                *rows,
                options=first.game.options,
                data=await self._seating.data_of(first),
                table_id=table_id,
                may_be_unrated=True,
            )
        except IntegrityError:  # another request or process has just begun it
            now = await self._kept(kept.id)
            if now is not None and len(now.games) < GAMES:
                raise
            return
        table.match_place = MatchPlace(kept.id, 1)
        if not kept.simultaneous:
            first.rematch = table.id
        self._tables.changed(first)

    async def _request_analyses(self) -> None:
        if not self._analyses.playouts:
            return
        since = time_control.now() - ANALYSED_FOR_SECONDS
        requested = 0
        for table_id in await asyncio.to_thread(matches.without_analysis, self._engine, since, MAX_LOOKED_AT):
            if requested == MAX_REQUESTED:
                return
            try:
                table = await self._tables.fresh(table_id)
                if self._can_analyse(table):
                    await self._analyses.begin(*self._analyses.of_table(table))
                    requested += 1
            except TooManyError:
                return
            except Exception:
                log.exception("a game of a match could not be analysed", extra={"table": table_id})

    def _can_analyse(self, table: LiveTable) -> bool:
        return table.is_revealed and self._analyses.can_analyse(table.game, table.result)

    @staticmethod
    def _rows(match_id: str, simultaneous: bool, table_id: str) -> tuple[Statement, Statement]:
        """Return the statements that store a match with its first game."""
        return matches.new_match(match_id, simultaneous, time_control.now()), matches.new_game(match_id, 0, table_id)
