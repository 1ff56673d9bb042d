"""Cubes and markers: operations on the board by cards, Commands and the steps of a round."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.cuban.frame import NOBODY, US, USSR, Mode
from brinkmanship.games.thirteen_days.rules.state import N_PLACES, N_TRACKS, STATE, Node, State
from brinkmanship.games.thirteen_days.rules.tables import RULES, BanScope, BrinkFloor, Rules


@compiled(types.boolean, STATE)
def in_turns(state: State) -> bool:
    """Return True if the game is in step 3, where cards are played in turns."""
    return state.depth > 0 or state.node == Node.PLAY


@compiled(types.boolean, STATE)
def before_turns(state: State) -> bool:
    """Return True if the game is before the first turn of a round."""
    if in_turns(state):
        return False
    return state.node in (Node.ESCALATE, Node.DEAL_AGENDA, Node.AGENDA, Node.DRAW_CARD, Node.FIRST)


@internal(types.int64, STATE, types.int64)
def leader(state: State, place: int) -> int:
    """Return the side with strictly more cubes on a battleground, or NOBODY."""
    us = state.influence[US, place]
    ussr = state.influence[USSR, place]
    if us > ussr:
        return US
    if ussr > us:
        return USSR
    return NOBODY


@internal(types.int64, RULES, STATE, types.int64)
def supply(rules: Rules, state: State, side: int) -> int:
    """Return the number of cubes of a side that are not on the board."""
    cubes = rules.limits.cubes
    for place in range(N_PLACES):
        cubes -= state.influence[side, place]
    return cubes


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def room(rules: Rules, state: State, side: int, place: int) -> int:
    """Return the number of cubes of a side that still fit on a battleground."""
    return rules.limits.cubes_on_place - state.influence[side, place]


@internal(types.int64, RULES, STATE, types.int64, types.int64, types.int64)
def move_marker(rules: Rules, state: State, side: int, track: int, steps: int) -> int:
    """Move a marker by signed steps, stopping at both ends of the track (R12); return the steps actually moved."""
    before = state.defcon[side, track]
    after = min(max(before + steps, 1), rules.limits.top_step)
    state.defcon[side, track] = after
    return after - before


@internal(types.boolean, RULES, STATE, types.int64)
def may_not_deflate(rules: Rules, state: State, side: int) -> bool:
    """Return True if the event in progress may not lower markers of a side (R32)."""
    if state.ban[side] == 0 or state.depth == 0:
        return False
    if rules.options.deflation_ban_scope == BanScope.ALL_EVENTS:
        return True
    frame = state.stack[state.depth - 1]
    return frame.mode == Mode.EVENT and frame.player == side


@internal(types.void, RULES, STATE, types.int64, types.int64, types.int64)
def couple(rules: Rules, state: State, side: int, place: int, cubes: int) -> None:
    """Move the marker of a battleground's track for cubes placed (> 0) or removed (< 0) there: the first is free."""
    if cubes > 1:
        move_marker(rules, state, side, rules.place_track[place], cubes - 1)
    elif cubes < -1:
        move_marker(rules, state, side, rules.place_track[place], cubes + 1)


@compiled(types.int64, RULES, STATE, types.int64, types.int64, types.int64)
def command_value(rules: Rules, state: State, side: int, printed: int, letter: int) -> int:
    """Return how many cubes a Command may move: printed value, letter, SOPs and To the Brink (section 2.3, R27)."""
    bonus = letter * rules.limits.letter_bonus
    if rules.options.brink_floor == BrinkFloor.BEFORE_LETTER:
        return max(printed + state.modifier[side], state.least[side], 0) + bonus
    return max(printed + bonus + state.modifier[side], state.least[side], 0)


@internal(types.void, RULES, STATE, types.int64, types.int64)
def gain_prestige(rules: Rules, state: State, side: int, points: int) -> None:
    """Give Prestige to a side; a lead above the limit is lost (R7)."""
    limit = rules.limits.lead
    towards_us = points if side == US else -points
    state.prestige = min(max(state.prestige + towards_us, -limit), limit)


@internal(types.boolean, RULES, STATE, types.int64)
def triggers_war(rules: Rules, state: State, side: int) -> bool:
    """Return True if a side would start the nuclear war now: a marker in DEFCON 1, or all in DEFCON 2 (section 2.8)."""
    in_defcon_2 = 0
    for track in range(N_TRACKS):
        area = rules.area[state.defcon[side, track]]
        if area == 1:
            return True
        if area == 2:
            in_defcon_2 += 1
    return in_defcon_2 == N_TRACKS
