"""The value of Event Cards, critical events, and the choices they ask for."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.players.judgement.diplomacy import gain_of_marker
from brinkmanship.games.ukrainian_crisis.players.judgement.survey import (
    SURVEY,
    Survey,
    SurveyRow,
    standing_in,
    zone_with,
)
from brinkmanship.games.ukrainian_crisis.players.judgement.war import war_share, worth_of_prestige
from brinkmanship.games.ukrainian_crisis.players.weights import WEIGHTS, Table, Weight
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, type_in
from brinkmanship.games.ukrainian_crisis.rules.names import N_COUNTRIES, RU, UA, Box, Country, Critical, Event
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, State, Step, TurnType
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64)
def value_of_thumb(rules: Rules, view: State, weights: Table, side: int, country: int) -> float:
    """Return the gain of Screwed Thumbs on a country, in Prestige."""
    gain = gain_of_marker(rules, view, weights, side, country, Box.NEUTRALITY)
    return gain + (rules.rank[country] if side == UA else -rules.rank[country])


@internal(types.float64, SURVEY, types.int64, types.int64)
def value_of_guns(board: Survey, side: int, zone: int) -> float:
    """Return the gain of Runaway Guns in a zone, in Prestige: the other side's Irregulars less the side's own."""
    own = board[SurveyRow.UNITS + side, zone] - board[SurveyRow.REGULARS + side, zone]
    his = board[SurveyRow.UNITS + 1 - side, zone] - board[SurveyRow.REGULARS + 1 - side, zone]
    return float(his - own) if own > 0 and his > 0 else 0.0


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64)
def value_of_isis_crisis(rules: Rules, view: State, weights: Table, side: int) -> float:
    """Return the loss of Ukraine by the ISIS Crisis, in Prestige: what its three great allies would still give it."""
    points = 0.0
    for ally in (Country.US, Country.GB, Country.FR):
        points += rules.rank[ally] * rules.gives_prestige[view.box[ally]] * (view.turn < rules.turns)
        points += rules.rank[ally] * rules.gives_rp[view.box[ally]] * weights[side, Weight.ALLY_INCOME]
    return float(points)


@internal(types.float64, RULES, STATE, types.int64)
def value_of_sanctions(rules: Rules, view: State, side: int) -> float:
    """Return the gain of Ukraine by Economic Sanctions, in Prestige."""
    # While the last window is open the step is the one after it. Until then markers may still go up.
    if view.step != Step.FINAL_CHECK and side == UA:
        return 0.0
    points = 0.0
    for country in range(N_COUNTRIES):
        points += rules.rank[country] * (view.box[country] >= Box.SUPPORT)
    return points


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64)
def value_of_f_eu(rules: Rules, view: State, weights: Table, side: int) -> float:
    """Return the gain of a side by F*** EU, in Prestige."""
    points = float(rules.rank[Country.US] * view.box[Country.US]) * (1.0 if side == UA else -1.0)
    for country in range(N_COUNTRIES):
        if rules.eu[country] and view.box[country] >= Box.SUPPORT:
            # Half of it: Ukraine moves the marker back sooner than one that Russia pushed down at a price.
            points += gain_of_marker(rules, view, weights, side, country, int(view.box[country]) - 1) / 2
    return points


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64)
def value_of_thumbs(rules: Rules, view: State, weights: Table, side: int) -> float:
    """Return the gain of Screwed Thumbs on the best country, in Prestige."""
    best = 0.0
    for country in range(N_COUNTRIES):
        if rules.eu[country] and view.box[country] >= Box.SUPPORT:
            best = max(best, value_of_thumb(rules, view, weights, side, country))
    return best


@internal(types.float64, RULES, SURVEY, types.int64)
def value_of_all_guns(rules: Rules, board: Survey, side: int) -> float:
    """Return the gain of Runaway Guns in the best zone, in Prestige."""
    best = 0.0
    for zone in range(rules.n_zones):
        best = max(best, value_of_guns(board, side, zone))
    return best


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_of_event(rules: Rules, view: State, weights: Table, board: Survey, side: int, event: int) -> float:
    """Return the worth of playing a held Event Card now, in Victory Points."""
    worth = worth_of_prestige(rules, view, weights, side)
    sign = 1.0 if side == UA else -1.0
    value = 0.0
    if event == Event.PAID_DEMONSTRATORS:
        value = 2.0 * worth
    elif event == Event.ISIS_CRISIS:
        value = -sign * worth * value_of_isis_crisis(rules, view, weights, side)
    elif event == Event.ECONOMIC_SANCTIONS:
        value = sign * worth * value_of_sanctions(rules, view, side)
    elif event == Event.F_EU:
        value = worth * value_of_f_eu(rules, view, weights, side)
    elif event == Event.SCREWED_THUMBS:
        value = worth * value_of_thumbs(rules, view, weights, side)
    elif event == Event.RUNAWAY_GUNS:
        value = worth * value_of_all_guns(rules, board, side)
    elif event == Event.UNIT_NOT_READY:
        value = 0.1 * board[SurveyRow.MOBILISED, 1 - side]
    elif event == Event.RALLY_FOR_THE_MOTHERLAND:
        value = 0.5 * (view.areas_done == 0 or view.turn_type == TurnType.COMBAT)
    elif event in (Event.SPONTANEOUS_MOBILIZATION_SPADES, Event.SPONTANEOUS_MOBILIZATION_CLUBS):
        value = 0.5
    return value


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_of_critical(rules: Rules, view: State, weights: Table, board: Survey, side: int, zone: int) -> float:
    """Return the worth of Secession or Union in a zone, from Russia's point of view."""
    share = war_share(rules, view, weights, side)
    now = zone_with(rules, view, weights, board, RU, zone, 0, 0)
    if view.stack[view.depth - 1].doubles == Critical.UNION:
        return float((rules.vp[zone] - share * now) * (1.0 if side == RU else -1.0))
    militia = board[SurveyRow.FULL + UA, zone] - board[SurveyRow.FULL_REGULARS + UA, zone]
    own, cv = board[SurveyRow.FULL + RU, zone], board[SurveyRow.FULL_CV + RU, zone]
    his = board[SurveyRow.FULL_REGULARS + UA, zone]
    after = rules.vp[zone] * standing_in(
        weights, board, RU, own, cv, his, board[SurveyRow.FULL_CV + UA, zone] - militia
    )
    return float(share * (after - now) * (1.0 if side == RU else -1.0))


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_in_event(rules: Rules, view: State, weights: Table, board: Survey, side: int, action: int) -> float:
    """Return the worth of a choice within an Event Card or a critical event."""
    node = view.node
    if node == Node.EVENT_COUNTRY:
        return value_of_thumb(rules, view, weights, side, (action - Action.COUNTRY) // 3)
    event = view.stack[view.depth - 1].event
    if node == Node.EVENT_ZONE:
        zone = action - Action.ZONE
        if event == Event.RUNAWAY_GUNS:
            return value_of_guns(board, side, zone)
        value = zone_with(rules, view, weights, board, side, zone, 1, 1)
        return value - zone_with(rules, view, weights, board, side, zone, 0, 0)
    if action == Action.DONE:
        return 0.0
    return 1.0 + float(rules.types[type_in(action - Action.UNIT)].cv[0])
