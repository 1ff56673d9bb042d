"""The moments at which the learned value of 13 Minutes may be used."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import compiled
from brinkmanship.games.thirteen_minutes.rules.state import STATE, Node, State
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules


@compiled(types.int64, RULES, STATE)
def moment(rules: Rules, state: State) -> int:  # noqa: ARG001 - the shape of a moment
    """Return the number of cards played, 1 to 9, between two cards; else -1."""
    if state.node == Node.PLAY and state.depth == 0 and state.turn > 0:
        return int(state.turn)
    return -1
