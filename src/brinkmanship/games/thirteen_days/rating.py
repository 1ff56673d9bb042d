"""Rating constants of 13 Days."""

from __future__ import annotations

from brinkmanship.rating.profile import STANDARD, RatingProfile

# The US makes 46.3 of 100 points between two of `rules` (docs/design/balance.md): 400 log10(46.3 / 53.7) = -25.8.
# Levels: the ladder of docs/develop/players.md (0, 107, 228, 345, 441, 601), moved so that level 4 has 1500.
RATING = RatingProfile({STANDARD: -25.8}, (1155, 1262, 1383, 1500, 1596, 1756))
