"""S1: every marker goes up one step."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.thirteen_days.rules.board import move_marker
from brinkmanship.games.thirteen_days.rules.state import N_TRACKS, STATE, State
from brinkmanship.games.thirteen_days.rules.steps.agenda_choice import deal_agendas
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules


@internal(types.void, RULES, STATE)
def escalate(rules: Rules, state: State) -> None:
    """Move every marker up one step (S1)."""
    for side in range(2):
        for track in range(N_TRACKS):
            move_marker(rules, state, side, track, 1)
    deal_agendas(rules, state)
