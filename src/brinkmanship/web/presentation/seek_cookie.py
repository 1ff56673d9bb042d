"""The choices of a user's last seek, stored in a cookie: "13-days:0|13-days:1~live.10.5|live.20.10~rated"."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.games.registry import kits
from brinkmanship.store.seeks import LIVE, Want
from brinkmanship.web.presentation.clock_forms import clock_choices
from brinkmanship.web.presentation.seek_wishes import SeekWish, all_wants, checked_wish
from brinkmanship.web.support.errors import IllegalError

COOKIE = "seek"
YEAR_SECONDS = 365 * 24 * 3600
MAX_LENGTH = 2_000
"""Maximum length of a cookie that is read."""
RATED = "rated"


def last_wish(request: Request) -> SeekWish:
    """Return the choices of the last seek; by default the first game, any side, any clock for one sitting."""
    try:
        return _read(request.cookies.get(COOKIE, "")[:MAX_LENGTH])
    except (IllegalError, ValueError):
        return checked_wish(all_wants(next(iter(kits()))), list(clock_choices()[LIVE]), False)


def remember_wish(response: Response, wish: SeekWish) -> None:
    """Record the choices of a seek in the cookie."""
    wants = "|".join(f"{game}:{side}" for game, side in wish.wants)
    clocks = "|".join(clock.replace(" ", ".") for clock in wish.clocks)
    text = "~".join((wants, clocks, RATED if wish.rated else ""))
    response.set_cookie(COOKIE, text, max_age=YEAR_SECONDS, httponly=True, samesite="lax")


def _read(text: str) -> SeekWish:
    wants, clocks, rated = text.split("~")
    return checked_wish(
        (want_in(want) for want in wants.split("|")),
        [clock.replace(".", " ") for clock in clocks.split("|")],
        rated == RATED,
    )


def want_in(text: str) -> Want:
    """Return the game and side named in a form or a cookie: "13-days:0".

    Raises:
        IllegalError: The side is not a number.
    """
    game, _, side = text.rpartition(":")
    if side not in ("0", "1"):
        raise IllegalError("a side is chosen as GAME:0 or GAME:1", key="seeks.refused.games")
    return Want(game, int(side))
