"""Levels of the computer players of Ukrainian Crisis; docs/develop/players.md has their ladder."""

from __future__ import annotations

from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.names import Area
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE
from brinkmanship.players.levels import Levels


def boldness(game: Game, view: State, side: int) -> float:
    """Return how much a side relies on arms: the rank of its Military card, and its units in the zones."""
    types, of = game.rules.types, game.rules.type_of
    units = sum(
        types[of[unit]].side == side and 0 <= entry // PLACE < MAX_ZONES for unit, entry in enumerate(view.unit)
    )
    return float(view.matrix[side, Area.MILITARY] + units)


LEVELS = Levels(
    ("rules~5", "rules~3.3+cautious", "rules~2+bold", "rules~1.25", "rules", "search:300n"),
    interpreted=("rules~5", "rules~3.3+cautious", "rules~2+bold", "rules~1.25", "rules", "search:12n"),
    counted=("inconclusive", "tactical"),
    without_noise=("ask.declare", "ask.ceasefire", "ask.window", "ask.military", "ask.diplomatic"),
    boldness=boldness,
)
