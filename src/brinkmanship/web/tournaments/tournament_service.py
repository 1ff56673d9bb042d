"""Tournaments as people use them: start, enter, withdraw, stay away, read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sqlalchemy import Engine

from brinkmanship.engine.errors import BrinkError
from brinkmanship.store import tournaments as store
from brinkmanship.store.tournaments import ListedTournament, Record, Tournament
from brinkmanship.tournament.event import LEAGUE, OPEN, RUNNING, Entry, Match, Status
from brinkmanship.tournament.standings import is_done
from brinkmanship.tournament.withdrawals import MAX_AWAY_SECONDS, would_be_struck
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError, StaleError
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.rating_conditions import check_accounts, check_rated
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Seating
from brinkmanship.web.tournaments.terms import MAX_ENTRIES, TournamentSettings, checked, table_terms
from brinkmanship.web.tournaments.ticks import Ticks

ATTEMPTS = 5
"""Maximum attempts of a change that conflicts with concurrent changes."""
LIST_LENGTH = 50
"""Maximum tournaments of a list."""
MAX_ORGANISED = 5
"""Maximum unfinished tournaments that one user organises."""
MAX_ENTERED = 20
"""Maximum unfinished tournaments that one user has entered."""
DAY_SECONDS = 24 * 3600.0


class Tournaments:
    """Service for tournaments; `tick` carries them on."""

    def __init__(self, engine: Engine, tables: TableRegistry, seating: Seating, event_log: EventLog) -> None:
        self._engine = engine
        self._tables = tables
        self._ticks = Ticks(engine, tables, seating, event_log)
        self._changing = asyncio.Lock()
        """Held during a change: many people may enter at once, and only other processes shall conflict."""

    async def tick(self) -> None:
        """Carry on every tournament in which something is due; call it every `POLL_INTERVAL` of `ticks`."""
        await self._ticks.tick()

    async def create(self, plan: TournamentSettings, who: Person) -> Tournament:
        """Start a tournament that people can enter by its link.

        Raises:
            ForbiddenError: The user has no account.
            IllegalError: A value of the plan is not possible, or the user organises too many tournaments.
        """
        if who.is_guest:
            raise ForbiddenError("tournaments are started by people with an account", key="tournament.refused.account")
        now = time_control.now()
        new = checked(plan, who.id, now)
        try:
            game = await self._tables.loader.ruleset(new.game, new.options)
        except BrinkError as error:
            raise IllegalError(str(error), key="refused.options") from error
        if new.rated:
            await asyncio.to_thread(check_rated, self._engine, game, [], table_terms(new), None, None)
        if await asyncio.to_thread(store.organised_count, self._engine, who.id) >= MAX_ORGANISED:
            raise IllegalError(
                f"no more than {MAX_ORGANISED} unfinished tournaments of one organiser", key="tournament.refused.many"
            )
        await asyncio.to_thread(store.create, self._engine, new, now)
        return new

    async def read(self, tournament_id: str) -> Record:
        """Return a tournament.

        Raises:
            NotFoundError: There is no such tournament.
        """
        found = await asyncio.to_thread(store.read, self._engine, tournament_id)
        if found is None:
            raise NotFoundError(f"there is no tournament {tournament_id}", key="tournament.refused.unknown")
        return found

    async def listed(self, status: Status) -> list[ListedTournament]:
        """Return the listed tournaments with this status, newest first."""
        return await asyncio.to_thread(store.listed, self._engine, status, LIST_LENGTH)

    async def of_person(self, person_id: str) -> list[ListedTournament]:
        """Return the tournaments that a user has entered or organises, newest first."""
        return await asyncio.to_thread(store.of_person, self._engine, person_id, LIST_LENGTH)

    async def enter(self, tournament_id: str, who: Person, as_substitute: bool = False) -> Record:
        """Enter a tournament, or offer to take the place of a player of a league who leaves.

        Raises:
            NotFoundError: There is no such tournament.
            ForbiddenError: The tournament is rated, and the user has no account.
            IllegalError: Entries are closed, the tournament is full, or the user has entered already or too many.
        """
        if await asyncio.to_thread(store.entered_count, self._engine, who.id) >= MAX_ENTERED:
            raise IllegalError(
                f"no more than {MAX_ENTERED} unfinished tournaments at once", key="tournament.refused.many_entered"
            )

        def change(record: Record, now: float) -> bool:
            _check_entry(record, who.id, as_substitute, now)
            if record.tournament.rated:
                check_accounts(self._engine, [who.id])
            return store.enter(self._engine, record.tournament, who.id, as_substitute, now)

        return await self._changed(tournament_id, change)

    async def withdraw(self, tournament_id: str, who: Person) -> Record:
        """Withdraw from a tournament; before its start the entry is removed.

        Raises:
            NotFoundError: There is no such tournament.
            IllegalError: The user is not in it, or it is over.
        """

        def change(record: Record, now: float) -> bool:
            entry = _own_entry(record, who.id)
            if record.tournament.status == OPEN or entry.is_substitute:
                return store.remove_entry(self._engine, record.tournament, who.id, now)
            is_struck = would_be_struck(record.event, who.id)
            return store.withdraw(self._engine, record.tournament, who.id, is_struck, now)

        return await self._changed(tournament_id, change)

    async def stay_away(self, tournament_id: str, who: Person, days: int) -> Record:
        """Announce an absence that begins now, once in a tournament.

        The user's matches that have not begun start after it, and the deadlines of the others move by its length. The
        clocks of games being played go on.

        Raises:
            NotFoundError: There is no such tournament.
            IllegalError: The user is not in it, it is over, or they have been away before.
        """
        seconds = days * DAY_SECONDS
        if not 0 < seconds <= MAX_AWAY_SECONDS:
            raise IllegalError("an absence has 1 to 14 days", key="tournament.refused.away")

        def change(record: Record, now: float) -> bool:
            if _own_entry(record, who.id).away_from is not None:
                raise IllegalError("you have announced an absence before", key="tournament.refused.away_twice")
            later = [
                _moved(match, now, seconds)
                for match in record.event.matches
                if who.id in match.people and not is_done(record.event, match)
            ]
            return store.stay_away(self._engine, record.tournament, who.id, (now, now + seconds), later, now)

        return await self._changed(tournament_id, change)

    async def cancel(self, tournament_id: str, who: Person) -> Record:
        """Cancel a tournament before its start; for its organiser.

        Raises:
            NotFoundError: There is no such tournament.
            ForbiddenError: The user does not organise it.
            IllegalError: It has begun.
        """

        def change(record: Record, now: float) -> bool:
            if record.tournament.organiser_id != who.id:
                raise ForbiddenError("only its organiser cancels a tournament", key="tournament.refused.organiser")
            if record.tournament.status != OPEN:
                raise IllegalError("the tournament has begun", key="tournament.refused.begun")
            return store.cancel(self._engine, record.tournament, now)

        return await self._changed(tournament_id, change)

    async def _changed(self, tournament_id: str, change: Callable[[Record, float], bool]) -> Record:
        """Return a tournament after a change, which is tried again after a concurrent one.

        Raises:
            StaleError: All attempts met a concurrent change.
        """
        for _ in range(ATTEMPTS):
            async with self._changing:
                record = await self.read(tournament_id)
                if await asyncio.to_thread(change, record, time_control.now()):
                    return await self.read(tournament_id)
        raise StaleError("the tournament has changed in the meantime")


def _check_entry(record: Record, person_id: str, as_substitute: bool, now: float) -> None:
    tournament, event = record.tournament, record.event
    if event.entry(person_id) is not None:
        raise IllegalError("you have entered this tournament already", key="tournament.refused.twice")
    if as_substitute:
        if tournament.kind != LEAGUE or tournament.status not in (OPEN, RUNNING):
            raise IllegalError("only a league that is not over has substitutes", key="tournament.refused.closed")
    elif tournament.status != OPEN or (tournament.starts_at is not None and now >= tournament.starts_at):
        raise IllegalError("entries are closed", key="tournament.refused.closed")
    room = MAX_ENTRIES if tournament.kind == LEAGUE else tournament.size
    if sum(entry.is_substitute == as_substitute for entry in event.entries) >= room:
        raise IllegalError("the tournament is full", key="tournament.refused.full")


def _own_entry(record: Record, person_id: str) -> Entry:
    entry = record.event.entry(person_id)
    if record.tournament.status not in (OPEN, RUNNING):
        raise IllegalError("the tournament is over", key="tournament.refused.over")
    if entry is None or entry.withdrawn_at is not None:
        raise IllegalError("you do not play in this tournament", key="tournament.refused.not_in")
    return entry


def _moved(match: Match, now: float, seconds: float) -> Match:
    starts_at = match.starts_at if match.games else max(match.starts_at, now + seconds)
    moved_by = seconds if match.games else starts_at - match.starts_at
    ends_at = None if match.ends_at is None else match.ends_at + moved_by
    return match._replace(starts_at=starts_at, ends_at=ends_at)
