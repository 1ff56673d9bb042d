"""What the fields of the record mean to a network: which of them name one of several things."""

from __future__ import annotations

from collections.abc import Mapping

from brinkmanship.research.columns import Code, one_of
from template_game.rules.data import N_PRIZES
from template_game.rules.state import HIDDEN, Node, PrizeIs


def codes() -> Mapping[str, Code]:
    """Return the codes of the fields that are not numbers."""
    return {
        "prize": one_of(0, max(PrizeIs)),
        "favourite": one_of(HIDDEN, N_PRIZES - 1),
        "node": one_of(0, max(Node)),
    }
