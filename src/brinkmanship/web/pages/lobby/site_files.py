"""Files that browsers and crawlers ask for at fixed addresses."""

from __future__ import annotations

from starlette.responses import PlainTextResponse, RedirectResponse, Response

from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import asset

router = PageRouter()

ROBOTS = """\
User-agent: *
Disallow: /account
Disallow: /api/
Disallow: /b/
Disallow: /join/
Disallow: /next
Disallow: /t/
Disallow: /u/
Disallow: /workshop/
"""
"""Crawlers read the home page, rules, cards, lessons and puzzles; tables are their players' business."""


@router.get("/robots.txt")
async def robots() -> Response:
    """Return the addresses that crawlers should leave alone."""
    return PlainTextResponse(ROBOTS)


@router.get("/favicon.ico")
async def favicon() -> Response:
    """Redirect to the icon that the pages name."""
    return RedirectResponse(asset("img/icon.svg"), 301)
