"""Mapping of the record fields of 13 Minutes to observation columns; see `research.columns`."""

from __future__ import annotations

from collections.abc import Mapping

from brinkmanship.engine.game import OVER
from brinkmanship.games.cuban.observation import frame_codes
from brinkmanship.games.thirteen_minutes.rules.state import N_CARDS, N_PLACES, Area, CardIs, Node, Reason
from brinkmanship.research.columns import Code, one_of, side


def codes() -> Mapping[str, Code]:
    """Return the codes of the fields."""
    return {
        "area": one_of(0, max(Area)),
        "card": one_of(0, max(CardIs) + 1),
        "cuba_card": one_of(-1, N_CARDS - 1),
        "first": side(-1),
        "bidder": side(-1),
        "node": one_of(0, max(Node)),
        "mover": one_of(0, OVER),
        "drawer": side(-1),
        "winner": side(-1),
        "reason": one_of(0, len(Reason) - 1),
        **frame_codes(N_CARDS, N_PLACES),
    }
