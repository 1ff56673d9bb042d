"""Levels of the computer players of 13 Minutes; docs/develop/players.md has their ladder."""

from __future__ import annotations

from brinkmanship.players.levels import Levels

LEVELS = Levels(
    ("greedy~0.8", "rules~0.28", "rules~0.16", "rules~0.065", "rules", "search:400n"),
    # One playout takes up to half a second.
    interpreted=("greedy~0.8", "rules~0.28", "rules~0.16", "rules~0.065", "rules", "rules"),
    counted=("prestige", "tiebreak"),
    far_behind=5,
)
