"""S9 to S12: the order of the areas, and each from its window to both sides' actions (section 3.3)."""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, NOBODY, RU, UA, Area
from brinkmanship.games.ukrainian_crisis.rules.prestige import leader
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, State, Step, Task, TurnType
from brinkmanship.games.ukrainian_crisis.rules.steps.event import show_diplomatic_cards
from brinkmanship.games.ukrainian_crisis.rules.steps.information import has_targets
from brinkmanship.games.ukrainian_crisis.rules.steps.rolls import asks_roll, card_class, push_criticals
from brinkmanship.games.ukrainian_crisis.rules.steps.window import push_window
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal, ask, pop, push

SEGMENTS_WITHOUT_DICE = 2


class AreaStage(IntEnum):
    """Stage of an area."""

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


@internal(types.boolean, STATE, types.int64)
def is_to_resolve(state: State, area: int) -> bool:
    """Return True if an area has to be resolved and has no place in the order yet."""
    if area == Area.DIPLOMATIC and (state.turn_type == TurnType.COMBAT or state.ceasefire == 1):  # R9, R10
        return False
    places = 0
    for place in range(state.ordered):
        places += state.order[place] == area
    return places == 0


@internal(types.boolean, STATE)
def asks_order(state: State) -> bool:
    """Let the leader fix the order of the areas (S9, R14); the last one follows by itself."""
    left = 0
    last = NOBODY
    for area in range(N_AREAS):
        if is_to_resolve(state, area):
            left += 1
            last = area
    if left > 1:
        ask(state, Node.ORDER, leader(state))
        return True
    state.order[state.ordered] = last
    state.ordered += 1
    state.step = Step.RESOLVE_AREAS
    return False


@internal(types.void, STATE, types.int64, types.int64)
def push_area(state: State, area: int, stage: int) -> None:
    """Begin an area, or continue it if a Ceasefire has kept it open (R9)."""
    push(state, Task.AREA, leader(state))
    state.stack[state.depth - 1].stage = stage
    state.area = area


@internal(types.void, STATE)
def next_area(state: State) -> None:
    """Begin S10 to S12 for the next area of the order, then S13 or S14."""
    if state.areas_done < state.ordered:
        area = state.order[state.areas_done]
        state.areas_done += 1
        push_area(state, area, AreaStage.OPENS)
    else:
        state.step = Step.OPERATIONS if state.turn_type == TurnType.COMBAT else Step.WINDOW_5


@internal(types.boolean, RULES, STATE)
def asks(rules: Rules, state: State) -> bool:
    """Ask for the order of the areas (True), or begin the next one (False)."""
    if state.step == Step.KEPT_DIPLOMACY:
        state.step = Step.ORDER
        if state.ceasefire == 1 and state.turn_type == TurnType.STRATEGIC and rules.options.keeps_diplomacy:
            push_area(state, Area.DIPLOMATIC, AreaStage.DECIDES_FIRST)
        return False
    if state.step == Step.ORDER:
        return asks_order(state)
    next_area(state)
    return False


@internal(types.void, RULES, STATE)
def reveal(rules: Rules, state: State) -> None:
    """Turn up both cards of the area, or for a Ceasefire the Diplomatic ones."""
    if state.area == Area.DIPLOMATIC:
        show_diplomatic_cards(rules, state)
    else:
        state.face_up[state.area] = 1


@internal(types.void, RULES, STATE)
def count_segments(rules: Rules, state: State) -> None:
    """Set the number of Operational Segments: the strongest Military card of either side gives it (section 6.1)."""
    strongest = max(card_class(rules, state, UA, Area.MILITARY), card_class(rules, state, RU, Area.MILITARY))
    state.segments = SEGMENTS_WITHOUT_DICE if rules.options.no_randomness else rules.segments[strongest]


@internal(types.void, STATE)
def close_area(state: State) -> None:
    """Remove unspent Resource Points of the area, and those of the allies if they were used here (5.3)."""
    state.rp[UA] = 0
    state.rp[RU] = 0
    if state.ally_area == state.area:
        state.ally_rp = 0
    pop(state)


@internal(types.void, STATE, types.int64, types.int64)
def push_action(state: State, area: int, side: int) -> None:
    """Begin a side's action in an area."""
    if area == Area.MILITARY:
        push(state, Task.MILITARY, side)
    elif area == Area.DIPLOMATIC:
        push(state, Task.DIPLOMATIC, side)
    else:
        push(state, Task.INFORMATION, side)


@internal(types.boolean, RULES, STATE)
def area_asks(rules: Rules, state: State) -> bool:
    """Continue the area until a side is to decide (True), or another task begins or it is done (False)."""
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
            close_area(state)  # neither side could act
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


@internal(types.int64, STATE, LEGAL)
def legal(state: State, out: Legal) -> int:
    """Write the areas that have no place in the order yet, or the sides that may act first."""
    if state.node == Node.WHO_FIRST:
        out[0] = Action.FIRST + UA
        out[1] = Action.FIRST + RU
        return 2
    n = 0
    for area in range(N_AREAS):
        if is_to_resolve(state, area):
            out[n] = Action.AREA + area
            n += 1
    return n


@internal(types.void, STATE, types.int64)
def apply(state: State, action: int) -> None:
    """Take the leader's choice: the next area of the order, or the side that acts first."""
    if state.node == Node.WHO_FIRST:
        frame = state.stack[state.depth - 1]
        frame.side = action - Action.FIRST
        frame.stage = AreaStage.FIRST_ACTS
    else:
        state.order[state.ordered] = action - Action.AREA
        state.ordered += 1
