"""The levels of 13 Days; docs/develop/players.md has their ratings."""

from __future__ import annotations

from brinkmanship.players.levels import Levels

LEVELS = Levels(
    ("rules~0.78", "rules~0.6", "rules~0.38", "rules~0.13", "search~0.03:60n", "search:240n"),
    interpreted=("rules~0.78", "rules~0.6", "rules~0.38", "rules~0.13", "search~0.03:12n", "search:12n"),
    counted=("prestige", "personal_letter"),
    far_behind=4,
)
