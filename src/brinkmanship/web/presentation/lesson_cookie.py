"""Completed lessons, stored in a cookie because learners often have no account yet."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.games.registry import kits
from brinkmanship.lessons import course_of

COOKIE = "lessons"
"""Name of the cookie; its value lists lessons by game, e.g. "13-days:first.brink|13-minutes:first"."""
YEAR_SECONDS = 365 * 24 * 3600


def done_in(request: Request, game_id: str) -> set[str]:
    """Return the completed lessons of a game's course."""
    return _remembered(request).get(game_id, set())


def remember_done(response: Response, request: Request, game_id: str, lesson_id: str) -> None:
    """Record a completed lesson in the cookie."""
    kept = _remembered(request)
    kept.setdefault(game_id, set()).add(lesson_id)
    text = "|".join(f"{game}:{'.'.join(one for one in course_of(game) if one in done)}" for game, done in kept.items())
    response.set_cookie(COOKIE, text, max_age=YEAR_SECONDS, httponly=True, samesite="lax")


def _remembered(request: Request) -> dict[str, set[str]]:
    parts = (part.partition(":") for part in request.cookies.get(COOKIE, "").split("|"))
    return {game_id: set(done.split(".")) & set(course_of(game_id)) for game_id, _, done in parts if game_id in kits()}
