"""The value of actions and targets in the Information area."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.players.judgement.survey import IDLE, SURVEY, Survey, zone_without
from brinkmanship.games.ukrainian_crisis.players.judgement.war import war_share, worth_of_prestige
from brinkmanship.games.ukrainian_crisis.players.weights import WEIGHTS, Table, Weight
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, place_in, type_in
from brinkmanship.games.ukrainian_crisis.rules.names import Area, Inform, Kind
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, STATE, Mark, Place, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.units import GROUPED


@internal(types.float64, RULES, STATE, types.int64, types.int64)
def expected_result(rules: Rules, view: State, side: int, which: int) -> float:
    """Return the mean (0) of one roll for the own Information card, or the lower (1) or higher (2) of two rolls."""
    rank = int(view.matrix[side, Area.INFORMATION])
    if rules.options.ordinary_cards:
        other = int(view.matrix[1 - side, Area.INFORMATION])
        return float(rank if which == 0 else min(rank, other) if which == 1 else max(rank, other))
    if rules.class_of[rank - 1] == 2:
        return 7.0 if which == 0 else 5.63 if which == 1 else 8.37
    total = 0.0
    row = int(rules.class_of[rank - 1])
    for first in range(6):
        one = rules.results[row, first]
        if which == 0:
            total += 6 * one
            continue
        for second in range(6):
            other = rules.results[row, second]
            total += min(one, other) if which == 1 else max(one, other)
    return total / 36


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_of_information(rules: Rules, view: State, weights: Table, board: Survey, side: int, action: int) -> float:
    """Return the worth of an action of the Information area."""
    if action == Action.DONE:
        return IDLE
    worth = worth_of_prestige(rules, view, weights, side)
    if action == Action.INFORM + Inform.INCREASE:
        return worth * expected_result(rules, view, side, 0)
    if action == Action.INFORM + Inform.REDUCE:
        lower, higher = expected_result(rules, view, side, 1), expected_result(rules, view, side, 2)
        value = worth * (higher - lower)
        if view.prestige[1 - side] <= higher and view.prestige[side] > lower + 1 and view.turn < rules.turns:
            value += weights[side, Weight.KILL]
        return float(value)
    first, second = 0.0, 0.0
    attempts = int(rules.attempts[rules.class_of[view.matrix[side, Area.INFORMATION] - 1]])
    for unit in range(rules.n_units):
        entry = int(view.unit[unit])
        unit_type = rules.type_of[unit]
        on_map = 0 <= entry < Place.RESERVE * PLACE and entry & Mark.NEUTRALISED == 0
        if not on_map or rules.types[unit_type].side == side or rules.types[unit_type].kind == Kind.SPECIAL:
            continue
        value = zone_without(rules, view, weights, board, side, (entry // PLACE * 12 + unit_type) * 2)
        if value > first:
            first, second = value, first
        elif value > second:
            second = value
    share = war_share(rules, view, weights, side) * weights[side, Weight.NEUTRALISES]
    share *= min(expected_result(rules, view, side, 0) / 6.0, 1.0)
    return float(share * (first + (attempts - 1) * second))


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_of_target(rules: Rules, view: State, weights: Table, board: Survey, side: int, action: int) -> float:
    """Return the worth of aiming at a unit of a stack; units already aimed at do not count twice."""
    if action == Action.DONE:
        return 0.0
    stack = action - Action.UNIT
    if stack % 2 == Mark.NEUTRALISED:
        return -1.0
    aimed, standing = 0, 0
    for unit in range(rules.types[type_in(stack)].first, rules.types[type_in(stack)].end):
        if view.unit[unit] // PLACE == place_in(stack) and view.unit[unit] & Mark.NEUTRALISED == 0:
            standing += 1
            aimed += view.unit[unit] & GROUPED != 0
    if aimed >= standing:
        return 0.01
    return zone_without(rules, view, weights, board, side, stack) / (1 + aimed) + 0.02
