"""How good each answer looks in Ukrainian Crisis, by formulas alone: nothing is tried out.

`weigh` judges every legal action from a view. What it counts with are the weights of the side (`weights`), a survey of
the map made once for each decision, and exact chances of dice. Values are Victory Points, or at cards and orders a
scale of their own. `rules` explains these judgements, and the fast policy is the best of them.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.players.diplomacy import chance_of
from brinkmanship.games.ukrainian_crisis.players.weights import N_PHASES, WEIGHTS, Table, Weight
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, Direction, place_in, placed_rank, type_in
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.flow import legal
from brinkmanship.games.ukrainian_crisis.rules.names import (
    N_AREAS,
    N_BOXES,
    N_COUNTRIES,
    RU,
    UA,
    Area,
    Box,
    CombatType,
    Country,
    Critical,
    Event,
    Inform,
    Kind,
)
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, STATE, Mark, Node, Place, State, Step, TurnType
from brinkmanship.games.ukrainian_crisis.rules.steps.allies import ally_prestige
from brinkmanship.games.ukrainian_crisis.rules.steps.diplomatic import price
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal
from brinkmanship.games.ukrainian_crisis.rules.units import GROUPED
from brinkmanship.games.ukrainian_crisis.rules.zones import zones_to_deploy, zones_to_move

NEVER = -1000.0
IDLE = 0.001
"""Doing nothing goes before what changes nothing."""
MAX_DICE = 40
"""Of a combat, as far as its chances are told apart."""
MAX_UNITS = 16
USUAL_POINTS = (2.5, 3.5, 7.0)
"""What cards of the three classes bring on average (4.1)."""
SURE = 8.0
"""Points that the last Strategic Turn hardly turns over."""
ALL = 100.0
"""What decides the game."""
CHANCES = 1 << 16
"""Steps of a random number."""


class Row(IntEnum):
    """Rows of a survey of the map, by zone: units that can fight. Where there is one for each side, it is Ukraine's."""

    FULL_CV = 0  # Combat Value of the units that are not neutralised
    FULL = 2
    CV = 4
    UNITS = 6
    FULL_REGULARS = 8
    REGULARS = 10
    SPECIAL = 12  # Russian Special Forces
    MOBILISED = 13  # what waits in the Mobilisation boxes, then the Regulars on the map, in columns by side


N_ROWS = len(Row) + 6
SURVEY = types.Array(types.int64, 2, "C")
VALUES = types.Array(types.float64, 1, "C")
Survey = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]


def _hit_chances() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """By combat dice and a number: the chance of at least so many hits, and the hits that are more on average."""
    exactly = np.zeros((MAX_DICE + 1, MAX_DICE + 2))
    exactly[0, 0] = 1.0
    for dice in range(1, MAX_DICE + 1):
        exactly[dice] = exactly[dice - 1] * (2 / 3)
        exactly[dice, 1:] += exactly[dice - 1, :-1] / 3
    hits = np.arange(MAX_DICE + 2)
    at_least = np.stack([exactly[:, n:].sum(axis=1) for n in range(MAX_DICE + 1)], axis=1)
    surplus = np.stack([exactly @ np.maximum(hits - n, 0) for n in range(MAX_DICE + 1)], axis=1)
    return at_least, surplus


AT_LEAST, SURPLUS = _hit_chances()


# The map.


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
                board[Row.MOBILISED, side] += zone == Place.MOBILISATION
            elif kind == Kind.SPECIAL:
                board[Row.SPECIAL, zone] += entry & Mark.NEUTRALISED == 0
            else:
                board[Row.UNITS + side, zone] += 1
                board[Row.CV + side, zone] += cv
                board[Row.REGULARS + side, zone] += kind == Kind.REGULAR
                if entry & Mark.NEUTRALISED == 0:
                    board[Row.FULL + side, zone] += 1
                    board[Row.FULL_CV + side, zone] += cv
                    board[Row.FULL_REGULARS + side, zone] += kind == Kind.REGULAR
                    board[Row.MOBILISED, 2 + side] += kind == Kind.REGULAR


@internal(types.float64, WEIGHTS, SURVEY, types.int64, types.int64, types.int64, types.int64, types.int64)
def standing_in(weights: Table, board: Survey, side: int, own: int, own_cv: int, enemy: int, enemy_cv: int) -> float:
    """What so many units that are not neutralised are worth to a side, as a share of the points of their zone."""
    if own > 0 and enemy == 0:
        regulars = board[Row.MOBILISED, 2 + 1 - side]
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
    """What a zone would be worth to a side with so many units and so much Combat Value of its own more."""
    if (rules.home[UA] & ~view.union) >> zone & 1 == 0:
        return 0.0
    enemy = 1 - side
    return rules.vp[zone] * standing_in(
        weights,
        board,
        side,
        board[Row.FULL + side, zone] + units,
        board[Row.FULL_CV + side, zone] + cv,
        board[Row.FULL + enemy, zone],
        board[Row.FULL_CV + enemy, zone],
    )


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def zone_without(rules: Rules, view: State, weights: Table, board: Survey, side: int, stack: int) -> float:
    """What the zone of an enemy stack would be worth to a side with one unit of it neutralised, more than now."""
    zone = place_in(stack)
    if (rules.home[UA] & ~view.union) >> zone & 1 == 0:
        return 0.0
    enemy = 1 - side
    own, own_cv = board[Row.FULL + side, zone], board[Row.FULL_CV + side, zone]
    his, his_cv = board[Row.FULL + enemy, zone], board[Row.FULL_CV + enemy, zone]
    cv = int(rules.types[type_in(stack)].cv[0])
    now = standing_in(weights, board, side, own, own_cv, his, his_cv)
    return rules.vp[zone] * (standing_in(weights, board, side, own, own_cv, his - 1, his_cv - cv) - now)


@internal(types.float64, RULES, STATE, types.int64)
def union_lead(rules: Rules, view: State, side: int) -> float:
    """The Victory Points of the zones that joined Russia."""
    points = 0.0
    if view.union:
        for zone in range(rules.n_zones):
            points += rules.vp[zone] * (int(view.union) >> zone & 1)
    return points if side == RU else -points


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64)
def map_lead(rules: Rules, view: State, weights: Table, board: Survey, side: int) -> float:
    """What the map promises a side in a game with a Combat Turn."""
    lead = 0.0
    for zone in range(rules.n_zones):
        lead += zone_with(rules, view, weights, board, side, zone, 0, 0)
    return lead + union_lead(rules, view, side)


# Prestige and war.


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64)
def war_share(rules: Rules, view: State, weights: Table, side: int) -> float:
    """How likely the game is scored as one with a Combat Turn."""
    if view.combat_turns > 0 or view.turn_type == TurnType.COMBAT:
        return 1.0
    if view.turn == rules.turns and view.step > Step.CEASEFIRE_OPTION:
        return 0.0
    share = weights[side, Weight.WAR] + weights[side, Weight.WAR_LATE] * view.turn / rules.turns
    return float(min(max(share, 0.0), 1.0))


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64)
def worth_of_prestige(rules: Rules, view: State, weights: Table, side: int) -> float:
    """What a point of Prestige is worth at the end: half of one if there is war."""
    return 1.0 - 0.5 * war_share(rules, view, weights, side)


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64)
def prestige_lead(rules: Rules, view: State, weights: Table, side: int) -> float:
    """A side's lead in Prestige, with what the allies would still bring."""
    lead = float(view.prestige[UA]) - float(view.prestige[RU])
    lead += weights[side, Weight.INCOME] * ally_prestige(rules, view) * (rules.turns - view.turn)
    return lead if side == UA else -lead


@internal(types.float64, RULES, SURVEY, types.int64)
def force(rules: Rules, board: Survey, side: int) -> float:
    """The Combat Value of the Regulars on the map that are not neutralised: each has that of its side's first type."""
    cv = 0
    for unit_type in range(rules.n_types):
        if rules.types[unit_type].side == side and rules.types[unit_type].kind == Kind.REGULAR:
            cv = max(cv, int(rules.types[unit_type].cv[0]))
    return float(cv * board[Row.MOBILISED, 2 + side])


@internal(types.float64, RULES, types.int64)
def points_of(rules: Rules, rank: int) -> float:
    """The Resource Points of a card on average; its rank counts from 1."""
    return float(rank) if rules.options.ordinary_cards else USUAL_POINTS[rank - 1]


@compiled(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64)
def war_gain(rules: Rules, view: State, weights: Table, board: Survey, side: int) -> float:
    """How much better a Combat Turn is for a side than a Strategic one, in Victory Points."""
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
            return ALL  # only a war can still win this
        if in_peace > SURE and map_lead(rules, view, weights, board, side) + 0.5 * prestige < SURE:
            return -ALL
    gain = map_lead(rules, view, weights, board, side) - 0.5 * prestige - union_lead(rules, view, side)
    patience = weights[side, Weight.PATIENCE] * (rules.turns - view.turn)
    return float(gain + fighting - weights[side, Weight.WAR_PAYS] - patience)


@internal(types.float64, RANDOM)
def chance(random: Random) -> float:
    """A random number from 0 to 1."""
    return below(random, CHANCES) / CHANCES


# Resource Cards.


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64, types.boolean)
def value_of_placement(rules: Rules, view: State, weights: Table, side: int, action: int, to_fight: bool) -> float:
    """What three cards promise in their areas, compared with three Small ones, whether or not there is to be war."""
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


# Diplomacy.


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64, types.int64)
def gain_of_marker(rules: Rules, view: State, weights: Table, side: int, country: int, target: int) -> float:
    """What moving a marker into a box brings a side, in Prestige."""
    now = view.box[country]
    prestige = rules.gives_prestige[target] - rules.gives_prestige[now]
    points = rules.gives_rp[target] - rules.gives_rp[now]
    left = rules.turns - view.turn
    # This Turn's income is sure to come; the later ones only as long as nobody moves the marker back.
    left = min(left, 1) + weights[side, Weight.LASTS] * max(left - 1, 0)
    gain = rules.rank[country] * (prestige + weights[side, Weight.ALLY_INCOME] * points) * left
    return float(gain if side == UA else -gain)


@compiled(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64, types.int64, types.int64, types.int64)
def value_of_attempt(
    rules: Rules, view: State, weights: Table, side: int, country: int, target: int, rp: int, all_rp: int
) -> float:
    """What the best attempt promises, in Prestige: with `rp` points, or up to `all_rp` where `rp` is -1."""
    gain = gain_of_marker(rules, view, weights, side, country, target)
    if gain <= 0:
        return NEVER
    cost = price(rules, view, country, target)
    rank = int(rules.rank[country])
    most = max(6 * rank, 2 * (rank + target))
    first, last = (target, all_rp) if rp < 0 else (rp, rp)
    to_spend = max(view.prestige[side] - int(weights[side, Weight.KEPT]), 0)
    best = NEVER
    for points in range(first, last + 1):
        if points < last and points + to_spend < cost:
            continue
        for prestige in range(max(cost - points, 0), to_spend + 1):
            if points + prestige > max(most, points):
                break
            value = chance_of(rules, rank, target, points + prestige) * gain - prestige
            best = max(best, value - weights[side, Weight.SPENT] * points)
            if prestige > 0 and points < last:
                break  # points come before Prestige
        if points >= most:
            break
    return best


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64)
def best_attempt(rules: Rules, view: State, weights: Table, side: int, all_rp: int) -> float:
    """What the best attempt at any country promises, in Prestige; 0 for none."""
    best = 0.0
    for country in range(N_COUNTRIES):
        target = view.box[country] + (1 if side == UA else -1)
        if view.box[country] > 0 and 1 <= target <= min(N_BOXES, all_rp):
            best = max(best, value_of_attempt(rules, view, weights, side, country, target, -1, all_rp))
    return best


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64)
def value_of_payment(rules: Rules, view: State, weights: Table, side: int, action: int) -> float:
    """What the attempt in progress promises with the payment that an action is, in Prestige."""
    frame = view.stack[view.depth - 1]
    if action < Action.PAY_PRESTIGE:
        points = action - Action.PAY_RP
        value = value_of_attempt(rules, view, weights, side, frame.country, frame.box, points, points)
        return value if value > NEVER else NEVER - points
    prestige = action - Action.PAY_PRESTIGE
    gain = max(gain_of_marker(rules, view, weights, side, frame.country, frame.box), 0.0)
    short = max(weights[side, Weight.KEPT] - (view.prestige[side] - prestige), 0.0)
    chance = chance_of(rules, int(rules.rank[frame.country]), frame.box, frame.rp + prestige)
    return float(chance * gain - prestige - short)


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64)
def value_of_diplomacy(rules: Rules, view: State, weights: Table, side: int, action: int) -> float:
    """What an attempt promises, or the allies' points for one, in Prestige."""
    if action == Action.DONE:
        return IDLE
    if action >= Action.COUNTRY:
        country = (action - Action.COUNTRY) // 3
        target = view.box[country] + (1 if (action - Action.COUNTRY) % 3 == Direction.UP else -1)
        return value_of_attempt(rules, view, weights, side, country, target, -1, int(view.rp[side]))
    points = action - Action.ALLIES
    more = best_attempt(rules, view, weights, side, int(view.rp[side]) + points)
    more -= best_attempt(rules, view, weights, side, int(view.rp[side]))
    return float(more - weights[side, Weight.ALLY_POINT] * points)


# Building up.


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64, types.int64)
def value_of_place(
    rules: Rules, view: State, weights: Table, board: Survey, side: int, unit_type: int, zone: int
) -> float:
    """What a unit of this type brings in a zone, with the Prestige it costs there."""
    share = war_share(rules, view, weights, side)
    kind = rules.types[unit_type].kind
    if kind == Kind.SPECIAL:
        if board[Row.SPECIAL, zone] > 0 or rules.ethnic[RU] >> zone & 1 == 0:
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
    """What a unit of this type brings in the best of some zones, 0 for none."""
    best = 0.0
    for zone in range(rules.n_zones):
        if zones >> zone & 1:
            best = max(best, value_of_place(rules, view, weights, board, side, unit_type, zone))
    return best


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_of_building(rules: Rules, view: State, weights: Table, board: Survey, side: int, action: int) -> float:
    """What mobilising or deploying a unit brings for each point, or what the allies' points do."""
    if action == Action.DONE:
        return 0.0
    if action < Action.UNIT:
        # Later points would go into Information, which is still to come in a Strategic Turn as long as its card lies.
        points = action - Action.ALLIES
        return float(points * (0.5 - weights[side, Weight.ALLY_POINT]))
    unit_type = type_in(action - Action.UNIT)
    place = place_in(action - Action.UNIT)
    if place < MAX_ZONES:
        return -1.0
    value = best_place(rules, view, weights, board, side, unit_type, zones_to_deploy(rules, view, unit_type))
    if place == Place.RESERVE:
        if view.rp[side] < 2:
            fights = rules.types[unit_type].kind != Kind.SPECIAL
            return float(fights * war_share(rules, view, weights, side) * weights[side, Weight.MOBILISED] * 0.1)
        value *= 0.5
    return float(value - weights[side, Weight.THRIFT])


# Fighting.


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64, types.int64, types.int64, types.int64)
def assault(
    rules: Rules,
    view: State,
    weights: Table,
    board: Survey,
    side: int,
    zone: int,
    units: int,
    cv: int,
    regulars: int,
) -> float:
    """What attacking with all there, and with so many units more, changes in a zone, in Victory Points."""
    enemy = 1 - side
    own = board[Row.FULL + side, zone] + units
    if own == 0 or board[Row.UNITS + enemy, zone] == 0:
        return NEVER
    own_dice = min(board[Row.FULL_CV + side, zone] + cv, MAX_DICE)
    his = board[Row.FULL + enemy, zone]
    all_his = board[Row.UNITS + enemy, zone]
    his_dice = min(board[Row.CV + enemy, zone], MAX_DICE)
    we_are_regular = 2 * (board[Row.FULL_REGULARS + side, zone] + regulars) >= own
    they_are_regular = 2 * board[Row.REGULARS + enemy, zone] >= all_his
    cleared, wiped, prestige = 0.0, 0.0, 0.0
    if we_are_regular:
        cleared = AT_LEAST[own_dice, min(his, MAX_DICE)]
        room = his + (all_his if they_are_regular else 0)
        prestige -= SURPLUS[own_dice, min(room, MAX_DICE)]
    elif they_are_regular:
        prestige += own_dice / 3.0
    else:
        cleared = AT_LEAST[own_dice, min(his, MAX_DICE)]
        prestige -= SURPLUS[own_dice, min(his + all_his, MAX_DICE)]
    if they_are_regular or not we_are_regular:
        wiped = weights[side, Weight.RISK] * AT_LEAST[his_dice, min(own, MAX_DICE)]
        room = own + (own if we_are_regular == they_are_regular else 0)
        prestige += SURPLUS[his_dice, min(room, MAX_DICE)]
    else:
        prestige -= his_dice / 3.0
    if (rules.home[UA] & ~view.union) >> zone & 1 == 0:
        return 0.5 * prestige
    if his == 0:
        # Nobody there resists; what is gained is that they have to come back from Reserve.
        kinetic = we_are_regular == they_are_regular
        return float(0.5 * prestige + weights[side, Weight.ELIMINATE] * all_his * kinetic - wiped)
    held = standing_in(weights, board, side, own, own_dice, 0, 0)
    now = standing_in(weights, board, side, own, own_dice, his, his_dice)
    after = held * (cleared * (1.0 - wiped) - (1.0 - cleared) * wiped) + (1.0 - cleared) * (1.0 - wiped) * now
    return float(rules.vp[zone] * (after - now) + 0.5 * prestige)


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64, types.int64, types.int64, types.int64)
def zone_after(
    rules: Rules,
    view: State,
    weights: Table,
    board: Survey,
    side: int,
    zone: int,
    units: int,
    cv: int,
    regulars: int,
) -> float:
    """What a zone is worth to a side that may still attack there, with so many units more."""
    value = zone_with(rules, view, weights, board, side, zone, units, cv)
    if board[Row.UNITS + 1 - side, zone] == 0 or int(view.zones_attacked) >> zone & 1:
        return value
    return value + max(assault(rules, view, weights, board, side, zone, units, cv, regulars), 0.0)


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64, types.int64)
def value_of_move(
    rules: Rules, view: State, weights: Table, board: Survey, side: int, stack: int, target: int
) -> float:
    """What moving a unit of a stack into a zone changes there and where it leaves."""
    unit_type = type_in(stack)
    origin = place_in(stack)
    kind = rules.types[unit_type].kind
    if kind == Kind.SPECIAL:
        return value_of_place(rules, view, weights, board, side, unit_type, target) - 0.1
    cv = int(rules.types[unit_type].cv[0])
    full = 1 - stack % 2
    regular = int(kind == Kind.REGULAR) * full
    value = zone_after(rules, view, weights, board, side, target, full, full * cv, regular)
    value -= zone_after(rules, view, weights, board, side, target, 0, 0, 0)
    value += zone_after(rules, view, weights, board, side, origin, -full, -full * cv, -regular)
    return value - zone_after(rules, view, weights, board, side, origin, 0, 0, 0)


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_of_operation(rules: Rules, view: State, weights: Table, board: Survey, side: int, action: int) -> float:
    """What moving a unit to the best zone, or turning it up, brings."""
    if action == Action.DONE:
        return 0.0
    if action >= Action.RECOVER:
        stack = 2 * (action - Action.RECOVER) + 1
        zone = place_in(stack)
        cv = int(rules.types[type_in(stack)].cv[0])
        regular = int(rules.types[type_in(stack)].kind == Kind.REGULAR)
        value = zone_after(rules, view, weights, board, side, zone, 1, cv, regular)
        return value - zone_after(rules, view, weights, board, side, zone, 0, 0, 0) + 0.02 * cv - IDLE
    stack = action - Action.UNIT
    zones = zones_to_move(rules, view, type_in(stack), place_in(stack))
    best = NEVER
    for zone in range(rules.n_zones):
        if zones >> zone & 1:
            best = max(best, value_of_move(rules, view, weights, board, side, stack, zone))
    return float(best - weights[side, Weight.THRIFT])


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_of_fight(rules: Rules, view: State, weights: Table, board: Survey, side: int, action: int) -> float:
    """What a type of combat promises: symbolic combat Prestige alone, the others what the attack was for."""
    combat = (action - Action.FIGHT) % 3
    if combat != CombatType.SYMBOLIC:
        return assault(rules, view, weights, board, side, int(view.stack[view.depth - 1].zone), 0, 0, 0)
    group = (action - Action.FIGHT) // 3 + 1
    own, his, own_dice, his_dice = 0, 0, 0, 0
    for unit in range(rules.n_units):
        if view.unit[unit] & GROUPED == group * 8:
            cv = int(rules.types[rules.type_of[unit]].cv[0])
            if rules.types[rules.type_of[unit]].side == side:
                own += 1
                own_dice += cv
            else:
                his += 1
                his_dice += cv
    return 0.5 * (min(own_dice / 3.0, float(his)) - min(his_dice / 3.0, float(own)))


@internal(types.float64, RULES, types.int64)
def value_of_hit(rules: Rules, action: int) -> float:
    """Which enemy unit a hit should fall on: full ones first, the strongest first."""
    stack = action - Action.UNIT
    return float(rules.types[type_in(stack)].cv[0]) * (0.4 if stack % 2 else 1.0)


# Information.


@internal(types.float64, RULES, STATE, types.int64, types.int64)
def expected_result(rules: Rules, view: State, side: int, which: int) -> float:
    """Of one roll on the row of the own Information card the mean (0), of two the lower (1) or the higher (2)."""
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
    """What an action of the Information area promises."""
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
    """What aiming at a unit of a stack promises; units already aimed at do not count twice."""
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


# Events.


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64)
def value_of_thumb(rules: Rules, view: State, weights: Table, side: int, country: int) -> float:
    """What Screwed Thumbs bring on a country, in Prestige."""
    gain = gain_of_marker(rules, view, weights, side, country, Box.NEUTRALITY)
    return gain + (rules.rank[country] if side == UA else -rules.rank[country])


@internal(types.float64, SURVEY, types.int64, types.int64)
def value_of_guns(board: Survey, side: int, zone: int) -> float:
    """What Runaway Guns bring in a zone, in Prestige: Irregulars of the other side above own ones."""
    own = board[Row.UNITS + side, zone] - board[Row.REGULARS + side, zone]
    his = board[Row.UNITS + 1 - side, zone] - board[Row.REGULARS + 1 - side, zone]
    return float(his - own) if own > 0 and his > 0 else 0.0


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_of_event(rules: Rules, view: State, weights: Table, board: Survey, side: int, event: int) -> float:
    """What playing a held Event Card now promises, in Victory Points."""
    worth = worth_of_prestige(rules, view, weights, side)
    sign = 1.0 if side == UA else -1.0
    if event == Event.PAID_DEMONSTRATORS:
        return 2.0 * worth
    if event == Event.ISIS_CRISIS:
        points = 0.0
        for ally in (Country.US, Country.GB, Country.FR):
            points += rules.rank[ally] * rules.gives_prestige[view.box[ally]] * (view.turn < rules.turns)
            points += rules.rank[ally] * rules.gives_rp[view.box[ally]] * weights[side, Weight.ALLY_INCOME]
        return float(-sign * worth * points)
    if event == Event.ECONOMIC_SANCTIONS:
        points = 0.0
        for country in range(N_COUNTRIES):
            points += rules.rank[country] * (view.box[country] >= Box.SUPPORT)
        # While the last window is open the step is the one after it. Until then markers may still go up.
        return sign * worth * points if view.step == Step.FINAL_CHECK or side == RU else 0.0
    if event == Event.F_EU:
        points = sign * rules.rank[Country.US] * view.box[Country.US]
        for country in range(N_COUNTRIES):
            if rules.eu[country] and view.box[country] >= Box.SUPPORT:
                # Half of it: Ukraine brings the marker back sooner than one that Russia pushed down at a price.
                points += gain_of_marker(rules, view, weights, side, country, int(view.box[country]) - 1) / 2
        return float(worth * points)
    best = 0.0
    if event == Event.SCREWED_THUMBS:
        for country in range(N_COUNTRIES):
            if rules.eu[country] and view.box[country] >= Box.SUPPORT:
                best = max(best, value_of_thumb(rules, view, weights, side, country))
        return worth * best
    if event == Event.RUNAWAY_GUNS:
        for zone in range(rules.n_zones):
            best = max(best, value_of_guns(board, side, zone))
        return worth * best
    if event == Event.UNIT_NOT_READY:
        return 0.1 * board[Row.MOBILISED, 1 - side]
    if event == Event.RALLY_FOR_THE_MOTHERLAND:
        return 0.5 * (view.areas_done == 0 or view.turn_type == TurnType.COMBAT)
    if event in (Event.SPONTANEOUS_MOBILIZATION_SPADES, Event.SPONTANEOUS_MOBILIZATION_CLUBS):
        return 0.5
    return 0.0


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_of_critical(rules: Rules, view: State, weights: Table, board: Survey, side: int, zone: int) -> float:
    """What Secession or Union does in a zone, as Russia sees it."""
    share = war_share(rules, view, weights, side)
    now = zone_with(rules, view, weights, board, RU, zone, 0, 0)
    if view.stack[view.depth - 1].doubles == Critical.UNION:
        return float((rules.vp[zone] - share * now) * (1.0 if side == RU else -1.0))
    militia = board[Row.FULL + UA, zone] - board[Row.FULL_REGULARS + UA, zone]
    own, cv = board[Row.FULL + RU, zone], board[Row.FULL_CV + RU, zone]
    his = board[Row.FULL_REGULARS + UA, zone]
    after = rules.vp[zone] * standing_in(weights, board, RU, own, cv, his, board[Row.FULL_CV + UA, zone] - militia)
    return float(share * (after - now) * (1.0 if side == RU else -1.0))


# All of it.


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_in_event(rules: Rules, view: State, weights: Table, board: Survey, side: int, action: int) -> float:
    """What an answer to an Event Card or a critical event promises."""
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


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_of(rules: Rules, view: State, weights: Table, board: Survey, side: int, action: int) -> float:
    """What an action promises, chance left aside."""
    node = view.node
    if node == Node.MILITARY:
        return value_of_building(rules, view, weights, board, side, action)
    if node == Node.DEPLOY_TO:
        unit_type = type_in(view.stack[view.depth - 1].picked)
        return value_of_place(rules, view, weights, board, side, unit_type, action - Action.ZONE)
    if node == Node.DIPLOMATIC:
        return value_of_diplomacy(rules, view, weights, side, action)
    if node in (Node.PAY_RP, Node.PAY_PRESTIGE):
        return value_of_payment(rules, view, weights, side, action)
    if node == Node.INFORMATION:
        return value_of_information(rules, view, weights, board, side, action)
    if node == Node.ADD_ALLIES:
        return 0.0 if action == Action.DONE else float(action - Action.ALLIES)
    if node == Node.TARGETS:
        return value_of_target(rules, view, weights, board, side, action)
    if node == Node.OPERATE:
        return value_of_operation(rules, view, weights, board, side, action)
    if node == Node.MOVE_TO:
        stack = int(view.stack[view.depth - 1].picked)
        return value_of_move(rules, view, weights, board, side, stack, action - Action.ZONE)
    if node == Node.ATTACK:
        if action == Action.DONE:
            return float(weights[side, Weight.ATTACK])
        return assault(rules, view, weights, board, side, action - Action.ZONE, 0, 0, 0)
    if node in (Node.ATTACKERS, Node.DEFENDERS):
        return 0.0 if action == Action.DONE else 1.0
    if node == Node.FIGHT:
        return value_of_fight(rules, view, weights, board, side, action)
    if node == Node.HIT:
        return value_of_hit(rules, action)
    if node == Node.ORDER:
        return float(weights[side, Weight.ORDER_MILITARY + action - Action.AREA])
    if node == Node.WHO_FIRST:
        first = weights[side, Weight.FIRST_MILITARY + view.area]
        return float(first if action == Action.FIRST + side else 0.0)
    if node == Node.WINDOW:
        if action == Action.DONE:
            return 0.05
        return value_of_event(rules, view, weights, board, side, action - Action.PLAY_EVENT)
    if node == Node.CRITICAL_ZONE:
        return value_of_critical(rules, view, weights, board, side, action - Action.ZONE)
    return value_in_event(rules, view, weights, board, side, action)


@compiled(types.int64, RULES, STATE, types.int64, WEIGHTS, RANDOM, SURVEY, LEGAL, VALUES)
def weigh(
    rules: Rules,
    view: State,
    side: int,
    weights: Table,
    random: Random,
    board: Survey,
    actions: Legal,
    values: Values,
) -> int:
    """Write every legal action and what it promises; returns how many. Chance enters secret choices alone."""
    count = legal(rules, view, side, actions)
    if count > 1:
        survey(rules, view, board)
    node = view.node
    if node in (Node.DECLARE, Node.CEASEFIRE):
        gain = war_gain(rules, view, weights, board, side)
        if node == Node.DECLARE:
            gain += weights[side, Weight.MIXED] * (chance(random) - 0.5)
        else:
            gain -= weights[side, Weight.CEASEFIRE]
        for number in range(count):
            action = int(actions[number])
            war = action == Action.DONE or (action < Action.DONE and (action - Action.DECLARE) % 2 == TurnType.COMBAT)
            values[number] = gain if war else 0.0
        return count
    if node == Node.PLACE:
        to_fight = view.turn > 1 and war_gain(rules, view, weights, board, side) > 0
        for number in range(count):
            values[number] = value_of_placement(rules, view, weights, side, int(actions[number]), to_fight)
            values[number] += weights[side, Weight.PLACE_MIXED] * chance(random)
        return count
    for number in range(count):
        values[number] = value_of(rules, view, weights, board, side, int(actions[number])) if count > 1 else 0.0
    return count
