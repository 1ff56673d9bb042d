"""Print and play: an index of sheets, and each sheet as a page to print; for packaged and changed rulesets."""

from __future__ import annotations

from functools import partial
from typing import Literal

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from brinkmanship.engine.game import Game
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.pages.library.print_sheets import SHEETS, Paper, Sheet, sheet
from brinkmanship.web.pages.shared.lookup import game_by_id
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import page, run_in_pool
from brinkmanship.web.presentation.page_words import page_words, title_of

router = PageRouter()

Pages = Literal[1, 4]
"""Number of pages of the board."""


@router.get("/print/{game_id}")
async def index(request: Request, who: Person | None, game_id: str) -> Response:
    """Show the sheets of a game."""
    return index_page(request, who, game_by_id(request, game_id), f"/print/{game_id}", "/library")


@router.get("/print/{game_id}/{name}")
async def printed(
    request: Request, who: Person | None, game_id: str, name: Sheet, paper: Paper = "a4", pages: Pages = 1
) -> Response:
    """Show a sheet of a game, to print."""
    game = game_by_id(request, game_id)
    return await sheet_page(request, who, game, name, paper, pages, f"/print/{game_id}")


def index_page(request: Request, who: Person | None, game: Game, address: str, back: str) -> Response:
    """Return the index of the sheets of a ruleset, whose addresses begin with `address`."""
    title = title_of(game, page_words(language_of(request, who)))
    return page(request, "printing/index.html", who, title=title, sheets=SHEETS, address=address, back=back)


async def sheet_page(
    request: Request, who: Person | None, game: Game, name: Sheet, paper: Paper, pages: int, back: str
) -> Response:
    """Return a sheet of a ruleset."""
    work = partial(sheet, game, name, language_of(request, who), paper, pages, back)
    return HTMLResponse(await run_in_pool(request, work))
