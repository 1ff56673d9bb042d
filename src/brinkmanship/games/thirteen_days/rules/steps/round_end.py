"""S8: the effects of a round end, and the next one begins (section 2.1)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import NOBODY
from brinkmanship.games.thirteen_days.rules.state import STATE, Node, State
from brinkmanship.games.thirteen_days.rules.steps.transitions import ask
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules


@internal(types.void, STATE, types.int64)
def end_effects_of_round(state: State, side: int) -> None:
    """End the modifiers and the deflation ban of a side."""
    state.modifier[side] = 0
    state.least[side] = 0
    state.ban[side] = 0


@internal(types.void, RULES, STATE)
def advance(rules: Rules, state: State) -> None:
    """End modifiers and bans, then begin the next round, or count the aftermath after the last one (S8)."""
    for side in range(2):
        end_effects_of_round(state, side)
    if state.round_number == rules.limits.rounds:
        ask(state, Node.COUNT_AFTERMATH, CHANCE)
    else:
        state.round_number += 1
        state.turn = 0
        state.first = NOBODY
        ask(state, Node.ESCALATE, CHANCE)
