"""The levels of Ukrainian Crisis; docs/players.md has their ladder."""

from __future__ import annotations

from brinkmanship.players.ladder import Levels

LEVELS = Levels(
    ("greedy~3", "greedy~2.1", "greedy~1", "greedy", "rules~0.9", "search:300n"),
    counted=("inconclusive", "tactical"),
    firm=("ask.declare", "ask.ceasefire"),
)
