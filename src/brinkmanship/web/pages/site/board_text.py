"""The choice between the board as a picture and in words."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from starlette.responses import RedirectResponse, Response

from brinkmanship.web.pages.shared.board_text import TEXT_COOKIE, TextMode
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import local_path

router = PageRouter()


@router.post("/board-text", is_open=True)
async def choose_board_text(mode: TextMode, back: Annotated[str, Meta(max_length=300)] = "/") -> Response:
    """Show the board in words, or not; the browser remembers the choice."""
    response = RedirectResponse(local_path(back), 303)
    response.set_cookie(TEXT_COOKIE, mode, max_age=365 * 24 * 3600, samesite="lax")
    return response
