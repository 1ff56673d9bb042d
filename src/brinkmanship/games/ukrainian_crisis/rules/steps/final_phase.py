"""S15 to S17: the Final Phase and the end of the game (sections 8 and 9)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, N_EVENTS, NOBODY, RU, UA
from brinkmanship.games.ukrainian_crisis.rules.prestige import gain, lose
from brinkmanship.games.ukrainian_crisis.rules.state import (
    STATE,
    EventPlace,
    Level,
    Mark,
    Node,
    Square,
    State,
    Step,
    TurnType,
)
from brinkmanship.games.ukrainian_crisis.rules.steps.allies import ally_prestige
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import ask
from brinkmanship.games.ukrainian_crisis.rules.units import GROUPED, clear_marks
from brinkmanship.games.ukrainian_crisis.rules.victory import victory_points

TACTICAL_FROM = 11
DECISIVE_FROM = 26
"""Minimum differences of Victory Points for this level of victory (9.1, R45)."""


@internal(types.void, RULES, STATE)
def end_game(rules: Rules, state: State) -> None:
    """Count the Victory Points; the difference gives the level of the victory (9.1)."""
    for side in range(2):
        state.vp[side] = victory_points(rules, state, side)
    difference = abs(state.vp[UA] - state.vp[RU])
    if difference > 0:
        state.winner = UA if state.vp[UA] > state.vp[RU] else RU
    if difference >= DECISIVE_FROM:
        state.level = Level.DECISIVE
    elif difference >= TACTICAL_FROM:
        state.level = Level.TACTICAL
    else:
        state.level = Level.INCONCLUSIVE if difference > 0 else Level.DRAW
    state.step = Step.GAME_END


@internal(types.boolean, STATE)
def prestige_is_gone(state: State) -> bool:
    """Return True if the Prestige of either side is 0."""
    return state.prestige[UA] == 0 or state.prestige[RU] == 0


@internal(types.void, RULES, STATE)
def check(rules: Rules, state: State) -> None:
    """End the game at Prestige 0 of either side, and after the last Turn; before any income (8.1, R26)."""
    clear_marks(rules, state, Mark.ACTED | GROUPED | Mark.RELOCATED)
    state.zones_attacked = 0
    for side in range(2):
        state.rp[side] = 0
        state.doubles[side] = 0
    if prestige_is_gone(state) or state.turn == rules.turns:
        end_game(rules, state)
    else:
        state.step = Step.FINAL_INCOME


@internal(types.void, STATE)
def discard_cards(state: State) -> None:
    """Discard all Resource Cards of the Turn, face up (R54), and remove all Event Cards from the game."""
    for area in range(N_AREAS):
        state.face_up[area] = 0
        for side in range(2):
            state.matrix[side, area] = Square.EMPTY
    for event in range(N_EVENTS):
        for side in range(2):
            if state.event[event] == EventPlace.HELD + side:
                state.event[event] = EventPlace.DISCARDED
                state.held[side] -= 1


@internal(types.void, STATE)
def clear_turn(state: State) -> None:
    """Clear everything that lasts for one Turn only."""
    state.turn_type = TurnType.NOT_YET
    state.drawn = 0
    state.resolve = NOBODY
    state.ceasefire = 0
    state.ally_rp = 0
    state.ally_area = NOBODY
    state.ally_countries = 0
    state.suspended = 0
    state.segments = 0
    state.half = 0
    state.ordered = 0
    state.areas_done = 0
    state.area = NOBODY
    for side in range(2):
        state.declared[side] = TurnType.NOT_YET
        state.bonus[side] = 0
        state.rally[side] = 0
    for place in range(N_AREAS):
        state.order[place] = NOBODY


@internal(types.void, RULES, STATE)
def income(rules: Rules, state: State) -> None:
    """Discard cards, add the allies' Prestige (in a Combat Turn against Russia), and begin the next Turn (8.2)."""
    discard_cards(state)
    points = ally_prestige(rules, state)
    if state.turn_type == TurnType.COMBAT:
        lose(state, RU, points)
    else:
        gain(state, UA, points)
    if rules.options.check_after_income and prestige_is_gone(state):
        end_game(rules, state)
        return
    clear_turn(state)
    state.turn += 1
    state.step = Step.EVENT_DRAW


@internal(types.boolean, STATE)
def asks(state: State) -> bool:
    """Show the check or the income, or end the game."""
    if state.step == Step.FINAL_CHECK:
        ask(state, Node.CHECK, CHANCE)
    elif state.step == Step.FINAL_INCOME:
        ask(state, Node.INCOME, CHANCE)
    else:
        ask(state, Node.OVER, OVER)
    return True
