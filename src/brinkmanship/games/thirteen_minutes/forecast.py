"""When the learned value of 13 Minutes is meant to be asked."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import compiled
from brinkmanship.games.thirteen_minutes.rules.state import STATE, Node, State
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules


@compiled(types.int64, RULES, STATE)
def moment(rules: Rules, state: State) -> int:  # noqa: ARG001 - the shape of a moment
    """Between two cards: how many were played, 1 to 9, else -1."""
    if state.node == Node.PLAY and state.depth == 0 and state.turn > 0:
        return int(state.turn)
    return -1
