"""Survey of the map for the judgement: the units by zone, and the worth of zones to a side."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.players.weights import WEIGHTS, Table, Weight
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import place_in, type_in
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA, Kind
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, STATE, Mark, Place, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules

NEVER = -1000.0
IDLE = 0.001
"""Small bonus for doing nothing over an action that changes nothing."""


class SurveyRow(IntEnum):
    """Rows of a survey of the map, by zone: units that can fight. Of rows for each side, the name is Ukraine's."""

    FULL_CV = 0  # Combat Value of the units that are not neutralised
    FULL = 2
    CV = 4
    UNITS = 6
    FULL_REGULARS = 8
    REGULARS = 10
    SPECIAL = 12  # Russian Special Forces
    MOBILISED = 13  # units in the Mobilisation boxes, then the Regulars on the map, in columns by side


N_ROWS = len(SurveyRow) + 6
SURVEY = types.Array(types.int64, 2, "C")
VALUES = types.Array(types.float64, 1, "C")
Survey = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]


@internal(types.void, RULES, STATE, SURVEY)
def survey(rules: Rules, view: State, board: Survey) -> None:
    """Count the units on the map."""
    for row in range(N_ROWS):
        for zone in range(MAX_ZONES):
            board[row, zone] = 0
    for unit_type in range(rules.n_types):
        side = int(rules.types[unit_type].side)
        kind = rules.types[unit_type].kind
        cv = int(rules.types[unit_type].cv[0])
        for unit in range(rules.types[unit_type].first, rules.types[unit_type].end):
            entry = int(view.unit[unit])
            zone = entry // PLACE
            if entry < 0 or zone >= MAX_ZONES:
                board[SurveyRow.MOBILISED, side] += zone == Place.MOBILISATION
            elif kind == Kind.SPECIAL:
                board[SurveyRow.SPECIAL, zone] += entry & Mark.NEUTRALISED == 0
            else:
                board[SurveyRow.UNITS + side, zone] += 1
                board[SurveyRow.CV + side, zone] += cv
                board[SurveyRow.REGULARS + side, zone] += kind == Kind.REGULAR
                if entry & Mark.NEUTRALISED == 0:
                    board[SurveyRow.FULL + side, zone] += 1
                    board[SurveyRow.FULL_CV + side, zone] += cv
                    board[SurveyRow.FULL_REGULARS + side, zone] += kind == Kind.REGULAR
                    board[SurveyRow.MOBILISED, 2 + side] += kind == Kind.REGULAR


@internal(types.float64, WEIGHTS, SURVEY, types.int64, types.int64, types.int64, types.int64, types.int64)
def standing_in(weights: Table, board: Survey, side: int, own: int, own_cv: int, enemy: int, enemy_cv: int) -> float:
    """Return the worth of units that are not neutralised to a side, as a share of the points of their zone."""
    if own > 0 and enemy == 0:
        regulars = board[SurveyRow.MOBILISED, 2 + 1 - side]
        exposed = weights[side, Weight.EXPOSED] * regulars / (regulars + 4.0) / (1.0 + 0.5 * own_cv)
        return float(weights[side, Weight.CONTROL] + weights[side, Weight.DEPTH] * own_cv / (own_cv + 4.0) - exposed)
    if enemy > 0 and own == 0:
        return -float(weights[side, Weight.CONTROL] + weights[side, Weight.DEPTH] * enemy_cv / (enemy_cv + 4.0))
    if own == 0:
        return 0.0
    return float(weights[side, Weight.CONTEST]) * (own_cv - enemy_cv) / (own_cv + enemy_cv)


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64, types.int64, types.int64)
def zone_with(
    rules: Rules, view: State, weights: Table, board: Survey, side: int, zone: int, units: int, cv: int
) -> float:
    """Return the worth of a zone to a side with these additional units and their Combat Value."""
    if (rules.home[UA] & ~view.union) >> zone & 1 == 0:
        return 0.0
    enemy = 1 - side
    return rules.vp[zone] * standing_in(
        weights,
        board,
        side,
        board[SurveyRow.FULL + side, zone] + units,
        board[SurveyRow.FULL_CV + side, zone] + cv,
        board[SurveyRow.FULL + enemy, zone],
        board[SurveyRow.FULL_CV + enemy, zone],
    )


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def zone_without(rules: Rules, view: State, weights: Table, board: Survey, side: int, stack: int) -> float:
    """Return the gain in worth to a side if one unit of an enemy stack in a zone is neutralised."""
    zone = place_in(stack)
    if (rules.home[UA] & ~view.union) >> zone & 1 == 0:
        return 0.0
    enemy = 1 - side
    own, own_cv = board[SurveyRow.FULL + side, zone], board[SurveyRow.FULL_CV + side, zone]
    his, his_cv = board[SurveyRow.FULL + enemy, zone], board[SurveyRow.FULL_CV + enemy, zone]
    cv = int(rules.types[type_in(stack)].cv[0])
    now = standing_in(weights, board, side, own, own_cv, his, his_cv)
    return rules.vp[zone] * (standing_in(weights, board, side, own, own_cv, his - 1, his_cv - cv) - now)


@internal(types.float64, RULES, STATE, types.int64)
def union_lead(rules: Rules, view: State, side: int) -> float:
    """Return the lead in Victory Points from the zones that joined Russia."""
    points = 0.0
    if view.union:
        for zone in range(rules.n_zones):
            points += rules.vp[zone] * (int(view.union) >> zone & 1)
    return points if side == RU else -points


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64)
def map_lead(rules: Rules, view: State, weights: Table, board: Survey, side: int) -> float:
    """Return the worth of the map to a side in a game with a Combat Turn."""
    lead = 0.0
    for zone in range(rules.n_zones):
        lead += zone_with(rules, view, weights, board, side, zone, 0, 0)
    return lead + union_lead(rules, view, side)
