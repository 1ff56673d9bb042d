"""Terms of a new game, from the body of a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brinkmanship.games.registry import kits
from brinkmanship.web.api.schemas import (
    NewMatch,
    NewTable,
)
from brinkmanship.web.support.errors import IllegalError, NotFoundError
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import Clock
from brinkmanship.web.tables.rating_conditions import rated_terms


def check_game(game_id: str) -> None:
    """Check that there is a game.

    Raises:
        NotFoundError: There is none.
    """
    if game_id not in kits():
        raise NotFoundError(f"there is no game {game_id!r}; the games are {', '.join(kits())}")


def terms_of(body: NewTable | NewMatch) -> Terms:
    """Return the terms that a request describes.

    Raises:
        IllegalError: It describes none, or a rated game with hints.
    """
    clock = clock_of(body.clock)
    if not body.rated:
        return Terms(clock, body.undo, body.hints)
    if body.hints:
        raise IllegalError("a rated game has no hints: leave out `hints`")
    return rated_terms(clock)


def clock_of(given: Mapping[str, Any] | None) -> Clock | None:
    """Return the clock that a request describes.

    Raises:
        IllegalError: It describes none.
    """
    try:
        return Clock.from_json(given)
    except ValueError as error:
        raise IllegalError(str(error)) from error
