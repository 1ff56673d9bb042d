"""oEmbed (https://oembed.com): how another site shows a finished game or an analysis board in a frame."""

from __future__ import annotations

import re
from functools import partial
from typing import Annotated, Literal
from urllib.parse import parse_qs, urlencode, urlsplit

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import public_url, run_in_pool
from brinkmanship.web.pages.study.branches import board_title, kept_board
from brinkmanship.web.pages.study.replay import ReplayAccess, access_at, access_to_upload, title_for
from brinkmanship.web.pages.study.sharing import FRAME_HEIGHT, FRAME_WIDTH, check_finished, frame_code
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import NotFoundError

router = PageRouter()

Size = Annotated[int, Meta(ge=1, le=100_000)]
GAME = re.compile(r"/([tu])/([A-Za-z0-9_-]{1,40})(?:/finished|/replay(?:/(\d{1,6}))?)?")
BOARD = re.compile(r"/b/([A-Za-z0-9_-]{1,40})/(\d{1,6})/(\d{1,6})")


@router.get("/oembed")
async def oembed(
    request: Request,
    url: Annotated[str, Meta(max_length=2000)],
    format: Literal["json"] = "json",  # noqa: ARG001 - the only one
    maxwidth: Size = FRAME_WIDTH,
    maxheight: Size = FRAME_HEIGHT,
) -> Response:
    """Return the frame for a page of this site: a table, a replay, a step of it, or an analysis board.

    Raises:
        NotFoundError: It is no such page.
        ForbiddenError: The game is not finished, or other tables still play its deal.
    """
    site = public_url(request)
    parts = urlsplit(url.removeprefix(site) if url.startswith(f"{site}/") else "")
    chosen = parse_qs(parts.query).get("as", [None])[0]
    if found := GAME.fullmatch(parts.path):
        kind, game_id, step = found.groups()
        access = await _game(request, kind, game_id)
        title = await run_in_pool(request, partial(_title, request, access, chosen))
        wanted = urlencode({name: value for name, value in (("at", step), ("as", chosen)) if value is not None})
        path = f"/{kind}/{game_id}/embed" + (wanted and f"?{wanted}")
    elif found := BOARD.fullmatch(parts.path):
        board_view = await kept_board(request, None, found[1])
        title = board_title(board_view, board_view.access.language)
        path = f"/b/{found[1]}/{found[2]}/embed?at={found[3]}"
    else:
        raise NotFoundError("only finished games and analysis boards of this server can be embedded")
    width, height = min(FRAME_WIDTH, maxwidth), min(FRAME_HEIGHT, maxheight)
    answer = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Brinkmanship",
        "provider_url": f"{site}/",
        "title": title,
        "width": width,
        "height": height,
        "html": frame_code(site + path, title, width, height),
    }
    return JSONResponse(answer)


async def _game(request: Request, kind: str, game_id: str) -> ReplayAccess:
    if kind == "u":
        access = await access_to_upload(request, None, game_id)
    else:
        access = await access_at(request, None, await services_of(request).tables.fresh(game_id))
    return check_finished(access)


def _title(request: Request, access: ReplayAccess, chosen: str | None) -> str:
    return title_for(access.viewing(request, chosen))
