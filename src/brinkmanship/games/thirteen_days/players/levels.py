"""The levels of 13 Days; docs/develop/players.md has their ratings."""

from __future__ import annotations

from typing import Any

from brinkmanship.engine.record import State
from brinkmanship.players.levels import Levels


def boldness(rules: Any, view: State, side: int) -> float:  # noqa: ARG001 - the contract's signature
    """Return how far a side has gone to the brink: the steps of its DEFCON markers."""
    return float(view.defcon[side].sum())


LEVELS = Levels(
    ("rules~0.78", "rules~0.6+cautious", "rules~0.38+bold", "rules~0.13", "search~0.03:60n", "search:240n"),
    interpreted=("rules~0.78", "rules~0.6+cautious", "rules~0.38+bold", "rules~0.13", "search~0.03:12n", "search:12n"),
    counted=("prestige", "personal_letter"),
    far_behind=4,
    boldness=boldness,
)
