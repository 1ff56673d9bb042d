"""The worth of Prestige, the probability of war, and a side's gain from a Combat Turn."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.players.judgement.survey import SURVEY, Survey, SurveyRow, map_lead, union_lead
from brinkmanship.games.ukrainian_crisis.players.weights import WEIGHTS, Table, Weight
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, RU, UA, Kind
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, State, Step, TurnType
from brinkmanship.games.ukrainian_crisis.rules.steps.allies import ally_prestige
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules

USUAL_POINTS = (2.5, 3.5, 7.0)
"""Average points of cards of the three classes (4.1)."""
SURE = 8.0
"""Lead in points that the last Strategic Turn hardly ever overturns."""
ALL = 100.0
"""Value of deciding the game."""


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64)
def war_share(rules: Rules, view: State, weights: Table, side: int) -> float:
    """Return the probability that the game is scored as one with a Combat Turn."""
    if view.combat_turns > 0 or view.turn_type == TurnType.COMBAT:
        return 1.0
    if view.turn == rules.turns and view.step > Step.CEASEFIRE_OPTION:
        return 0.0
    share = weights[side, Weight.WAR] + weights[side, Weight.WAR_LATE] * view.turn / rules.turns
    return float(min(max(share, 0.0), 1.0))


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64)
def worth_of_prestige(rules: Rules, view: State, weights: Table, side: int) -> float:
    """Return the worth of a point of Prestige at the end: half a point if there is war."""
    return 1.0 - 0.5 * war_share(rules, view, weights, side)


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64)
def prestige_lead(rules: Rules, view: State, weights: Table, side: int) -> float:
    """Return a side's lead in Prestige, with the expected Prestige from allies."""
    lead = float(view.prestige[UA]) - float(view.prestige[RU])
    lead += weights[side, Weight.INCOME] * ally_prestige(rules, view) * (rules.turns - view.turn)
    return lead if side == UA else -lead


@internal(types.float64, RULES, SURVEY, types.int64)
def force(rules: Rules, board: Survey, side: int) -> float:
    """Return the Combat Value of Regulars on the map that are not neutralised, all counted as the side's first type."""
    cv = 0
    for unit_type in range(rules.n_types):
        if rules.types[unit_type].side == side and rules.types[unit_type].kind == Kind.REGULAR:
            cv = max(cv, int(rules.types[unit_type].cv[0]))
    return float(cv * board[SurveyRow.MOBILISED, 2 + side])


@internal(types.float64, RULES, types.int64)
def points_of(rules: Rules, rank: int) -> float:
    """Return the average Resource Points of a card; its rank counts from 1."""
    return float(rank) if rules.options.ordinary_cards else USUAL_POINTS[rank - 1]


@compiled(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64)
def war_gain(rules: Rules, view: State, weights: Table, board: Survey, side: int) -> float:
    """Return the advantage of a Combat Turn over a Strategic one for a side, in Victory Points."""
    fighting = weights[side, Weight.OWN_FORCE] * force(rules, board, side)
    fighting -= weights[side, Weight.ENEMY_FORCE] * force(rules, board, 1 - side)
    for area in range(N_AREAS):
        if view.matrix[side, area] > 0:
            points = points_of(rules, int(view.matrix[side, area])) - USUAL_POINTS[0]
            fighting += weights[side, Weight.CARD_MILITARY + area] * points
    if view.combat_turns > 0:
        return float(fighting - weights[side, Weight.AGAIN])
    prestige = prestige_lead(rules, view, weights, side)
    if view.turn == rules.turns:
        in_peace = prestige + union_lead(rules, view, side)
        if in_peace < -SURE:
            return ALL  # only war can still win this
        if in_peace > SURE and map_lead(rules, view, weights, board, side) + 0.5 * prestige < SURE:
            return -ALL
    gain = map_lead(rules, view, weights, board, side) - 0.5 * prestige - union_lead(rules, view, side)
    patience = weights[side, Weight.PATIENCE] * (rules.turns - view.turn)
    return float(gain + fighting - weights[side, Weight.WAR_PAYS] - patience)
