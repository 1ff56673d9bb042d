"""The value of operations and combat, with exact chances of hits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.players.judgement.building import value_of_place
from brinkmanship.games.ukrainian_crisis.players.judgement.survey import (
    IDLE,
    NEVER,
    SURVEY,
    Survey,
    SurveyRow,
    standing_in,
    zone_with,
)
from brinkmanship.games.ukrainian_crisis.players.weights import WEIGHTS, Table, Weight
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, place_in, type_in
from brinkmanship.games.ukrainian_crisis.rules.names import UA, CombatType, Kind
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, State
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.units import GROUPED
from brinkmanship.games.ukrainian_crisis.rules.zones import zones_to_move

MAX_DICE = 40
"""Maximum number of dice of a combat whose chances are distinguished."""


def _hit_chances() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return, by combat dice and a number n: the chance of at least n hits, and the mean number of hits beyond n."""
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
    """Return the gain of attacking with all units there and `units` more in a zone, in Victory Points."""
    enemy = 1 - side
    own = board[SurveyRow.FULL + side, zone] + units
    if own == 0 or board[SurveyRow.UNITS + enemy, zone] == 0:
        return NEVER
    own_dice = min(board[SurveyRow.FULL_CV + side, zone] + cv, MAX_DICE)
    his = board[SurveyRow.FULL + enemy, zone]
    all_his = board[SurveyRow.UNITS + enemy, zone]
    his_dice = min(board[SurveyRow.CV + enemy, zone], MAX_DICE)
    we_are_regular = 2 * (board[SurveyRow.FULL_REGULARS + side, zone] + regulars) >= own
    they_are_regular = 2 * board[SurveyRow.REGULARS + enemy, zone] >= all_his
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
        # No unit resists there; the gain is that the units have to come back from Reserve.
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
    """Return the worth of a zone to a side that may still attack there, with `units` more units."""
    value = zone_with(rules, view, weights, board, side, zone, units, cv)
    if board[SurveyRow.UNITS + 1 - side, zone] == 0 or int(view.zones_attacked) >> zone & 1:
        return value
    return value + max(assault(rules, view, weights, board, side, zone, units, cv, regulars), 0.0)


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64, types.int64)
def value_of_move(
    rules: Rules, view: State, weights: Table, board: Survey, side: int, stack: int, target: int
) -> float:
    """Return the gain of moving a unit of a stack into a zone, there and in the zone it leaves."""
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
    """Return the gain of moving a unit to the best zone, or of recovering it."""
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
    """Return the worth of a type of combat: Prestige alone if symbolic, else the purpose of the attack."""
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
    """Return the priority of an enemy unit for a hit: full ones first, the strongest first."""
    stack = action - Action.UNIT
    return float(rules.types[type_in(stack)].cv[0]) * (0.4 if stack % 2 else 1.0)
