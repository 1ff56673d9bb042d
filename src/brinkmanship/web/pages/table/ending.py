"""The end of a game on the page of its table: rematch, another opponent, and the headline of a stored analysis."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from starlette.requests import Request

from brinkmanship.analysis.page import DOMAIN, headline
from brinkmanship.store import repository, seeks
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.table.table_model import Viewer
from brinkmanship.web.presentation.page_words import game_words, page_words, player_name
from brinkmanship.web.seeks.seek_service import leaver_of
from brinkmanship.web.services import services_of
from brinkmanship.web.tables.live_table import DEALING, FINISHED, WAITING, LiveTable


class Rematch(NamedTuple):
    """A rematch that one of two people has asked for."""

    before: str
    """Id of the finished table."""
    table: str
    """Id of the new table."""
    other: str
    """Name of the other player."""
    is_asked: bool
    """True if the viewer is asked to accept it."""
    is_open: bool
    """True if it waits to be accepted."""


async def rematch_at(request: Request, who: Person | None, table: LiveTable, language: str) -> Rematch | None:
    """Return the rematch that a finished table leads to, or that a new table is, for a player of both."""
    if who is None:
        return None
    before: LiveTable | None
    if table.status == FINISHED:
        before, after = table, await services_of(request).followups.asked_for(table)
    elif table.status in (WAITING, DEALING):
        engine = services_of(request).engine
        found = await asyncio.to_thread(repository.rematch_of, engine, table.id, who.id)
        before, after = (await services_of(request).tables.table(found) if found else None), table
    else:
        return None
    if before is None or after is None or not before.seat_of(who.id):
        return None
    if not after.seat_of(who.id) and await services_of(request).seating.is_apart(after, who.id):
        return None  # a block hides it
    others = [seat for seat in before.seats if seat.person_id != who.id]
    other = player_name(others[0], page_words(language)) if others else ""
    is_open = after.status == WAITING
    return Rematch(before.id, after.id, other, is_open and not after.seat_of(who.id), is_open)


class FoundBySeek(NamedTuple):
    """A game that a seek of the viewer led to."""

    was_left: bool
    """True if the opponent left before their first move."""


async def seek_at(request: Request, who: Person | None, table: LiveTable) -> FoundBySeek | None:
    """Return how a finished game was found if a seek of the viewer led to it."""
    if who is None or table.status != FINISHED or not table.seat_of(who.id):
        return None
    engine = services_of(request).engine
    if await asyncio.to_thread(seeks.at_table, engine, table.id, who.id) is None:
        return None
    return FoundBySeek(leaver_of(table) not in (None, who.id))


async def luck_of(request: Request, table: LiveTable, viewer: Viewer, language: str) -> str:
    """Return the sentence on luck and play of a stored analysis for a player of one side; "" without one."""
    if not table.is_revealed or len(viewer.mine) != 1:
        return ""
    found = await asyncio.to_thread(services_of(request).analyses.stored, table)
    if found is None:
        return ""
    words = game_words(table.game, language).with_domain(DOMAIN)
    return words.sentence(headline(found, viewer.mine[0]))
