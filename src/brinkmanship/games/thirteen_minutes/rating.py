"""Rating constants of 13 Minutes."""

from __future__ import annotations

from brinkmanship.rating.profile import STANDARD, RatingProfile

# The US makes 60.6 of 100 points between two of `rules` (docs/design/balance.md): 400 log10(60.6 / 39.4) = 74.8.
# Levels: the ladder of docs/develop/players.md (0, 93, 188, 263, 365, 466), moved so that level 4 has 1500.
RATING = RatingProfile({STANDARD: 74.8}, (1237, 1330, 1425, 1500, 1602, 1703))
