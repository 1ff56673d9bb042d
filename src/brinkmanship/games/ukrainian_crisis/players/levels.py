"""Levels of the computer players of Ukrainian Crisis; docs/develop/players.md has their ladder."""

from __future__ import annotations

from typing import Any

from brinkmanship.engine.record import State
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.names import Area
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, Node
from brinkmanship.players.levels import Levels


def boldness(rules: Any, view: State, side: int) -> float:
    """Return how much a side relies on arms: the rank of its Military card, and its units in the zones."""
    units = 0
    for unit in range(len(view.unit)):
        is_own = rules.types[rules.type_of[unit]].side == side
        units += is_own and 0 <= view.unit[unit] // PLACE < MAX_ZONES
    return float(view.matrix[side, Area.MILITARY] + units)


LEVELS = Levels(
    ("rules~5", "rules~3.3+cautious", "rules~2+bold", "rules~1.25", "rules", "search:300n"),
    interpreted=("rules~5", "rules~3.3+cautious", "rules~2+bold", "rules~1.25", "rules", "search:12n"),
    counted=("inconclusive", "tactical"),
    without_noise=(Node.DECLARE, Node.CEASEFIRE, Node.WINDOW, Node.MILITARY, Node.DIPLOMATIC),
    boldness=boldness,
)
