"""Conversion of the fields of the 13 Days record to columns of observations; see `research.columns`."""

from __future__ import annotations

from collections.abc import Mapping

from brinkmanship.engine.game import OVER
from brinkmanship.games.cuban.observation import frame_codes
from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS, MAX_CARDS
from brinkmanship.games.thirteen_days.rules.state import HIDDEN, N_PLACES, CardIs, Node, Reason
from brinkmanship.research.columns import Code, one_of, side


def codes() -> Mapping[str, Code]:
    """Return the codes of the fields."""
    return {
        "letter": side(),
        "first": side(-1),
        "node": one_of(0, len(Node) - 1),
        "mover": one_of(0, OVER),
        "drawer": side(-1),
        "winner": side(-1),
        "reason": one_of(0, len(Reason) - 1),
        "chosen": one_of(HIDDEN, MAX_AGENDAS - 1),
        "card": one_of(0, max(CardIs)),
        **frame_codes(MAX_CARDS, N_PLACES),
        "stack.taken_card": one_of(HIDDEN, MAX_CARDS - 1),
    }
