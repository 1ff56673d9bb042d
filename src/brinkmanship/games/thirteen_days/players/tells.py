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
        "aftermath": {
            "fast": (2.277, 2.64),
            "greedy": (2.348, 2.638),
            "rules": (2.226, 2.646),
            "search:60n": (2.308, 2.57),
        },
        "agenda": {
            "fast": (0.377, 1.056),
            "greedy": (0.427, 1.052),
            "rules": (0.361, 1.06),
            "search:60n": (0.647, 1.072),
        },
        "hand": {"fast": (2.746, 2.788), "greedy": (2.761, 2.798), "rules": (2.768, 2.8), "search:60n": (2.769, 2.791)},
    },
    "rules": 1,
    "searched": 300,
    "seed": 300,
}

_TELLS = """
0.83 0.06 0.16 0.03 1.31 -1.72 0.03 0.48 -0.51 0.67
-0.65 -0.64 0.35 0.04 -0.37 0.12 0.54 -0.48 0.34 1.21
-0.59 2.67 0.45 -0.09 0.90 -0.18 0.00 0.00 0.00 0.00
"""

_CARDS = """
0.53 -0.13 0.26 -0.01 -0.23 0.09 -0.41 0.01 -0.35 0.07 -0.10 0.02
-0.01 0.34 -0.02 0.06 0.05 0.05 -0.04 -0.30 -0.03 -0.41 -0.01 -0.43
"""

TELLS = np.array([float(word) for word in _TELLS.split()]).reshape(3, 5, 2)
"""[kind of agenda, sign, (at the start of a round, in addition at its end)], in logits; see `belief.signs_of`."""

CARDS = np.array([float(word) for word in _CARDS.split()]).reshape(2, 3, 2, 2)
"""[aftermath or hand, own or the other side's or United Nations, (a card, each cube on it), (at the start of a round,
in addition at its end)], in logits; see `belief.card_odds`."""
