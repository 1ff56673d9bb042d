"""Files that browsers and crawlers ask for at fixed addresses, and what makes the site an app that can be installed."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from brinkmanship import __version__
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import kits
from brinkmanship.text import LANGUAGES
from brinkmanship.web.accounts.authentication import language_of
from brinkmanship.web.pages.shared.page_router import PageRouter
from brinkmanship.web.pages.shared.rendering import STATIC_FOLDERS, asset, page
from brinkmanship.web.presentation.page_words import page_words

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


OFFLINE = "/offline"
SHELL = (
    *("fonts/fonts.css", "css/draw.css", "css/app.css", "css/table.css"),
    *("js/app.js", "js/deal.js", "js/notices.js", "img/icon.svg", "img/icon-192.png"),
)
"""Static files that every page needs."""
BOOKS = ("/library", "/rules", "/cards", "/rulings", "/learn")
"""Pages, with all below them, that the service worker keeps once they have been read; none depends on a user."""
PAPER = "#f4efe3"
"""Background colour of the pages."""


@router.get("/manifest.webmanifest")
async def manifest(lang: Annotated[str, Meta(max_length=2)] = "en") -> Response:
    """Return the description of the site as an app, in a language: browsers ask for it without cookies."""
    return JSONResponse(_manifest(lang if lang in LANGUAGES else "en"), media_type="application/manifest+json")


@cache
def _manifest(language: str) -> dict[str, object]:
    own = page_words(language)
    return {
        "id": "/",
        "name": "Brinkmanship",
        "short_name": "Brinkmanship",
        "description": own.sentence(Message("app.description")),
        "lang": language,
        "start_url": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [
            {"src": asset("img/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            {"src": asset("img/icon-192.png"), "sizes": "192x192", "type": "image/png"},
            {"src": asset("img/icon-512.png"), "sizes": "512x512", "type": "image/png"},
            {"src": asset("img/icon-maskable.png"), "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
        ],
        "shortcuts": [
            {"name": own.sentence(Message("app.new_game", {"title": title})), "url": f"/new/{game_id}"}
            for game_id, title in _titles(language).items()
        ],
    }


def _titles(language: str) -> dict[str, str]:
    own = page_words(language)
    return {game_id: own.sentence_if_any(Message(f"game.{game_id}")) or game_id for game_id in kits()}


@router.get("/sw.js")
async def service_worker() -> Response:
    """Return the service worker, with the addresses of this version's files."""
    return Response(_service_worker(), media_type="text/javascript")


@cache
def _service_worker() -> str:
    folder = STATIC_FOLDERS[0]
    files = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*.*"))
    version = hashlib.sha256("\n".join([__version__, *map(asset, files)]).encode()).hexdigest()[:10]
    constants = {"VERSION": version, "SHELL": [*map(asset, SHELL), OFFLINE], "BOOKS": BOOKS}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    return head + (folder / "js" / "sw.js").read_text("utf-8")


@router.get(OFFLINE)
async def offline(request: Request) -> Response:
    """Return the page that the service worker shows without a connection."""
    return page(request, "site/offline.html", None, titles=_titles(language_of(request)))
