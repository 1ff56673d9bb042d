"""Fitted weights of the signs of a side's kept agenda and cards.

Written by `brinkmanship.games.thirteen_days.training.beliefs`; not by hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

MANIFEST: dict[str, Any] = {
    "data": "35e78abe50321c148bd3448b554e58d863ff1a48e29fe3d57c565b050e1473e7",
    "game": "13-days",
    "games": 3000,
    "log_loss_beside_that_of_chance": {
        "aftermath": {"fast": (2.27, 2.64), "greedy": (2.349, 2.638), "rules": (2.229, 2.646)},
        "agenda": {"fast": (0.363, 1.056), "greedy": (0.419, 1.052), "rules": (0.344, 1.06)},
        "hand": {"fast": (2.746, 2.788), "greedy": (2.761, 2.798), "rules": (2.768, 2.8)},
    },
    "rules": 1,
    "seed": 300,
}

_TELLS = """
1.38 -0.26 0.19 0.01 1.90 -2.40 -0.05 0.58 -0.71 0.75
-1.23 -0.27 0.41 0.01 -0.04 -0.47 0.51 -0.37 0.44 0.91
-0.49 2.38 0.65 -0.22 1.30 -0.44 0.00 0.00 0.00 0.00
"""

_CARDS = """
0.54 -0.15 0.26 -0.02 -0.21 0.11 -0.41 -0.01 -0.39 0.08 -0.11 0.01
-0.05 0.46 -0.02 0.05 0.06 -0.01 -0.05 -0.25 -0.01 -0.48 -0.02 -0.38
"""

TELLS = np.array([float(word) for word in _TELLS.split()]).reshape(3, 5, 2)
"""[kind of agenda, sign, (at the start of a round, in addition at its end)], in logits; see `belief.signs_of`."""

CARDS = np.array([float(word) for word in _CARDS.split()]).reshape(2, 3, 2, 2)
"""[aftermath or hand, own or the other side's or United Nations, (a card, each cube on it), (at the start of a round,
in addition at its end)], in logits; see `belief.card_odds`."""
