"""The value of Resource Cards placed in the three areas."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.players.judgement.war import USUAL_POINTS, points_of
from brinkmanship.games.ukrainian_crisis.players.weights import N_PHASES, WEIGHTS, Table, Weight
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import placed_rank
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64, types.boolean)
def value_of_placement(rules: Rules, view: State, weights: Table, side: int, action: int, to_fight: bool) -> float:
    """Return the worth of three cards in their areas, compared with three Small ones, for a given plan of war."""
    phase = min((view.turn - 1) * N_PHASES // rules.turns, N_PHASES - 1)
    value = 0.0
    for area in range(N_AREAS):
        points = points_of(rules, placed_rank(action, area))
        column = Weight.PLACE + (phase * N_AREAS + area) * 2
        medium, maximum = weights[side, column], weights[side, column + 1]
        if points <= USUAL_POINTS[1]:
            value += medium * (points - USUAL_POINTS[0]) / (USUAL_POINTS[1] - USUAL_POINTS[0])
        else:
            value += medium + (maximum - medium) * (points - USUAL_POINTS[1]) / (USUAL_POINTS[2] - USUAL_POINTS[1])
        if to_fight:
            value += weights[side, Weight.WAR_MILITARY + area] * (points - USUAL_POINTS[0])
    return value
