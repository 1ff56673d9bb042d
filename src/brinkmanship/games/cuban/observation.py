"""Conversion of a card in play, of both Cuban games, to columns of observations; see `research.columns`."""

from __future__ import annotations

from collections.abc import Mapping

from brinkmanship.games.cuban.frame import Mode, Stage, TurnStep
from brinkmanship.research.columns import Code, bits, one_of, side


def frame_codes(cards: int, effects: int) -> Mapping[str, Code]:
    """Return the codes of the fields of a `Frame`."""
    return {
        "stack.card": one_of(0, cards - 1),
        "stack.player": side(),
        "stack.mode": one_of(0, len(Mode) - 1),
        "stack.step": one_of(0, len(TurnStep) - 1),
        "stack.actor": side(-1),
        "stack.stage": one_of(0, len(Stage) - 1),
        "stack.touched": bits(effects),
        "stack.qualified": bits(effects),
        "stack.conditions": bits(16),
        "stack.chooser": side(-1),
        "stack.owner": side(-1),
    }
