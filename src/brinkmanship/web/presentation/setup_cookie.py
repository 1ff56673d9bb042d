"""The side and the clock a user last chose for each game, stored in a cookie; the level is in `level_cookie`."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine.game import Game
from brinkmanship.games.registry import kits
from brinkmanship.web.presentation.clock_forms import clock_in
from brinkmanship.web.support.errors import IllegalError

COOKIE = "setups"
"""Name of the cookie; its value lists setups by game, e.g. "13-days:0:live.10.5|13-minutes:random:"."""
YEAR_SECONDS = 365 * 24 * 3600
RANDOM = "random"


class Setup(NamedTuple):
    """A user's choices for a table, as fields of the form."""

    side: str = RANDOM
    """Number of the user's side, or "random"."""
    clock: str = ""
    """Name of the clock; see `clock_forms`."""


def setup_of(request: Request, game: Game) -> Setup:
    """Return the setup last chosen for a game; by default a random side and no clock."""
    side, clock = _remembered(request).get(game.id, Setup())
    sides = {RANDOM, *map(str, range(len(game.sides)))}
    return Setup(side if side in sides else RANDOM, clock if _is_clock(clock) else "")


def remember_setup(response: Response, request: Request, game: Game, setup: Setup) -> None:
    """Record the setup of a game in the cookie."""
    kept = {**_remembered(request), game.id: setup}
    text = "|".join(f"{game_id}:{side}:{'.'.join(clock.split())}" for game_id, (side, clock) in kept.items())
    response.set_cookie(COOKIE, text, max_age=YEAR_SECONDS, httponly=True, samesite="lax")


def _remembered(request: Request) -> dict[str, Setup]:
    parts = (part.split(":") for part in request.cookies.get(COOKIE, "").split("|"))
    whole = (part for part in parts if len(part) == len(("game", *Setup._fields)))
    return {game_id: Setup(side, clock.replace(".", " ")) for game_id, side, clock in whole if game_id in kits()}


def _is_clock(text: str) -> bool:
    try:
        clock_in(text)
    except IllegalError:
        return False
    return True
