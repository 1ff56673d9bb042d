"""An area of the card matrix from its window to both sides' actions, and the Ceasefire attempt (sections 3.3, 5.5)."""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.events import push_window, show_diplomatic_cards
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA, Area, Critical
from brinkmanship.games.ukrainian_crisis.rules.prestige import leader
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, State, Task, TurnType
from brinkmanship.games.ukrainian_crisis.rules.steps.information import has_targets
from brinkmanship.games.ukrainian_crisis.rules.steps.military import has_allies_for
from brinkmanship.games.ukrainian_crisis.rules.steps.rolls import asks_roll, card_class, push_criticals
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import ask, end_turn, pop, push

SEGMENTS_WITHOUT_DICE = 2


class AreaStage(IntEnum):
    """How far an area is."""

    OPENS = 0
    REVEALS = 1
    REVEALED = 2
    UKRAINE_ROLLS = 3
    RUSSIA_ROLLS = 4
    ROLLED = 5
    DECIDES_FIRST = 6
    FIRST_ACTS = 7
    SECOND_ACTS = 8
    CLOSES = 9


class CeasefireStage(IntEnum):
    """How far a Ceasefire attempt is; the first four are those of an area, too."""

    REVEALS = 0
    UKRAINE_ROLLS = 1
    RUSSIA_ROLLS = 2
    ROLLED = 3
    ADDS_ALLIES = 4
    COMPARES = 5
    ENDS = 6


@internal(types.void, STATE, types.int64, types.int64)
def push_area(state: State, area: int, stage: int) -> None:
    """Begin an area, or, where a Ceasefire has kept it open (R9), go on with it."""
    push(state, Task.AREA, leader(state))
    state.stack[state.depth - 1].stage = stage
    state.area = area


@internal(types.void, RULES, STATE)
def reveal(rules: Rules, state: State) -> None:
    """Turn up both cards of the area, or for a Ceasefire the Diplomatic ones."""
    if state.area == Area.DIPLOMATIC:
        show_diplomatic_cards(rules, state)
    else:
        state.face_up[state.area] = 1


@internal(types.void, RULES, STATE)
def count_segments(rules: Rules, state: State) -> None:
    """The strongest Military card of either side gives the number of Operational Segments (section 6.1)."""
    strongest = max(card_class(rules, state, UA, Area.MILITARY), card_class(rules, state, RU, Area.MILITARY))
    state.segments = SEGMENTS_WITHOUT_DICE if rules.options.no_randomness else rules.segments[strongest]


@internal(types.void, STATE)
def close_area(state: State) -> None:
    """Unspent Resource Points vanish with the area, and so do those of the allies if they were used here (5.3)."""
    state.rp[UA] = 0
    state.rp[RU] = 0
    if state.ally_area == state.area:
        state.ally_rp = 0
    pop(state)


@internal(types.void, STATE, types.int64, types.int64)
def push_action(state: State, area: int, side: int) -> None:
    """A side acts in an area."""
    if area == Area.MILITARY:
        push(state, Task.MILITARY, side)
    elif area == Area.DIPLOMATIC:
        push(state, Task.DIPLOMATIC, side)
    else:
        push(state, Task.INFORMATION, side)


@internal(types.boolean, RULES, STATE)
def area_asks(rules: Rules, state: State) -> bool:
    """Go on with the area until somebody is asked (True), or another task begins or it is done (False)."""
    frame = state.stack[state.depth - 1]
    area = state.area
    if frame.stage == AreaStage.OPENS:
        frame.stage = AreaStage.REVEALS
        push_window(state)
        return False
    if frame.stage == AreaStage.REVEALS:
        frame.stage = AreaStage.REVEALED
        ask(state, Node.REVEAL, CHANCE)
        return True
    if frame.stage == AreaStage.REVEALED:
        if area == Area.MILITARY and state.turn_type == TurnType.COMBAT:
            count_segments(rules, state)
            pop(state)
            return False
        rolls = area != Area.INFORMATION or rules.options.roll_at_reveal == 1  # R15
        frame.stage = AreaStage.UKRAINE_ROLLS if rolls else AreaStage.DECIDES_FIRST
    if frame.stage == AreaStage.UKRAINE_ROLLS:
        frame.stage = AreaStage.RUSSIA_ROLLS
        if asks_roll(rules, state, UA):
            return True
    if frame.stage == AreaStage.RUSSIA_ROLLS:
        frame.stage = AreaStage.ROLLED
        if asks_roll(rules, state, RU):
            return True
    if frame.stage == AreaStage.ROLLED:
        frame.stage = AreaStage.DECIDES_FIRST
        if push_criticals(state, False):
            return False
    if frame.stage == AreaStage.DECIDES_FIRST:
        if (
            state.turn_type == TurnType.COMBAT
            and not has_targets(rules, state, UA)
            and not has_targets(rules, state, RU)
        ):
            close_area(state)  # neither could do anything
            return False
        ask(state, Node.WHO_FIRST, leader(state))
        return True
    if frame.stage == AreaStage.CLOSES:
        close_area(state)
        return False
    side = frame.side if frame.stage == AreaStage.FIRST_ACTS else 1 - frame.side
    frame.stage += 1
    push_action(state, area, side)
    return False


@internal(types.void, STATE, types.int64)
def choose_first(state: State, side: int) -> None:
    """The leader has said who acts first."""
    frame = state.stack[state.depth - 1]
    frame.side = side
    frame.stage = AreaStage.FIRST_ACTS


@internal(types.boolean, RULES, STATE)
def ceasefire_asks(rules: Rules, state: State) -> bool:
    """Go on with the Ceasefire attempt; a Détente waits for the comparison (R19)."""
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
    """More Resource Points win, a tie Russia; if the player who requested the Ceasefire wins, the Turn is Strategic."""
    frame = state.stack[state.depth - 1]
    winner = UA if state.rp[UA] + frame.allies > state.rp[RU] else RU
    state.turn_type = TurnType.STRATEGIC if winner == frame.side else TurnType.COMBAT
    state.ceasefire = 1
