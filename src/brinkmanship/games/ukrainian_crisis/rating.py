"""Rating constants of Ukrainian Crisis."""

from __future__ import annotations

from brinkmanship.rating.profile import STANDARD, RatingProfile

# Ukraine makes 69.9 of 100 points between two of `rules` in the reconstructed scenario (docs/design/balance.md):
# 400 log10(69.9 / 30.1) = 146.4; in the balanced one 49.3 (docs/design/scenarios.md): 400 log10(49.3 / 50.7) = -4.9.
# Levels: the ladder of docs/develop/players.md (0, 99, 203, 307, 416, 435), moved so that level 4 has 1500.
RATING = RatingProfile({STANDARD: 146.4, "scenario=balanced": -4.9}, (1193, 1292, 1396, 1500, 1609, 1628))
