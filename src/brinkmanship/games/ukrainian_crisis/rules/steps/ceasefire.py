"""S7: the Ceasefire attempt (section 5.5)."""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA, Area, Critical
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, State, TurnType
from brinkmanship.games.ukrainian_crisis.rules.steps.allies import has_allies_for
from brinkmanship.games.ukrainian_crisis.rules.steps.rolls import asks_roll, push_criticals
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import ask, end_turn, pop


class CeasefireStage(IntEnum):
    """Stage of a Ceasefire attempt."""

    REVEALS = 0
    UKRAINE_ROLLS = 1
    RUSSIA_ROLLS = 2
    ROLLED = 3
    ADDS_ALLIES = 4
    COMPARES = 5
    ENDS = 6


@internal(types.boolean, RULES, STATE)
def asks(rules: Rules, state: State) -> bool:
    """Continue the Ceasefire attempt; a Détente waits for the comparison (R19)."""
    frame = state.stack[state.depth - 1]
    if frame.stage == CeasefireStage.REVEALS:
        frame.stage = CeasefireStage.UKRAINE_ROLLS
        ask(state, Node.REVEAL, CHANCE)
        return True
    if frame.stage == CeasefireStage.UKRAINE_ROLLS:
        frame.stage = CeasefireStage.RUSSIA_ROLLS
        if asks_roll(rules, state, UA):
            return True
    if frame.stage == CeasefireStage.RUSSIA_ROLLS:
        frame.stage = CeasefireStage.ROLLED
        if asks_roll(rules, state, RU):
            return True
    if frame.stage == CeasefireStage.ROLLED:
        frame.detente = state.doubles[UA] == Critical.DETENTE or state.doubles[RU] == Critical.DETENTE
        frame.stage = CeasefireStage.ADDS_ALLIES
        if push_criticals(state, True):
            return False
    if frame.stage == CeasefireStage.ADDS_ALLIES:
        frame.stage = CeasefireStage.COMPARES
        if has_allies_for(state, UA, Area.DIPLOMATIC) and rules.options.no_randomness == 0:
            ask(state, Node.ADD_ALLIES, UA)
            return True
    if frame.stage == CeasefireStage.COMPARES:
        frame.stage = CeasefireStage.ENDS
        ask(state, Node.COMPARE, CHANCE)
        return True
    if frame.detente:
        state.combat_turns += state.turn_type
        end_turn(state)
        return False
    if rules.options.keeps_diplomacy == 0 and state.ally_area == Area.DIPLOMATIC:
        state.ally_rp = 0
    pop(state)
    return False


@internal(types.void, STATE)
def compare(state: State) -> None:
    """Compare Resource Points: more win, a tie Russia; if the side that requested it wins, the Turn is Strategic."""
    frame = state.stack[state.depth - 1]
    winner = UA if state.rp[UA] + frame.allies > state.rp[RU] else RU
    state.turn_type = TurnType.STRATEGIC if winner == frame.side else TurnType.COMBAT
    state.ceasefire = 1
