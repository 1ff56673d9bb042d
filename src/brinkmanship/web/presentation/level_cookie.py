"""The computer level a user plays against, stored in a cookie.

The user chooses it for a new game; another one is proposed after a win or a clear loss.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine.game import Game
from brinkmanship.players import level_that_suits, levels_for, usual_opponent
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.scores import scored_at
from brinkmanship.web.tables.statuses import FINISHED

COOKIE = "levels"
"""Name of the cookie; its value lists levels by game, e.g. "13-days:level:3|13-minutes:level:1"."""
YEAR_SECONDS = 365 * 24 * 3600


def player_of(request: Request, game: Game) -> str:
    """Return the level last chosen for a game, by default the one for a first game."""
    chosen = _remembered(request).get(game.id, "")
    return chosen if chosen in levels_for(game) else usual_opponent(game)


def remember_level(response: Response, request: Request, game: Game, player: str) -> None:
    """Record the level for a game in the cookie; ignore players that are not levels."""
    if player in levels_for(game):
        kept = {**_remembered(request), game.id: player}
        text = "|".join(f"{game_id}:{level}" for game_id, level in kept.items())
        response.set_cookie(COOKIE, text, max_age=YEAR_SECONDS, httponly=True, samesite="lax")


def _remembered(request: Request) -> dict[str, str]:
    parts = (part.partition(":") for part in request.cookies.get(COOKIE, "").split("|"))
    return {game_id: level for game_id, _, level in parts if level}


def proposed_at(table: LiveTable, mine: Sequence[int]) -> str:
    """Return the level that suits the player of the sides `mine` after a finished game against a level.

    It is "" after any other game, and after one that began from a position of another game.
    """
    if table.status != FINISHED or len(mine) != 1 or table.origin:
        return ""
    level = table.seats[1 - mine[0]].computer
    if level is None or level not in levels_for(table.game):
        return ""
    return level_that_suits(table.game, level, mine[0], table.result, scored_at(table))
