"""Challenges: one user asks another one for a game, who accepts or declines; no clock runs before."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy import Engine

from brinkmanship.games.registry import game_class, kits
from brinkmanship.store import challenges as stored
from brinkmanship.store.challenges import ACCEPTED, OPEN, REASONS, Challenge
from brinkmanship.store.people import lock_person
from brinkmanship.store.seeks import may_meet
from brinkmanship.store.writer import NoRowUpdatedError
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.presentation.clock_forms import clock_in
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.display_names import login_key
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError, TooManyError
from brinkmanship.web.support.ids import new_id
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import now
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.quotas import TableQuotas, check_tables
from brinkmanship.web.tables.rating_conditions import rated_terms
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.seating import Seating

WEEK_SECONDS = 7 * 24 * 3600
LASTS_SECONDS = WEEK_SECONDS
"""Lifetime (s) of a challenge."""
MAX_OPEN = 10
"""Maximum open challenges of one user."""
MAX_DECLINED = 2
"""Challenges that a user declines within a week before those of the same user are refused for a week."""


class Proposal(NamedTuple):
    """Choices for a challenge."""

    game: str
    side: int | None
    """Side of the challenger; None for a random one."""
    clock: str
    """Clock, named as in `clock_forms`; "" for none."""
    rated: bool = False


class ChallengeService:
    """Service for challenges; see the module."""

    def __init__(self, engine: Engine, tables: TableRegistry, seating: Seating, quotas: TableQuotas) -> None:
        self._engine = engine
        self._tables = tables
        self._seating = seating
        self._quotas = quotas

    async def of(self, who: Person) -> list[Challenge]:
        """Return the open challenges to and from a user, and those declined in the last week, newest first."""
        return await asyncio.to_thread(stored.of_person, self._engine, who.id, now(), now() - WEEK_SECONDS)

    async def challenged(self, to: str) -> tuple[str, str] | None:
        """Return the id and name of the account with this id or login name, or None."""
        return await asyncio.to_thread(self._account, to)

    async def challenge(self, who: Person, to: str, proposal: Proposal) -> Challenge:
        """Challenge the user with this id or login name.

        Raises:
            ForbiddenError: The challenger has no account, or the other user takes no challenges from them.
            IllegalError: There is no such game, side, clock or account, or the challenge is already open.
            TooManyError: The challenger has too many open challenges or tables.
        """
        if who.login is None:
            raise ForbiddenError("challenges are for people with an account", key="challenges.refused.account")
        if proposal.game not in kits() or proposal.side not in (None, *range(len(game_class(proposal.game).sides))):
            raise IllegalError("choose a game and a side of this server", key="seeks.refused.games")
        clock_in(proposal.clock)
        other = await self.challenged(to)
        if other is None or other[0] == who.id:
            raise IllegalError("no other account has this name", key="challenges.refused.nobody")
        at = now()
        names = (who.name, other[1])
        new = Challenge(new_id(), who.id, other[0], *proposal, at, at + LASTS_SECONDS, OPEN, "", None, None, *names)
        try:
            await asyncio.to_thread(self._add, new)
        except TooManyError:
            await rate_limit.delay_refusal()
            raise
        return new

    def _account(self, text: str) -> tuple[str, str] | None:
        with self._engine.connect() as connection:
            found = stored.person_by(connection, text)
            if found is None:
                with suppress(IllegalError):  # no account can have this name
                    found = stored.person_by(connection, login_key(text))
            return found

    def _add(self, new: Challenge) -> None:
        with self._engine.connect() as connection:
            is_welcome = may_meet(connection, new.from_id, new.to_id)
        since = new.created_at - WEEK_SECONDS
        if not is_welcome or stored.declined_since(self._engine, new.from_id, new.to_id, since) >= MAX_DECLINED:
            raise ForbiddenError(
                "this player takes no challenges from you at present", key="challenges.refused.unwelcome"
            )
        check_tables(self._engine, self._quotas, new.from_id, False)
        with self._engine.begin() as connection:
            lock_person(connection, new.from_id)  # of two challenges the second sees the first
            if stored.open_between(connection, new.from_id, new.to_id, new.created_at):
                raise IllegalError("this player has not answered your last challenge", key="challenges.refused.open")
            if not stored.add(connection, new, MAX_OPEN):
                raise TooManyError(
                    f"no more than {MAX_OPEN} open challenges at once; withdraw one", "challenges.refused.many", 60
                )

    async def accept(self, who: Person, challenge_id: str) -> LiveTable:
        """Accept a challenge; return the table. Accepting twice returns the same one.

        Raises:
            NotFoundError: There is no such challenge to the user.
            IllegalError: It is no longer open.
        """
        found = await self._to(who, challenge_id)
        table_id = new_id()
        clock = clock_in(found.clock)
        terms = rated_terms(clock) if found.rated else Terms(clock)
        side = secrets.randbelow(2) if found.side is None else found.side
        people = [(found.from_id, found.from_name), (who.id, who.name)]
        accepted = stored.accept(challenge_id, table_id, now())
        try:
            return await self._seating.pair(
                found.game, people if side == 0 else people[::-1], terms, accepted, table_id=table_id
            )
        except NoRowUpdatedError:
            found = await self._to(who, challenge_id)
            if found.state == ACCEPTED and found.table_id:
                return await self._tables.table(found.table_id)
            raise _gone() from None

    async def decline(self, who: Person, challenge_id: str, reason: str) -> None:
        """Decline a challenge.

        Raises:
            NotFoundError: There is no such challenge to the user.
            IllegalError: It is no longer open, or there is no such reason.
        """
        if reason not in REASONS:
            raise IllegalError(f"a reason is one of {', '.join(REASONS)}", key="challenges.refused.reason")
        await self._to(who, challenge_id)
        if not await asyncio.to_thread(stored.decline, self._engine, challenge_id, reason, now()):
            raise _gone()

    async def withdraw(self, who: Person, challenge_id: str) -> None:
        """Withdraw a challenge of the user.

        Raises:
            NotFoundError: There is no such challenge of the user.
            IllegalError: It is no longer open.
        """
        found = await asyncio.to_thread(stored.challenge, self._engine, challenge_id)
        if found is None or found.from_id != who.id:
            raise NotFoundError("there is no such challenge", key="challenges.refused.none")
        if not await asyncio.to_thread(stored.withdraw, self._engine, challenge_id, now()):
            raise _gone()

    async def _to(self, who: Person, challenge_id: str) -> Challenge:
        found = await asyncio.to_thread(stored.challenge, self._engine, challenge_id)
        if found is None or found.to_id != who.id:
            raise NotFoundError("there is no such challenge", key="challenges.refused.none")
        return found


def _gone() -> IllegalError:
    return IllegalError("this challenge is no longer open", key="challenges.refused.gone")
