"""Levels of the computer players of 13 Minutes; docs/develop/players.md has their ladder."""

from __future__ import annotations

from typing import Any

from brinkmanship.engine.record import State
from brinkmanship.players.levels import Levels


def boldness(rules: Any, view: State, side: int) -> float:  # noqa: ARG001 - the contract's signature
    """Return how much a side has spent: its cubes on the board, and those that it bids."""
    return float(view.influence[side].sum() + max(view.bid[side], 0))


LEVELS = Levels(
    ("greedy~0.8", "rules~0.25+cautious", "rules~0.16+bold", "rules~0.065", "search~0.07:60n", "search:400n"),
    # One playout takes up to half a second.
    interpreted=("greedy~0.8", "rules~0.25+cautious", "rules~0.16+bold", "rules~0.065", "rules", "rules"),
    counted=("prestige", "tiebreak"),
    far_behind=5,
    boldness=boldness,
)
