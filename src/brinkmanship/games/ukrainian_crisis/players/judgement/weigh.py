"""The value of each legal action: every node of the rules is dispatched to the formula of its area."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.ukrainian_crisis.players.judgement.building import value_of_building, value_of_place
from brinkmanship.games.ukrainian_crisis.players.judgement.cards import value_of_placement
from brinkmanship.games.ukrainian_crisis.players.judgement.diplomacy import value_of_diplomacy, value_of_payment
from brinkmanship.games.ukrainian_crisis.players.judgement.events import (
    value_in_event,
    value_of_critical,
    value_of_event,
)
from brinkmanship.games.ukrainian_crisis.players.judgement.fighting import (
    assault,
    value_of_fight,
    value_of_hit,
    value_of_move,
    value_of_operation,
)
from brinkmanship.games.ukrainian_crisis.players.judgement.information import value_of_information, value_of_target
from brinkmanship.games.ukrainian_crisis.players.judgement.survey import SURVEY, VALUES, Survey, Values, survey
from brinkmanship.games.ukrainian_crisis.players.judgement.war import war_gain
from brinkmanship.games.ukrainian_crisis.players.weights import WEIGHTS, Table, Weight
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, type_in
from brinkmanship.games.ukrainian_crisis.rules.flow import legal
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, State, TurnType
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal

CHANCES = 1 << 16
"""Resolution of a random number."""


@internal(types.float64, RANDOM)
def chance(random: Random) -> float:
    """Return a random number from 0 to 1."""
    return below(random, CHANCES) / CHANCES


@internal(types.float64, RULES, STATE, WEIGHTS, SURVEY, types.int64, types.int64)
def value_of(rules: Rules, view: State, weights: Table, board: Survey, side: int, action: int) -> float:
    """Return the worth of an action, without randomness."""
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
    """Write every legal action and its worth; return their number. Only secret choices are randomised."""
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
