"""Levels of the computer players of Ukrainian Crisis; docs/develop/players.md has their ladder."""

from __future__ import annotations

from brinkmanship.players.levels import Levels

LEVELS = Levels(
    ("rules~5", "rules~3.3", "rules~2", "rules~1.25", "rules", "search:300n"),
    interpreted=("rules~5", "rules~3.3", "rules~2", "rules~1.25", "rules", "search:12n"),
    counted=("inconclusive", "tactical"),
    without_noise=("ask.declare", "ask.ceasefire", "ask.window", "ask.military", "ask.diplomatic"),
)
