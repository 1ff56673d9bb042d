"""Pages about custom cards and scenarios: how a table differs from the game's own."""

from __future__ import annotations

import re
from functools import partial

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from brinkmanship.engine.data_file import DataFile, Difference, differences
from brinkmanship.engine.game import Game
from brinkmanship.games.registry import kits
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.library.library import cards_page
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import books_of, page, run_in_pool
from brinkmanship.web.presentation.data_files import kind_of, own_files
from brinkmanship.web.presentation.page_words import page_words, title_of
from brinkmanship.web.services import services_of, table_at
from brinkmanship.web.support.errors import NotFoundError
from brinkmanship.web.tables.live_table import LiveTable

router = PageRouter()

MAX_SHOWN = 300
"""Maximum differences listed on a page."""


@router.get("/data/{game_id}/{name}")
async def own_file(game_id: str, name: str) -> Response:
    """Send a packaged data file, for users who want to edit a copy."""
    content = own_files(game_id).get(name) if game_id in kits() else None
    if content is None:
        raise NotFoundError(f"there is no data file {name} for a game {game_id}")
    return file_response(f"{game_id}-{name}", content)


@router.get("/t/{table_id}/data")
async def data_of_table(request: Request, who: Person | None, table_id: str) -> Response:
    """Show how a table's data file differs from the game's own cards or scenario."""
    table, data = await _with_data(request, table_id)
    return await run_in_pool(request, partial(_data_page, request, who, table, data))


def _data_page(request: Request, who: Person | None, table: LiveTable, data: DataFile) -> Response:
    game = table.game
    found = _differences(game, data)
    return page(
        request,
        "library/data_file.html",
        who,
        title=title_of(game, page_words(language_of(request, who))),
        table_id=table.id,
        kind=kind_of(game),
        name=data.name,
        sha256=game.data_sha256,
        has_cards="cards" in books_of(game),
        differences=found[:MAX_SHOWN],
        count=len(found),
    )


def _differences(game: Game, data: DataFile) -> list[Difference]:
    own = own_files(game.id)
    # Compare with the closest packaged file: a copy of the second scenario differs widely from the first.
    return min((differences(content, data.content) for content in own.values()), key=len, default=[])


@router.get("/t/{table_id}/data/file")
async def data_file_of_table(request: Request, table_id: str) -> Response:
    """Send the data file of a table."""
    _, data = await _with_data(request, table_id)
    return file_response(data.name, data.content)


@router.get("/t/{table_id}/cards")
async def cards_of_table(request: Request, who: Person | None, table_id: str, side: str | None = None) -> Response:
    """Show every card in use at this table."""
    table = await table_at(request, table_id)
    if "cards" not in books_of(table.game):
        raise NotFoundError(f"{table.game.id} has no page of cards")
    return await run_in_pool(request, partial(cards_page, request, who, table.game, side, f"/t/{table.id}/cards"))


async def _with_data(request: Request, table_id: str) -> tuple[LiveTable, DataFile]:
    table = await table_at(request, table_id)
    data = await services_of(request).seating.data_of(table)
    if data is None:
        raise NotFoundError("this table is played with the game's own data file")
    return table, data


def file_response(name: str, content: bytes) -> Response:
    """Return a data file as a download."""
    plain = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
    return PlainTextResponse(content, headers={"Content-Disposition": f'attachment; filename="{plain}"'})
