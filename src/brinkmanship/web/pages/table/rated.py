"""The ratings on the page of a rated table: beside the names, the outlook before the game, the changes after it."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.table.ending import Rematch
from brinkmanship.web.pages.table.viewer import Viewer
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.presentation.rating_texts import changes_said, outlook_said
from brinkmanship.web.services import services_of, table_at
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import WAITING


async def rating_parts(
    request: Request, who: Person | None, table: LiveTable, viewer: Viewer, rematch: Rematch | None, language: str
) -> dict[str, Any]:
    """Return the values that the templates of a table read; all are empty if the table is not rated."""
    service = services_of(request).ratings
    return {
        "ratings": {side: str(rating) for side, rating in (await service.shown(table)).items()},
        "outlook": await _outlook(request, who, table, viewer, rematch, language),
        "rating_changes": changes_said(table, await service.changes(table), language),
    }


async def _outlook(
    request: Request, who: Person | None, table: LiveTable, viewer: Viewer, rematch: Rematch | None, language: str
) -> list[str]:
    """Return the outlook for a player who waits, or for a user who may take the free seat."""
    if not table.terms.rated or table.status != WAITING or who is None or who.is_guest:
        return []
    if not viewer.mine and not table.is_open and not (rematch and rematch.is_asked):
        return []
    side = viewer.mine[0] if viewer.mine else next(seat.side for seat in table.seats if seat.is_free)
    other = await _partner(request, who, rematch) if viewer.mine and rematch else None
    found = await services_of(request).ratings.outlook(table, side, who.id, other)
    return outlook_said(found, page_words(language))


async def _partner(request: Request, who: Person, rematch: Rematch) -> str | None:
    """Return the user who is asked for a rematch."""
    before = await table_at(request, rematch.before)
    return next((seat.person_id for seat in before.seats if seat.person_id != who.id), None)
