"""Deals of the day: begin a game, end the day, reveal its tables, and request what is computed afterwards.

All tables of a deal have the same secret, which follows from a secret of the server and the date. They are sealed
(`LiveTable.sealed`) until the day is over: a user sees only their own table, from their own side. Games that are not
finished by then are lost.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import NamedTuple

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from brinkmanship.engine import commit_reveal
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.cache import is_interpreting
from brinkmanship.engine.journal import ending_of
from brinkmanship.games.registry import kits
from brinkmanship.players import has_levels
from brinkmanship.puzzles.spaced_repetition import day_of
from brinkmanship.store import daily
from brinkmanship.store.daily import DailyGame, EndedGame
from brinkmanship.store.profiles import public_among
from brinkmanship.store.writer import TRANSIENT_ERRORS, Writer
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.daily.comparison import Fork, PlayedDeal, as_json, forks, from_json
from brinkmanship.web.daily.deals import Streaks, level_of, secret_of, side_of, streaks
from brinkmanship.web.studies.analyses import Analyses
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import NotFoundError, TooManyError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.table_terms import NONE, Terms
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.origins import Occasion
from brinkmanship.web.tables.record_kinds import RESIGN
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Seating, TableSettings
from brinkmanship.web.tables.statuses import RUNNING

log = logging.getLogger("brinkmanship.web")

POLL_INTERVAL = 10
TERMS = Terms(None, NONE, False)
"""Terms of all tables: no clock, take-backs or hints."""
MAX_AT_ONCE = 50
"""Maximum games that one tick ends, or whose results it stores."""
MAX_REQUESTED = 2
"""Maximum analyses that one tick requests."""
MAX_LISTED = 100
"""Maximum results of a deal that are listed, the best ones."""
MAX_COMPARED = 100
"""Maximum games of a deal whose decisions are compared, the best ones."""
MAX_STREAK = 1000
"""Maximum days of a streak."""


class ListedResult(NamedTuple):
    """A listed result."""

    place: int | None
    """Place from 1; None before its analysis, for an abandoned game, and for guests.

    A guest can play a deal twice, in another browser or before signing in, so only accounts are ranked.
    """
    game: DailyGame
    name: str
    """Name of a user with a public profile; "" for others."""
    is_mine: bool


class Deal(NamedTuple):
    """A deal of the day as a user may know it."""

    game: Game
    day: int
    side: int
    level: str
    players: int
    """Number of users who have begun it."""
    mine: DailyGame | None
    """The user's own game."""
    is_over: bool
    """True if the day has ended."""
    is_computing: bool
    """True if results without luck that are missing may still come."""
    results: list[ListedResult] | None
    """None as long as the user may not see them."""


class DailyService:
    """Service for deals of the day.

    Args:
        engine: Database engine.
        writer: Writer for the database.
        tables: Registry of the tables in memory.
        seating: Seating service.
        event_log: Event log.
        analyses: Service that analyses games.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        tables: TableRegistry,
        seating: Seating,
        event_log: EventLog,
        analyses: Analyses,
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._tables = tables
        self._seating = seating
        self._event_log = event_log
        self._analyses = analyses
        self._key = b""

    def games(self) -> list[str]:
        """Return the games with a deal of the day: those with levels."""
        return [game_id for game_id in kits() if has_levels(game_id)]

    def today(self) -> int:
        """Return the current day (UTC)."""
        return day_of(time_control.now())

    def _game(self, game_id: str) -> Game:
        return self._tables.rulesets.get(game_id, {})

    # ---- Playing.

    async def begin(self, game_id: str, person_id: str, name: str) -> str:
        """Return the table of a user's game of today's deal; it begins if they have not played it yet.

        Raises:
            NotFoundError: The game has no deal of the day.
            TooManyError: The user, or the address of the request, has too many tables.
        """
        game, day = self._daily_game(game_id), self.today()
        if found := await self._own_table(game_id, day, person_id):
            return found
        side, table_id = side_of(game_id, day), new_id()
        plan = TableSettings(game_id, _seats(game, side, level_of(game, day)), terms=TERMS)
        row = daily.new_game(game_id, day, person_id, table_id, side)
        secret = secret_of(await self._secret_key(), game_id, day)
        try:
            table, _ = await self._seating.create(
                plan, person_id, name, row, table_id=table_id, secret=secret, sealed=True
            )
        except IntegrityError:  # a second click was quicker
            if found := await self._own_table(game_id, day, person_id):
                return found
            raise
        table.occasion = Occasion.of_daily(game_id, day)
        return table.id

    def _daily_game(self, game_id: str) -> Game:
        if game_id not in self.games():
            raise NotFoundError(f"{game_id} has no deal of the day", key="daily.refused.game")
        return self._game(game_id)

    async def _own_table(self, game_id: str, day: int, person_id: str) -> str | None:
        own = await asyncio.to_thread(daily.own_games, self._engine, person_id, [day])
        return next((each.table_id for each in own if each.game == game_id), None)

    async def _secret_key(self) -> bytes:
        if not self._key:
            self._key = await asyncio.to_thread(daily.secret_key, self._engine, commit_reveal.new_secret())
        return self._key

    # ---- Showing.

    async def deal(self, game_id: str, day: int, person_id: str | None) -> Deal:
        """Return a deal with the results that a user may see: of a day that is over, or after their own game.

        Raises:
            NotFoundError: There is no such deal.
        """
        game = self._daily_game(game_id)
        if day > self.today():
            raise NotFoundError("there is no deal of this day yet", key="daily.refused.day")
        return await asyncio.to_thread(self._deal, game, day, person_id)

    async def deals(self, day: int, person_id: str | None) -> list[Deal]:
        """Return the deals of all games of a day; see `deal`."""
        return [await self.deal(game_id, day, person_id) for game_id in self.games()]

    def _deal(self, game: Game, day: int, person_id: str | None) -> Deal:
        own = daily.own_games(self._engine, person_id, [day]) if person_id else []
        mine = next((each for each in own if each.game == game.id), None)
        players = daily.counts(self._engine, [game.id], day).get(game.id, 0)
        is_over = day < self.today()
        results = None
        if (mine is not None and mine.score is not None) or (is_over and self._is_revealed(game.id, day)):
            results = self._results(game.id, day, person_id)
        is_computing = self._analyses.playouts > 0 and day >= self.today() - 1
        return Deal(
            game, day, side_of(game.id, day), level_of(game, day), players, mine, is_over, is_computing, results
        )

    def _is_revealed(self, game_id: str, day: int) -> bool:
        return (game_id, day) not in daily.ended_days(self._engine, day + 1)

    def _results(self, game_id: str, day: int, person_id: str | None) -> list[ListedResult]:
        found = daily.results(self._engine, game_id, day, MAX_LISTED)
        public = public_among(self._engine, {each.person_id for each in found})
        return [
            ListedResult(
                None if each.luck_adjusted is None or each.is_guest else place,
                each,
                each.name if each.person_id in public else "",
                each.person_id == person_id,
            )
            for place, each in enumerate(found, 1)
        ]

    async def streaks(self, person_id: str) -> Streaks:
        """Return the streaks of a user."""
        days = await asyncio.to_thread(daily.days_played, self._engine, person_id, MAX_STREAK)
        return streaks(days, self.today())

    async def forks(self, game_id: str, day: int) -> list[Fork] | None:
        """Return the decisions of a day on which players differed; None before they have been compared."""
        report = await asyncio.to_thread(daily.report, self._engine, game_id, day)
        return None if report is None else from_json(report)

    # ---- The end of games and days.

    async def tick(self) -> None:
        """Do what is due: store results, end the day, request analyses, compare; call it every `POLL_INTERVAL`."""
        today = self.today()
        for late in await asyncio.to_thread(daily.overdue, self._engine, today, MAX_AT_ONCE):
            await self._abandon(late)
        for over in await asyncio.to_thread(daily.ended, self._engine, MAX_AT_ONCE):
            await self._writer.write(daily.scored(over.table_id, self._score(over), False))
        for game_id, day in await asyncio.to_thread(daily.ended_days, self._engine, today):
            revealed = await asyncio.to_thread(daily.reveal, self._engine, game_id, day, time_control.now())
            self._tables.changed_outside(revealed)
        await self._request_analyses(today)
        await self._compare(today - 1)

    def _score(self, over: EndedGame) -> int:
        winner, _ = ending_of(self._game(over.game), over.result)
        return 0 if winner is None else 1 if winner == over.side else -1

    async def _abandon(self, late: EndedGame) -> None:
        """End a game that was not finished on its day: its player loses."""
        try:
            table = await self._tables.fresh(late.table_id)
            await self._event_log.do(table, partial(_resignation, table, late.side))
            is_left = self._score(late._replace(result=table.result)) == -1
        except TRANSIENT_ERRORS:
            raise
        except Exception:  # one unreadable table must not keep the day from ending
            log.exception("a game of a past day could not be ended", extra={"table": late.table_id})
            is_left = True
        if is_left:  # otherwise it has just been finished, and its result counts
            await self._writer.write(daily.scored(late.table_id, -1, True))

    async def _request_analyses(self, today: int) -> None:
        if not self._analyses.playouts:
            return
        wanted = partial(daily.without_analysis, self._engine, self.games(), today - 1, MAX_REQUESTED)
        for table_id in await asyncio.to_thread(wanted):
            try:
                table = await self._tables.fresh(table_id)
                if self._analyses.can_analyse(table.game, table.result):
                    await self._analyses.begin(*self._analyses.of_sealed(table))
            except TooManyError:
                return
            except Exception:
                log.exception("a daily game could not be analysed", extra={"table": table_id})

    async def _compare(self, day: int) -> None:
        """Compare the decisions of a day whose tables have been revealed."""
        if is_interpreting():  # uncompiled rules would replay for minutes
            return
        for game_id in await asyncio.to_thread(daily.uncompared, self._engine, self.games(), day):
            await asyncio.to_thread(self._compare_now, game_id, day)

    def _compare_now(self, game_id: str, day: int) -> None:
        found = daily.results(self._engine, game_id, day, MAX_COMPARED)
        games = [played for each in found if (played := self._played(each)) is not None]
        daily.keep_report(self._engine, game_id, day, as_json(forks(games)))

    def _played(self, kept: DailyGame) -> PlayedDeal | None:
        try:
            return PlayedDeal(kept.table_id, self._tables.loader.read(kept.table_id).seen_by(kept.side))
        except Exception:
            log.warning("a daily game cannot be read and is not compared", extra={"table": kept.table_id})
            return None


def _seats(game: Game, side: int, level: str) -> list[str]:
    return ["me" if seat == side else f"computer:{level}" for seat in range(len(game.sides))]


def _resignation(table: LiveTable, side: int) -> TableRecord | None:
    return TableRecord(RESIGN, side, 0, time.time()) if table.status == RUNNING else None
