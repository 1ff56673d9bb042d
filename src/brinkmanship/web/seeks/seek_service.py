"""Seeks: place, withdraw and pair them, and tell the pages that wait.

Every process runs the matcher: at once when a seek is placed, and periodically, because the accepted chances of winning
widen with time. A page that waits holds an event stream; once a second each process reads the state of all seeks whose
pages wait here, with one query.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine

from brinkmanship.store import moderation
from brinkmanship.store import seeks as stored
from brinkmanship.store.seeks import CLOSED, LIVE, OPEN, PACES, Seek
from brinkmanship.store.writer import NoRowUpdatedError
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.presentation.clock_forms import clock_in
from brinkmanship.web.presentation.seek_wishes import SeekWish, answer_to, like
from brinkmanship.web.seeks.chances import chances
from brinkmanship.web.seeks.pairing import Pairing, pairings
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError, RequestError, TooManyError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import now
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.quotas import TableQuotas, check_tables, mark_of
from brinkmanship.web.tables.rating_conditions import rated_terms
from brinkmanship.web.tables.record_kinds import ACTION, RESIGN, TIMEOUT
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Seating
from brinkmanship.web.tables.statuses import FINISHED

log = logging.getLogger("brinkmanship.web")

POLL_INTERVAL = 1.0
"""Poll interval (s) for the seeks whose pages wait in this process."""
MATCH_SECONDS = 5.0
"""Interval (s) of the matcher."""
SETTLE_SECONDS = 10.0
"""Interval (s) of the search for games that were left before the first move."""
SIGN_SECONDS = 5.0
"""Interval (s) at which an open page is noted in the database."""
PRESENT_SECONDS = 20.0
"""Time (s) since the last sign of life during which a live seek can be paired."""
GONE_SECONDS = 60.0
"""Time (s) since the last sign of life after which a live seek is withdrawn."""
DAY_SECONDS = 24 * 3600
LASTS = {LIVE: 3 * 3600.0, "days": 30.0 * DAY_SECONDS}
"""Lifetime (s) of a seek by pace."""
MAX_BY_DAYS = 5
"""Maximum open seeks by days of one user."""
MAX_LEFT = 3
"""Games a day that a user may leave before the first move; then they may not seek for `REST_SECONDS`."""
REST_SECONDS = 3600.0
REPEAT_SECONDS = 60.0
"""Time (s) since a live seek found a game during which the same seek is taken for a second click; see `place`."""


class Waiting:
    """A page that waits for the opponent of a seek."""

    def __init__(self, seek_id: str) -> None:
        self.seek_id = seek_id
        self.state = OPEN
        self.table_id: str | None = None
        self.changed = asyncio.Event()


class SeekService:
    """Service for seeks; see the module.

    Args:
        engine: Database engine.
        tables: Registry of the tables in memory.
        seating: Seats of the tables.
        quotas: Maximum tables of one user and of one address; an address may have as many open seeks as open tables.
    """

    def __init__(
        self,
        engine: Engine,
        tables: TableRegistry,
        seating: Seating,
        quotas: TableQuotas,
    ) -> None:
        self._engine = engine
        self._tables = tables
        self._seating = seating
        self._quotas = quotas
        self._matching = asyncio.Lock()
        self._waiting: set[Waiting] = set()
        self._signed_at = -math.inf

    async def place(self, who: Person, wish: SeekWish, since: float | None = None) -> Seek:
        """Store a seek, and pair it at once if an opponent waits; return it as it is then.

        A second click must not lead to a second game while the clock of the first one runs. So a live seek with the
        choices of one that found a game less than `REPEAT_SECONDS` ago, in which the user has not acted, returns that
        one. To play two games at once, users choose other terms, make a move, or wait that long.

        Args:
            who: User who looks for an opponent.
            wish: Choices (`seek_wishes.checked_wish`).
            since: Start of the wait, if it is not now.

        Raises:
            ForbiddenError: The seek is rated, and the user has no account.
            IllegalError: The user has too many open seeks.
            TooManyError: The user or the address has too many tables or seeks, or has left too many games.
        """
        if wish.rated and who.login is None:
            raise ForbiddenError("rated games are for people with an account", key="rated.refused.account")
        await self._check_quotas(who.id)
        begun = now()
        expires_at = begun + LASTS[wish.pace]
        created_at = begun if since is None else since
        chosen = (wish.wants, wish.clocks, wish.pace, wish.rated)
        new = Seek(new_id(), who.id, who.name, *chosen, created_at, expires_at, OPEN, None)
        mark = mark_of(rate_limit.client_address.get())
        placed = await asyncio.to_thread(
            stored.place, self._engine, new, begun, mark, MAX_BY_DAYS, begun - REPEAT_SECONDS
        )
        if placed is None:
            raise IllegalError(
                f"you already have {MAX_BY_DAYS} open seeks by days; withdraw one", key="seeks.refused.many"
            )
        await self.pair_up()
        return await self.seek(placed)

    async def answer(self, who: Person, seek_id: str) -> Seek:
        """Place a seek that fits another user's open one, or return the one of the user that it was paired with.

        Raises:
            NotFoundError: There is no such seek.
            IllegalError: It is no longer open, or the user's own. Also as in `place`.
        """
        other = await self.seek(seek_id)
        if other.table_id is not None and other.person_id != who.id:  # after a second click
            mine = await asyncio.to_thread(stored.at_table, self._engine, other.table_id, who.id)
            if mine is not None:
                return mine
        if other.state != OPEN or other.person_id == who.id:
            raise IllegalError("this user is no longer looking for an opponent", key="seeks.refused.gone")
        return await self.place(who, answer_to(other))

    async def again(self, who: Person, table_id: str) -> Seek:
        """Place a seek like the one that led to a table; if the opponent left at once, with its waiting time.

        Raises:
            NotFoundError: No seek of the user led to this table. Also as in `place`.
        """
        former = await asyncio.to_thread(stored.at_table, self._engine, table_id, who.id)
        if former is None:
            raise NotFoundError("no seek of yours led to this game")
        leaver = leaver_of(await self._tables.fresh(table_id))
        return await self.place(who, like(former), None if leaver in (None, who.id) else former.created_at)

    async def seek(self, seek_id: str) -> Seek:
        """Return a seek.

        Raises:
            NotFoundError: There is no such seek.
        """
        found = await asyncio.to_thread(stored.seek, self._engine, seek_id)
        if found is None:
            raise NotFoundError("there is no such seek", key="seeks.refused.none")
        return found

    async def own(self, who: Person, seek_id: str) -> Seek:
        """Return a seek of a user, and note a sign of life of its page.

        Raises:
            NotFoundError: The user has no such seek.
        """
        found = await self.seek(seek_id)
        if found.person_id != who.id:
            raise NotFoundError("there is no such seek", key="seeks.refused.none")
        if found.state == OPEN and found.pace == LIVE:
            await asyncio.to_thread(stored.note_seen, self._engine, [seek_id], now())
        return found

    async def withdraw(self, who: Person, seek_id: str) -> Seek:
        """Withdraw a seek of a user; nothing happens to one that is no longer open.

        Raises:
            NotFoundError: The user has no such seek.
        """
        await self.own(who, seek_id)
        await asyncio.to_thread(stored.withdraw, self._engine, seek_id, who.id)
        return await self.seek(seek_id)

    async def of_person(self, who: Person) -> list[Seek]:
        """Return the open seeks of a user, the longest waiting first."""
        return await asyncio.to_thread(stored.of_person, self._engine, who.id)

    async def listed(self, viewer_id: str | None) -> list[Seek]:
        """Return the open seeks of others that could be paired now, the longest waiting first.

        Left out are those of users whom the viewer has blocked, or who have blocked the viewer.
        """
        return await asyncio.to_thread(self._listed, viewer_id)

    def _listed(self, viewer_id: str | None) -> list[Seek]:
        since = now() - PRESENT_SECONDS
        with self._engine.connect() as connection:
            hidden = {viewer_id, *moderation.apart_from(connection, viewer_id)} if viewer_id else set()
            found = [seek for pace in PACES for seek in stored.open_seeks(connection, pace, since)]
        return [seek for seek in found if seek.person_id not in hidden]

    # The matcher.

    async def pair_up(self) -> None:
        """Pair all open seeks that accept each other now."""
        async with self._matching:
            for pairing in await asyncio.to_thread(self._pairings, now()):
                await self._seat(pairing)
        await self.look()

    def _pairings(self, at: float) -> list[Pairing]:
        with self._engine.connect() as connection:
            found: list[Pairing] = []
            for pace in PACES:
                open_seeks = stored.open_seeks(connection, pace, at - PRESENT_SECONDS)
                if len(open_seeks) < 2:
                    continue
                chance = chances(self._engine, open_seeks, at)

                def may_meet(first: str, second: str) -> bool:
                    return stored.may_meet(connection, first, second)

                found += pairings(open_seeks, at, chance, may_meet)
            return found

    async def _seat(self, pairing: Pairing) -> None:
        table_id = new_id()
        clock = clock_in(pairing.clock)
        terms = rated_terms(clock) if pairing.first.rated else Terms(clock)
        fired = [stored.fire(seek.id, table_id) for seek in (pairing.first, pairing.second)]
        names = {seek.person_id: seek.name for seek in (pairing.first, pairing.second)}
        people = [(person_id, names[person_id]) for person_id in pairing.people]
        try:
            await self._seating.pair(pairing.want.game, people, terms, *fired, table_id=table_id)
        except NoRowUpdatedError:
            pass  # another process was first, or one of them has been withdrawn
        except RequestError as error:  # one pair that cannot play must not keep the others from it
            log.warning("a pair could not be seated", extra={"game": pairing.want.game, "reason": error.detail})

    async def tick(self) -> None:
        """Close what has expired and run the matcher; call it every `MATCH_SECONDS`."""
        at = now()
        await asyncio.to_thread(stored.close_expired, self._engine, at, at - GONE_SECONDS)
        await self.pair_up()

    async def settle(self) -> None:
        """Find the games that were left before the first move; call it every `SETTLE_SECONDS`."""
        for found in await asyncio.to_thread(stored.unsettled, self._engine):
            if found.is_over:
                leaver = leaver_of(await self._tables.fresh(found.table_id))
                if leaver is not None:
                    await asyncio.to_thread(stored.left, self._engine, found.table_id, leaver, now())
                    continue
            if found.is_over or found.movers > 1:
                await asyncio.to_thread(stored.settle, self._engine, found.table_id)

    async def _check_quotas(self, person_id: str) -> None:
        try:
            await asyncio.to_thread(self._check, person_id)
        except TooManyError:
            await rate_limit.delay_refusal()
            raise

    def _check(self, person_id: str) -> None:
        left = stored.times_left(self._engine, person_id, now() - DAY_SECONDS)
        wait = left[0] + REST_SECONDS - now() if len(left) >= MAX_LEFT else 0.0
        if wait > 0:
            raise TooManyError(
                f"you have left {MAX_LEFT} games before the first move; seek again in an hour",
                "seeks.refused.left",
                math.ceil(wait),
            )
        check_tables(self._engine, self._quotas, person_id, False)
        mark, most = mark_of(rate_limit.client_address.get()), self._quotas.open_of_address
        if mark and most and stored.open_of_address(self._engine, mark) >= most:
            raise TooManyError(f"no more than {most} open seeks of one address", "seeks.refused.address", 60)

    # Pages that wait.

    @contextmanager
    def waiting(self, seek_id: str) -> Iterator[Waiting]:
        """Keep a live seek alive while the context is open, and wake its page when the seek is no longer open."""
        page = Waiting(seek_id)
        self._waiting.add(page)
        self._signed_at = -math.inf  # its sign of life is noted at the next look
        try:
            yield page
        finally:
            self._waiting.discard(page)

    async def look(self) -> None:
        """Tell the pages that wait here; call it every `POLL_INTERVAL`."""
        pages = list(self._waiting)
        if not pages:
            return
        ids = {page.seek_id for page in pages}
        if time.monotonic() - self._signed_at >= SIGN_SECONDS:
            self._signed_at = time.monotonic()
            await asyncio.to_thread(stored.note_seen, self._engine, ids, now())
        found = await asyncio.to_thread(stored.states, self._engine, ids)
        for page in pages:
            page.state, page.table_id = found.get(page.seek_id, (CLOSED, None))
            if page.state != OPEN:
                page.changed.set()


def leaver_of(table: LiveTable) -> str | None:
    """Return the user who ended a game before their own first move, or None."""
    last = table.state.last_game_record
    if table.status != FINISHED or last is None or last.kind not in (RESIGN, TIMEOUT):
        return None
    has_moved = any(record.kind == ACTION and record.actor == last.actor for record in table.records)
    return None if has_moved else table.seats[last.actor].person_id
