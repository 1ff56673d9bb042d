"""Service for ratings: rate finished games, and tell players what a game would change.

Ratings are computed by `store.rating_ledger`, in every server process, whenever a game is due; each game is rated once.
"""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple

from sqlalchemy import Engine, select

from brinkmanship.engine.game import Game
from brinkmanship.rating.bookkeeping import PlayerRating
from brinkmanship.rating.game_results import DAY_SECONDS, PROVISIONAL_GAMES, Prospect, prospect, weight_of
from brinkmanship.rating.glicko import START, Rating, aged
from brinkmanship.rating.profile import profile_for, ruleset_name
from brinkmanship.store import rating_ledger, ratings
from brinkmanship.store.schema import tables
from brinkmanship.store.writer import TRANSIENT_ERRORS
from brinkmanship.web.support.lru_cache import LruCache
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seats import Seat
from brinkmanship.web.tables.statuses import FINISHED

POLL_INTERVAL = 10.0
"""Time (s) between two searches for finished games."""
KEPT_SECONDS = 30.0
"""Time (s) for which the ratings shown at a table are cached."""
MAX_KEPT = 2_000


class ShownRating(NamedTuple):
    """A rating as it is shown."""

    points: int
    is_provisional: bool
    """True after only a few games."""

    def __str__(self) -> str:
        return f"{self.points}{'?' if self.is_provisional else ''}"


class Outlook(NamedTuple):
    """Effect that a rated game would have on the rating of one player."""

    prospect: Prospect
    is_even: bool
    """True if the opponent is not known yet; then they are taken to be of equal strength."""


class Ratings:
    """Service for ratings.

    Args:
        engine: Database engine.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._shown: LruCache[str, tuple[float, dict[int, ShownRating]]] = LruCache(MAX_KEPT)

    async def rate_finished(self) -> None:
        """Rate all games that have ended; call it every `POLL_INTERVAL`."""
        while len(await asyncio.to_thread(rating_ledger.rate_finished, self._engine)) == rating_ledger.BATCH:
            pass

    async def changes(self, table: LiveTable) -> list[ratings.Change]:
        """Return the changes of both ratings after a game, by side; empty if it is not rated."""
        if table.status != FINISHED or not table.terms.rated:
            return []
        return await asyncio.to_thread(self._changes, table.id)

    def _changes(self, table_id: str) -> list[ratings.Change]:
        found = ratings.changes_at(self._engine, table_id)
        if found:
            return found
        with self._engine.connect() as connection:
            is_due = connection.execute(select(tables.c.awaits_rating).where(tables.c.id == table_id)).scalar()
        if is_due:
            try:
                rating_ledger.rate_finished(self._engine)
            except TRANSIENT_ERRORS:  # the page is shown without it; the periodic task tries again
                return []
        # Not due, and no change was found: the other side's page may have rated the game in between.
        return ratings.changes_at(self._engine, table_id)

    async def shown(self, table: LiveTable) -> dict[int, ShownRating]:
        """Return the ratings shown at a rated table by side, without those of free seats; empty at other tables."""
        if not table.terms.rated:
            return {}
        kept = self._shown.get(table.id)
        seated = sum(not seat.is_free for seat in table.seats)
        if kept is not None and kept[0] > time.monotonic() and len(kept[1]) == seated:
            return kept[1]
        found = await asyncio.to_thread(self._ratings_at, table)
        self._shown.keep(table.id, (time.monotonic() + KEPT_SECONDS, found))
        return found

    def _ratings_at(self, table: LiveTable) -> dict[int, ShownRating]:
        standings = self._standings(table)
        found = {}
        for seat in table.seats:
            level = _level_rating(table, seat)
            if level is not None:
                found[seat.side] = ShownRating(round(level.value), False)
            elif seat.person_id:
                found[seat.side] = shown_rating(standings.get(seat.person_id))
        return found

    def _standings(self, table: LiveTable, *more: str) -> dict[str, PlayerRating]:
        people = [*(seat.person_id for seat in table.seats if seat.person_id), *more]
        return ratings.standings_in(self._engine, people, table.game.id)

    async def outlook(self, table: LiveTable, side: int, person_id: str, other_id: str | None = None) -> Outlook:
        """Return what a game at a rated table would do to the rating of a user who plays a side.

        Args:
            table: The table.
            side: Side of the user.
            person_id: The user.
            other_id: The opponent; by default whoever has the other seat.
        """
        return await asyncio.to_thread(self._outlook, table, side, person_id, other_id)

    def _outlook(self, table: LiveTable, side: int, person_id: str, other_id: str | None) -> Outlook:
        seat = table.seats[1 - side]
        other_id = other_id or seat.person_id
        standings = self._standings(table, person_id, *([other_id] if other_id else []))
        mine = _rating_now(standings.get(person_id))
        level = _level_rating(table, seat)
        other = level or (_rating_now(standings.get(other_id)) if other_id else mine)
        weight = weight_of(level is not None)
        advantage = self._advantage(table.game, ruleset_name(table.game))
        found = prospect(mine, other, advantage if side == 0 else -advantage, weight)
        return Outlook(found, level is None and other_id is None)

    async def standing(self, person_id: str, game_id: str) -> PlayerRating | None:
        """Return a person's standing in a game; None without rated games."""
        found = await asyncio.to_thread(ratings.standings_in, self._engine, [person_id], game_id)
        return found.get(person_id)

    async def advantage(self, game: Game, ruleset: str) -> float:
        """Return the first side's present advantage in a ruleset (`rating.profile.ruleset_of`), in points."""
        return await asyncio.to_thread(self._advantage, game, ruleset)

    def _advantage(self, game: Game, ruleset: str) -> float:
        with self._engine.connect() as connection:
            latest = ratings.latest_advantage(connection, game.id, ruleset)
        return latest.value if latest else profile_for(game).side_advantages.get(ruleset, 0.0)


def shown_rating(standing: PlayerRating | None) -> ShownRating:
    """Return a person's rating as it is shown; without games the initial one."""
    rating, games = (standing.rating, standing.games) if standing else (START, 0)
    return ShownRating(round(rating.value), games < PROVISIONAL_GAMES)


def _level_rating(table: LiveTable, seat: Seat) -> Rating | None:
    rating = profile_for(table.game).level_rating(seat.computer) if seat.computer else None
    return None if rating is None else Rating(rating)


def _rating_now(standing: PlayerRating | None) -> Rating:
    return aged(standing.rating, (time.time() - standing.at) / DAY_SECONDS) if standing else START
