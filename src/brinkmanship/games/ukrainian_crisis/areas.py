"""An area of the card matrix from its window to both sides' actions, and the Ceasefire attempt (sections 3.3, 5.5)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.compile import internal
from brinkmanship.engine.game import CHANCE
from brinkmanship.games.ukrainian_crisis.events import push_window, show_diplomatic_cards
from brinkmanship.games.ukrainian_crisis.information import has_targets
from brinkmanship.games.ukrainian_crisis.military import has_allies_for
from brinkmanship.games.ukrainian_crisis.rolls import DETENTE, asks_roll, card_class, push_criticals
from brinkmanship.games.ukrainian_crisis.standing import leader
from brinkmanship.games.ukrainian_crisis.state import (
    COMBAT,
    DIPLOMATIC,
    FACE_UP,
    INFORMATION,
    MILITARY,
    N_ADD_ALLIES,
    N_COMPARE,
    N_REVEAL,
    N_WHO_FIRST,
    RU,
    SIDE,
    STAGE,
    STATE,
    STRATEGIC,
    T_AREA,
    T_CEASEFIRE,
    T_DIPLOMATIC,
    T_INFORMATION,
    T_MILITARY,
    TASK,
    UA,
    A,
    C,
    D,
    State,
)
from brinkmanship.games.ukrainian_crisis.tables import KEEPS_DIPLOMACY, NO_RANDOMNESS, ROLL_AT_REVEAL, RULES, Rules
from brinkmanship.games.ukrainian_crisis.tasks import ask, end_turn, pop, push

SEGMENTS_WITHOUT_DICE = 2

# Stages of T_AREA.
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

# Stages of T_CEASEFIRE; the first four are those of T_AREA from REVEALS on.
C_REVEALS = 0
C_UKRAINE_ROLLS = 1
C_RUSSIA_ROLLS = 2
C_ROLLED = 3
C_ADDS_ALLIES = 4
C_COMPARES = 5
C_ENDS = 6


@internal(types.void, STATE, types.int64, types.int64)
def push_area(state: State, area: int, stage: int) -> None:
    """Begin an area, or, where a Ceasefire has kept it open (R9), go on with it."""
    push(state, T_AREA, leader(state))
    frame = state.stack[state.depth - 1]
    frame[A] = area
    frame[STAGE] = stage
    state.area = area


@internal(types.void, RULES, STATE)
def reveal(rules: Rules, state: State) -> None:
    """Turn up both cards of the area, or for a Ceasefire the Diplomatic ones."""
    frame = state.stack[state.depth - 1]
    state.area = DIPLOMATIC if frame[TASK] == T_CEASEFIRE else frame[A]
    if state.area == DIPLOMATIC:
        show_diplomatic_cards(rules, state)
    else:
        state.face_up[state.area] = FACE_UP


@internal(types.void, RULES, STATE)
def count_segments(rules: Rules, state: State) -> None:
    """The strongest Military card of either side gives the number of Operational Segments (section 6.1)."""
    strongest = max(card_class(rules, state, UA, MILITARY), card_class(rules, state, RU, MILITARY))
    state.segments = SEGMENTS_WITHOUT_DICE if rules.options[NO_RANDOMNESS] else rules.segments[strongest]


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
    if area == MILITARY:
        push(state, T_MILITARY, side)
    elif area == DIPLOMATIC:
        push(state, T_DIPLOMATIC, side)
    else:
        push(state, T_INFORMATION, side)


@internal(types.boolean, RULES, STATE)
def area_asks(rules: Rules, state: State) -> bool:
    """Go on with the area until somebody is asked (True), or another task begins or it is done (False)."""
    frame = state.stack[state.depth - 1]
    area = frame[A]
    if frame[STAGE] == OPENS:
        frame[STAGE] = REVEALS
        push_window(state)
        return False
    if frame[STAGE] == REVEALS:
        frame[STAGE] = REVEALED
        ask(state, N_REVEAL, CHANCE)
        return True
    if frame[STAGE] == REVEALED:
        if area == MILITARY and state.turn_type == COMBAT:
            count_segments(rules, state)
            pop(state)
            return False
        rolls = area != INFORMATION or rules.options[ROLL_AT_REVEAL] == 1  # R15
        frame[STAGE] = UKRAINE_ROLLS if rolls else DECIDES_FIRST
    if frame[STAGE] == UKRAINE_ROLLS:
        frame[STAGE] = RUSSIA_ROLLS
        if asks_roll(rules, state, UA):
            return True
    if frame[STAGE] == RUSSIA_ROLLS:
        frame[STAGE] = ROLLED
        if asks_roll(rules, state, RU):
            return True
    if frame[STAGE] == ROLLED:
        frame[STAGE] = DECIDES_FIRST
        if push_criticals(state, False):
            return False
    if frame[STAGE] == DECIDES_FIRST:
        if state.turn_type == COMBAT and not has_targets(rules, state, UA) and not has_targets(rules, state, RU):
            close_area(state)  # neither could do anything
            return False
        ask(state, N_WHO_FIRST, leader(state))
        return True
    if frame[STAGE] == CLOSES:
        close_area(state)
        return False
    side = frame[SIDE] if frame[STAGE] == FIRST_ACTS else 1 - frame[SIDE]
    frame[STAGE] += 1
    push_action(state, area, side)
    return False


@internal(types.void, STATE, types.int64)
def choose_first(state: State, side: int) -> None:
    """The leader has said who acts first."""
    frame = state.stack[state.depth - 1]
    frame[SIDE] = side
    frame[STAGE] = FIRST_ACTS


@internal(types.boolean, RULES, STATE)
def ceasefire_asks(rules: Rules, state: State) -> bool:
    """Go on with the Ceasefire attempt; column C notes a Détente, which waits for the comparison (R19)."""
    frame = state.stack[state.depth - 1]
    if frame[STAGE] == C_REVEALS:
        frame[STAGE] = C_UKRAINE_ROLLS
        ask(state, N_REVEAL, CHANCE)
        return True
    if frame[STAGE] == C_UKRAINE_ROLLS:
        frame[STAGE] = C_RUSSIA_ROLLS
        if asks_roll(rules, state, UA):
            return True
    if frame[STAGE] == C_RUSSIA_ROLLS:
        frame[STAGE] = C_ROLLED
        if asks_roll(rules, state, RU):
            return True
    if frame[STAGE] == C_ROLLED:
        frame[C] = state.doubles[UA] == DETENTE or state.doubles[RU] == DETENTE
        frame[STAGE] = C_ADDS_ALLIES
        if push_criticals(state, True):
            return False
    if frame[STAGE] == C_ADDS_ALLIES:
        frame[STAGE] = C_COMPARES
        if has_allies_for(state, UA, DIPLOMATIC) and rules.options[NO_RANDOMNESS] == 0:
            ask(state, N_ADD_ALLIES, UA)
            return True
    if frame[STAGE] == C_COMPARES:
        frame[STAGE] = C_ENDS
        ask(state, N_COMPARE, CHANCE)
        return True
    if frame[C]:
        state.combat_turns += state.turn_type
        end_turn(state)
        return False
    if rules.options[KEEPS_DIPLOMACY] == 0 and state.ally_area == DIPLOMATIC:
        state.ally_rp = 0
    pop(state)
    return False


@internal(types.void, STATE)
def compare(state: State) -> None:
    """More Resource Points win, a tie Russia; if the player who requested the Ceasefire wins, the Turn is Strategic."""
    frame = state.stack[state.depth - 1]
    winner = UA if state.rp[UA] + frame[D] > state.rp[RU] else RU
    state.turn_type = STRATEGIC if winner == frame[SIDE] else COMBAT
    state.ceasefire = 1
