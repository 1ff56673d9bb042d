"""The value of diplomatic attempts and of paying for them."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.players.diplomacy import chance_of
from brinkmanship.games.ukrainian_crisis.players.judgement.survey import IDLE, NEVER
from brinkmanship.games.ukrainian_crisis.players.weights import WEIGHTS, Table, Weight
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, Direction
from brinkmanship.games.ukrainian_crisis.rules.names import N_BOXES, N_COUNTRIES, UA
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, State
from brinkmanship.games.ukrainian_crisis.rules.steps.diplomatic import price
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64, types.int64)
def gain_of_marker(rules: Rules, view: State, weights: Table, side: int, country: int, target: int) -> float:
    """Return a side's gain from moving a marker into a box, in Prestige."""
    now = view.box[country]
    prestige = rules.gives_prestige[target] - rules.gives_prestige[now]
    points = rules.gives_rp[target] - rules.gives_rp[now]
    left = rules.turns - view.turn
    # This Turn's income is certain; later income lasts only until the other side moves the marker back.
    left = min(left, 1) + weights[side, Weight.LASTS] * max(left - 1, 0)
    gain = rules.rank[country] * (prestige + weights[side, Weight.ALLY_INCOME] * points) * left
    return float(gain if side == UA else -gain)


@compiled(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64, types.int64, types.int64, types.int64)
def value_of_attempt(
    rules: Rules, view: State, weights: Table, side: int, country: int, target: int, rp: int, all_rp: int
) -> float:
    """Return the expected gain of the best attempt, in Prestige: with `rp` points, or up to `all_rp` if `rp` is -1."""
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
                break  # points are paid before Prestige
        if points >= most:
            break
    return best


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64)
def best_attempt(rules: Rules, view: State, weights: Table, side: int, all_rp: int) -> float:
    """Return the expected gain of the best attempt at any country, in Prestige; 0 for none."""
    best = 0.0
    for country in range(N_COUNTRIES):
        target = view.box[country] + (1 if side == UA else -1)
        if view.box[country] > 0 and 1 <= target <= min(N_BOXES, all_rp):
            best = max(best, value_of_attempt(rules, view, weights, side, country, target, -1, all_rp))
    return best


@internal(types.float64, RULES, STATE, WEIGHTS, types.int64, types.int64)
def value_of_payment(rules: Rules, view: State, weights: Table, side: int, action: int) -> float:
    """Return the expected gain of the attempt in progress with the payment of an action, in Prestige."""
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
    """Return the expected gain of an attempt, or of the allies' points for one, in Prestige."""
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
