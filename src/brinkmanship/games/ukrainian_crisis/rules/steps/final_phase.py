"""The Final Phase and the end of the game (sections 8 and 9)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, N_COUNTRIES, N_EVENTS, NOBODY, RU, UA
from brinkmanship.games.ukrainian_crisis.rules.prestige import gain, lose
from brinkmanship.games.ukrainian_crisis.rules.state import (
    STATE,
    EventPlace,
    Level,
    Mark,
    Square,
    State,
    Step,
    TurnType,
)
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.units import GROUPED, clear_marks
from brinkmanship.games.ukrainian_crisis.rules.zones import controlled_zones

TACTICAL_FROM = 11
DECISIVE_FROM = 26
"""Differences of Victory Points from which a victory has this level (9.1, R45)."""


@compiled(types.int64, RULES, STATE, types.int64)
def scored_zones(rules: Rules, state: State, side: int) -> int:
    """The zones, as bits, whose VP a side would score now: Union zones always for Russia (R22), else by control."""
    union = int(state.union)
    if state.combat_turns == 0:
        return union if side == RU else 0
    zones = controlled_zones(rules, state, side) & rules.home[UA] & ~union
    return zones | union if side == RU else zones


@compiled(types.int64, STATE, types.int64)
def points_of_prestige(state: State, side: int) -> int:
    """The Victory Points of a side's Prestige: one each, halved and rounded up after any Combat Turn (9.0)."""
    points = int(state.prestige[side])
    return points if state.combat_turns == 0 else (points + 1) // 2


@compiled(types.int64, RULES, STATE, types.int64)
def points_of_zones(rules: Rules, state: State, side: int) -> int:
    """The Victory Points of the zones that a side scores."""
    points = 0
    zones = scored_zones(rules, state, side)
    for zone in range(rules.n_zones):
        if zones >> zone & 1:
            points += rules.vp[zone]
    return points


@compiled(types.int64, RULES, STATE, types.int64)
def victory_points(rules: Rules, state: State, side: int) -> int:
    """What a side's position is worth (9.0)."""
    return points_of_prestige(state, side) + points_of_zones(rules, state, side)


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
    """Whether the Prestige of either side is 0."""
    return state.prestige[UA] == 0 or state.prestige[RU] == 0


@internal(types.void, RULES, STATE)
def check(rules: Rules, state: State) -> None:
    """8.1: the game ends at Prestige 0 of either side, and after the last Turn; before any income (R26)."""
    clear_marks(rules, state, Mark.ACTED | GROUPED | Mark.RELOCATED)
    state.zones_attacked = 0
    for side in range(2):
        state.rp[side] = 0
        state.doubles[side] = 0
    if prestige_is_gone(state) or state.turn == rules.turns:
        end_game(rules, state)
    else:
        state.step = Step.FINAL_INCOME


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
    """What lasts for one Turn only is over."""
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
    """8.2: discards, the allies' Prestige - for Ukraine, in a Combat Turn against Russia - and the next Turn."""
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
