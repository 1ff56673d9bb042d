"""Common parts of page rendering: templates, localized texts, and links between pages."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from brinkmanship.drawing.layout import LayoutName
from brinkmanship.engine.errors import DataFileError, OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Argument, Message
from brinkmanship.lessons import has_lesson
from brinkmanship.puzzles.puzzle import has_puzzles
from brinkmanship.text import LANGUAGE_NAMES, LANGUAGES, agendas_of, cards_of, errors, rules_of, rulings_of, words_for
from brinkmanship.web.accounts.authentication import csrf_of, language_of
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.presentation.log_view import sound_of
from brinkmanship.web.presentation.moments import moment
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import RequestError

WEB = Path(__file__).resolve().parents[2]
STATIC_FOLDERS = (WEB / "static", WEB.parent / "analysis" / "static")
"""Folders of static files: those of the server, and those that stand-alone reports have too."""
MAX_RULESETS = 256
"""Maximum rulesets whose texts are cached, in one language each."""
THEMES = ("light", "dark")
LAYOUT_COOKIE = "layout"

Made = TypeVar("Made")

# From other packages come parts that stand-alone reports have too: "analysis/explained.html".
templates = Environment(
    loader=FileSystemLoader([WEB / "templates", WEB.parent]),
    autoescape=select_autoescape(default=True, default_for_string=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@cache
def asset(path: str) -> str:
    """Return the address of a static file, with a fingerprint so that browsers may cache it forever."""
    content = next(folder / path for folder in STATIC_FOLDERS if (folder / path).exists()).read_bytes()
    return f"/static/{path}?{hashlib.sha256(content).hexdigest()[:10]}"


def layout_of(request: Request) -> LayoutName:
    """Return the drawing layout for the viewer's screen: from the browser's cookie, otherwise by its user agent."""
    chosen = request.cookies.get(LAYOUT_COOKIE)
    if chosen not in ("wide", "narrow"):
        chosen = "narrow" if "Mobi" in request.headers.get("user-agent", "") else "wide"
    return "narrow" if chosen == "narrow" else "wide"


def warns(request: Request) -> bool:
    """Return False if the user has switched off the warnings of choices that lose the game (`table.js`)."""
    return request.cookies.get("warnings") != "off"


@cache
def _plain(language: str, key: str) -> str:
    return page_words(language).sentence(Message(key))


def page(request: Request, template: str, who: Person | None, *, status: int = 200, **context: Any) -> HTMLResponse:
    """Render a template: a whole page, or a fragment of one.

    Every template has: `t(key, **arguments)` for page texts, which begin with a capital letter, `phrase(key)` for those
    that stay as they are in the catalogue, `when(seconds, after)` for a time (see `moment`), `who`,
    `language`, `languages`, `csrf`, `asset(path)`, `path`.
    """
    language = language_of(request, who)
    return HTMLResponse(render(template, request, who, language, **context), status)


def render(template: str, request: Request, who: Person | None, language: str, **context: Any) -> str:
    """Return the text of a rendered template; see `page`."""
    words = page_words(language)

    def t(key: str, **arguments: Argument) -> str:
        return words.sentence(Message(key, arguments)) if arguments else _plain(language, key)

    return templates.get_template(template).render(
        t=t,
        phrase=lambda key: words.text(Message(key)),
        when=partial(moment, language=language),
        who=who,
        language=language,
        languages={code: LANGUAGE_NAMES[code] for code in LANGUAGES},
        csrf=csrf_of(request),
        asset=asset,
        path=request.url.path,
        theme=theme if (theme := request.cookies.get("theme", "")) in THEMES else "",
        svg=Markup,
        sound_of=sound_of,
        **context,
    )


async def run_in_pool(request: Request, work: Callable[[], Made]) -> Made:
    """Run `work` outside of the event loop, for pages that take longer than a move may, and return its result.

    Raises:
        TooManyError: too many such pages are requested at once.
    """
    pool = services_of(request).reading
    return await pool.do(work)


def public_url(request: Request) -> str:
    """Return the public address of this server."""
    configured = services_of(request).settings.public_url
    return configured.rstrip("/") or str(request.base_url).rstrip("/")


def oembed_link(request: Request, path: str) -> str:
    """Return the address at which programs learn how to embed a page of this site (https://oembed.com)."""
    site = public_url(request)
    return f"{site}/oembed?{urlencode({'url': site + path})}"


def books_of(game: Game) -> list[str]:
    """Return the reference pages of a game by name, as in the address ``/rules/13-days``."""
    return _books_of(game.id, game)


@lru_cache(MAX_RULESETS)
def _books_of(game_id: str, game: Game) -> list[str]:
    words = words_for(game, "en")
    written = {
        "learn": has_lesson(game_id),
        "puzzles": has_puzzles(game_id),
        "rules": rules_of(game, "en"),
        "cards": cards_of(game, words) or agendas_of(game, words),
        "rulings": rulings_of(game, words),
    }
    return [book for book, content in written.items() if content]


def local_path(back: str) -> str:
    """Return the return address of a form if it is on this server, otherwise the home page."""
    is_local = back.startswith("/") and not back.startswith(("//", "/\\"))
    return back if is_local and back.isprintable() else "/"


def error_page(request: Request, error: RequestError, who: Person | None) -> HTMLResponse:
    """Return the error page in the user's language, with the detail below."""
    refusal = refusal_of(error, language_of(request, who))
    return page(request, "layout/error.html", who, status=error.status, **refusal)


def refusal_of(error: RequestError, language: str) -> dict[str, Any]:
    """Return the template context that tells why a request was refused."""
    cause = error.__cause__
    return {
        "key": error.key,
        "arguments": error.arguments,
        "specific_key": error.specific_key,
        "detail": error.detail,
        "fault": errors.error_text(cause, language) if isinstance(cause, OptionError | DataFileError) else "",
    }
