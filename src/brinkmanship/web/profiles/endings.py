"""Kinds of endings, the same for all games."""

from __future__ import annotations

from typing import Literal, get_args

from brinkmanship.engine.game import Game
from brinkmanship.lab.balance.profile import profile_of

EndingKind = Literal["points", "war", "resignation", "time", "agreement"]
ENDINGS: tuple[EndingKind, ...] = get_args(EndingKind)
CONCEDED: tuple[EndingKind, ...] = ("resignation", "time", "agreement")
"""Endings by a player's decision or clock, before the rules end the game."""


def ending_kind(game: Game, reason: str) -> EndingKind:
    """Return the kind of an ending from its reason, as in journals."""
    for kind in CONCEDED:
        if reason == kind:
            return kind
    return "war" if reason in profile_of(game).wars else "points"
