"""The end of a game on its table's page: result, score, rematch, another opponent, headline of a stored analysis."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from starlette.requests import Request

from brinkmanship.analysis.page import DOMAIN, headline
from brinkmanship.lessons import has_lesson
from brinkmanship.players import levels_for
from brinkmanship.store import repository, seeks
from brinkmanship.text.score import ScoreText
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.shared.results import ResultText, result_for, score_of
from brinkmanship.web.pages.table.table_context import TableContext
from brinkmanship.web.pages.table.viewer import Viewer
from brinkmanship.web.presentation.level_cookie import proposed_at
from brinkmanship.web.presentation.page_words import computer_name, game_words, page_words, player_name
from brinkmanship.web.seeks.seek_service import leaver_of
from brinkmanship.web.services import services_of
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import DEALING, FINISHED, WAITING


class NextLevel(NamedTuple):
    """A level proposed for the next game."""

    player: str
    name: str
    is_higher: bool


class Ending(NamedTuple):
    """The end of a game for one viewer; empty before it."""

    result: ResultText | None
    score: list[ScoreText]
    """Breakdown of the score."""
    next_level: NextLevel | None
    """A computer level that suits the viewer better than the one of the game."""
    proposes_course: bool
    """True if the viewer has lost a game that has a course."""


def ending_of(at: TableContext) -> Ending:
    """Return the end of the game at a table."""
    table = at.table
    result = result_for(table, at.viewer.mine, at.own.language) if table.status == FINISHED else None
    return Ending(
        result=result,
        score=score_of(table, at.words) if table.is_revealed else [],
        next_level=_next_level(at) if table.is_revealed else None,
        proposes_course=result is not None and result.has_lost and has_lesson(at.game.id),
    )


def _next_level(at: TableContext) -> NextLevel | None:
    played = [seat.computer for seat in at.table.seats if seat.computer]
    found = proposed_at(at.table, at.viewer.mine)
    if not found or found in played:
        return None
    levels = levels_for(at.game)
    return NextLevel(found, computer_name(found, at.own), levels.index(found) > levels.index(played[0]))


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
