"""S7: the check for nuclear war (section 2.8)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import NOBODY, US, USSR
from brinkmanship.games.thirteen_days.rules.board import triggers_war
from brinkmanship.games.thirteen_days.rules.state import STATE, Node, Reason, State
from brinkmanship.games.thirteen_days.rules.steps.transitions import ask, finish
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules


@internal(types.void, RULES, STATE)
def check_war(rules: Rules, state: State) -> None:
    """Check for war (S7): a side that has started the nuclear war loses; if both have, both lose (section 2.8, R50)."""
    us = triggers_war(rules, state, US)
    ussr = triggers_war(rules, state, USSR)
    if us and ussr:
        finish(state, NOBODY, Reason.MUTUAL_WAR)
    elif us:
        finish(state, USSR, Reason.NUCLEAR_WAR)
    elif ussr:
        finish(state, US, Reason.NUCLEAR_WAR)
    else:
        ask(state, Node.ADVANCE, CHANCE)
