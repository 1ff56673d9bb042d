"""The value of mobilising and deploying units."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.players.judgement.survey import SURVEY, Survey, SurveyRow, zone_with
from brinkmanship.games.ukrainian_crisis.players.judgement.war import war_share
from brinkmanship.games.ukrainian_crisis.players.weights import WEIGHTS, Table, Weight
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, place_in, type_in
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA, Kind
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Place, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.zones import zones_to_deploy, zones_to_move


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64, types.int64)
def value_of_place(
    rules: Rules, view: State, weights: Table, board: Survey, side: int, unit_type: int, zone: int
) -> float:
    """Return the worth of a unit of this type in a zone, less the Prestige it costs there."""
    share = war_share(rules, view, weights, side)
    kind = rules.types[unit_type].kind
    if kind == Kind.SPECIAL:
        if board[SurveyRow.SPECIAL, zone] > 0 or rules.ethnic[RU] >> zone & 1 == 0:
            return 0.0
        militia = zone_with(rules, view, weights, board, side, zone, 1, 1)
        militia -= zone_with(rules, view, weights, board, side, zone, 0, 0)
        return float(share * weights[side, Weight.OPENED] * militia)
    cv = int(rules.types[unit_type].cv[0])
    value = zone_with(rules, view, weights, board, side, zone, 1, cv)
    value -= zone_with(rules, view, weights, board, side, zone, 0, 0)
    if kind == Kind.REGULAR:
        value += weights[side, Weight.STANDING] + weights[side, Weight.STANDING_LEFT] * (rules.turns - view.turn)
        near = zones_to_move(rules, view, unit_type, zone) & rules.home[UA] & ~view.union
        for other in range(rules.n_zones):
            if near >> other & 1:
                value += weights[side, Weight.REACH] * rules.vp[other]
        value = share * value - (1.0 - 0.5 * share)
        return float(value - max(weights[side, Weight.KEPT] + 1.0 - view.prestige[side], 0.0))
    return float(share * value)


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64, types.int64)
def best_place(
    rules: Rules, view: State, weights: Table, board: Survey, side: int, unit_type: int, zones: int
) -> float:
    """Return the worth of a unit of this type in the best of some zones, 0 for none."""
    best = 0.0
    for zone in range(rules.n_zones):
        if zones >> zone & 1:
            best = max(best, value_of_place(rules, view, weights, board, side, unit_type, zone))
    return best


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_of_building(rules: Rules, view: State, weights: Table, board: Survey, side: int, action: int) -> float:
    """Return the worth per point of mobilising or deploying a unit, or the worth of the allies' points."""
    if action == Action.DONE:
        return 0.0
    if action < Action.UNIT:
        # Later points would go into Information, which is still to come in a Strategic Turn while its card lies there.
        points = action - Action.ALLIES
        return float(points * (0.5 - weights[side, Weight.ALLY_POINT]))
    unit_type = type_in(action - Action.UNIT)
    place = place_in(action - Action.UNIT)
    if place < MAX_ZONES:
        return -1.0
    value = best_place(
        rules, view, weights, board, side, unit_type, zones_to_deploy(rules, view, side, rules.types[unit_type].kind)
    )
    if place == Place.RESERVE:
        if view.rp[side] < 2:
            fights = rules.types[unit_type].kind != Kind.SPECIAL
            return float(fights * war_share(rules, view, weights, side) * weights[side, Weight.MOBILISED] * 0.1)
        value *= 0.5
    return float(value - weights[side, Weight.THRIFT])
