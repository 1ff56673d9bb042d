"""Look up the object named by an address, or respond with 404."""

from __future__ import annotations

from starlette.requests import Request

from brinkmanship.engine.game import Game
from brinkmanship.games.registry import kits
from brinkmanship.web.services import services_of
from brinkmanship.web.support.errors import NotFoundError


def game_by_id(request: Request, game_id: str) -> Game:
    """Return the ruleset with all options at their defaults.

    Raises:
        NotFoundError: there is no such game.
    """
    if game_id not in kits():
        raise NotFoundError(f"there is no game {game_id}; the games are {', '.join(kits())}")
    return services_of(request).tables.rulesets.get(game_id, {})
