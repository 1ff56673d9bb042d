"""Against which level of the computer somebody plays: chosen on the first page, remembered by the browser, and another
one is proposed after a game that was won, or lost badly."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from brinkmanship.engine.game import Game
from brinkmanship.players import level_that_suits, levels_for, usual_opponent
from brinkmanship.web.tables.live_table import FINISHED, LiveTable
from brinkmanship.web.tables.scores import scored_at

COOKIE = "levels"
"""By game, as in "13-days:level:3|13-minutes:level:1"."""
YEAR_SECONDS = 365 * 24 * 3600


def player_of(request: Request, game: Game) -> str:
    """The level that was chosen last for a game, else the one that suits a first game."""
    chosen = _remembered(request).get(game.id, "")
    return chosen if chosen in levels_for(game) else usual_opponent(game)


def remember_level(response: Response, request: Request, game: Game, player: str) -> None:
    """Have the browser remember a level for a game; other players are not remembered."""
    if player in levels_for(game):
        kept = {**_remembered(request), game.id: player}
        text = "|".join(f"{game_id}:{level}" for game_id, level in kept.items())
        response.set_cookie(COOKIE, text, max_age=YEAR_SECONDS, httponly=True, samesite="lax")


def _remembered(request: Request) -> dict[str, str]:
    parts = (part.partition(":") for part in request.cookies.get(COOKIE, "").split("|"))
    return {game_id: level for game_id, _, level in parts if level}


def proposed_at(table: LiveTable, mine: Sequence[int]) -> str:
    """The level that suits who played the sides `mine` after a finished game against one; "" after any other, and
    after one that was played on from a position of another game."""
    if table.status != FINISHED or len(mine) != 1 or table.origin:
        return ""
    level = table.seats[1 - mine[0]].computer
    if level is None or level not in levels_for(table.game):
        return ""
    return level_that_suits(table.game, level, mine[0], table.result, scored_at(table))
