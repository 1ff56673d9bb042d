"""The Final Phase and the end of the game (sections 8 and 9)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.standing import gain, lose
from brinkmanship.games.ukrainian_crisis.state import (
    ACTED,
    COMBAT,
    DECISIVE,
    DISCARDED,
    DRAW,
    EMPTY,
    EVENT_DRAW,
    FACE_DOWN,
    FINAL_INCOME,
    GAME_END,
    HELD,
    INCONCLUSIVE,
    N_AREAS,
    N_COUNTRIES,
    N_EVENTS,
    NOBODY,
    NOT_YET,
    RELOCATED,
    RU,
    STATE,
    TACTICAL,
    UA,
    State,
)
from brinkmanship.games.ukrainian_crisis.tables import (
    CHECK_AFTER_INCOME,
    HOME,
    N_ZONES,
    RULES,
    TURNS,
    Rules,
)
from brinkmanship.games.ukrainian_crisis.units import GROUPED, clear_marks
from brinkmanship.games.ukrainian_crisis.zones import controlled_zones

TACTICAL_FROM = 11
DECISIVE_FROM = 26
"""Differences of Victory Points from which a victory has this level (9.1, R45)."""


@compiled(types.int64, RULES, STATE, types.int64)
def scored_zones(rules: Rules, state: State, side: int) -> int:
    """The zones, as bits, whose VP a side would score now: Union zones always for Russia (R22), else by control."""
    union = int(state.union)
    if state.combat_turns == 0:
        return union if side == RU else 0
    zones = controlled_zones(rules, state, side) & rules.zone_sets[HOME + UA] & ~union
    return zones | union if side == RU else zones


@compiled(types.int64, RULES, STATE, types.int64)
def victory_points(rules: Rules, state: State, side: int) -> int:
    """What a side's position is worth (9.0): Prestige, halved and rounded up after any Combat Turn, and its zones."""
    points = int(state.prestige[side])
    if state.combat_turns > 0:
        points = (points + 1) // 2
    zones = scored_zones(rules, state, side)
    for zone in range(rules.limits[N_ZONES]):
        if zones >> zone & 1:
            points += rules.vp[zone]
    return points


@internal(types.void, RULES, STATE)
def end_game(rules: Rules, state: State) -> None:
    """Count the Victory Points; the difference gives the level of the victory (9.1)."""
    for side in range(2):
        state.vp[side] = victory_points(rules, state, side)
    difference = abs(state.vp[UA] - state.vp[RU])
    if difference > 0:
        state.winner = UA if state.vp[UA] > state.vp[RU] else RU
    if difference >= DECISIVE_FROM:
        state.level = DECISIVE
    elif difference >= TACTICAL_FROM:
        state.level = TACTICAL
    else:
        state.level = INCONCLUSIVE if difference > 0 else DRAW
    state.step = GAME_END


@internal(types.boolean, STATE)
def prestige_is_gone(state: State) -> bool:
    """Whether the Prestige of either side is 0."""
    return state.prestige[UA] == 0 or state.prestige[RU] == 0


@internal(types.void, RULES, STATE)
def final_check(rules: Rules, state: State) -> None:
    """8.1: the game ends at Prestige 0 of either side, and after the last Turn; before any income (R26)."""
    clear_marks(rules, state, ACTED | GROUPED | RELOCATED)
    state.zones_attacked = 0
    for side in range(2):
        state.rp[side] = 0
        state.doubles[side] = 0
    if prestige_is_gone(state) or state.turn == rules.limits[TURNS]:
        end_game(rules, state)
    else:
        state.step = FINAL_INCOME


@compiled(types.int64, RULES, STATE)
def ally_prestige(rules: Rules, state: State) -> int:
    """The Ranks of all countries in Support or Intervention that give Prestige this Turn (5.3)."""
    points = 0
    for country in range(N_COUNTRIES):
        if rules.gives_prestige[state.box[country]] and not state.suspended >> country & 1:
            points += rules.rank[country]
    return points


@compiled(types.int64, RULES, STATE)
def ally_points(rules: Rules, state: State) -> int:
    """The Ranks of all countries in Intervention that give Resource Points this Turn (5.3)."""
    points = 0
    for country in range(N_COUNTRIES):
        if rules.gives_rp[state.box[country]] and not state.suspended >> country & 1:
            points += rules.rank[country]
    return points


@internal(types.void, STATE)
def discard_cards(state: State) -> None:
    """All Resource Cards of the Turn, face up (R54), and all Event Cards leave the game."""
    for area in range(N_AREAS):
        state.face_up[area] = FACE_DOWN
        for side in range(2):
            state.matrix[side, area] = EMPTY
    for event in range(N_EVENTS):
        for side in range(2):
            if state.event[event] == HELD + side:
                state.event[event] = DISCARDED
                state.held[side] -= 1


@internal(types.void, STATE)
def clear_turn(state: State) -> None:
    """What lasts for one Turn only is over."""
    state.turn_type = NOT_YET
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
        state.declared[side] = NOT_YET
        state.bonus[side] = 0
        state.rally[side] = 0
    for place in range(N_AREAS):
        state.order[place] = NOBODY


@internal(types.void, RULES, STATE)
def final_income(rules: Rules, state: State) -> None:
    """8.2: discards, the allies' Prestige - for Ukraine, in a Combat Turn against Russia - and the next Turn."""
    discard_cards(state)
    points = ally_prestige(rules, state)
    if state.turn_type == COMBAT:
        lose(state, RU, points)
    else:
        gain(state, UA, points)
    if rules.options[CHECK_AFTER_INCOME] and prestige_is_gone(state):
        end_game(rules, state)
        return
    clear_turn(state)
    state.turn += 1
    state.step = EVENT_DRAW
