"""The greedy player of Ukrainian Crisis: it looks ahead to the end of the current step, and no further.

It tries out actions on the map, in combat, named targets and events: it simulates its own best next choices until the
step is done, with the most usual dice, and takes the best outlook (`outlook`). It computes attempts to move a
country's marker exactly (`diplomacy`). Resource Cards go where their points are worth most, the strong ones early,
since what they build lasts. It declares war if the game would be scored better with a Combat Turn or, once there was
one, if it is the stronger on the map; otherwise it asks for a Ceasefire.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numba
import numpy as np
from numba import types

from brinkmanship.engine.chance import RANDOM, Random
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import INTERPRETED, compiled, compiled_loop, internal
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.record import State, blank_records
from brinkmanship.games.ukrainian_crisis.players.diplomacy import best_payment, value_of_payment
from brinkmanship.games.ukrainian_crisis.players.outlook import force, lead_in, promise, worth_of_prestige
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import (
    MAX_LEGAL,
    Action,
    pair_action,
    place_in,
    placed_rank,
    type_in,
)
from brinkmanship.games.ukrainian_crisis.rules.flow import apply, legal, outcomes
from brinkmanship.games.ukrainian_crisis.rules.knowledge import copy_state
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, N_COUNTRIES, N_RANKS, UA, Area
from brinkmanship.games.ukrainian_crisis.rules.state import DTYPE, PLACE, STATE, STATES, Mark, Node, Task
from brinkmanship.games.ukrainian_crisis.rules.steps.rolls import rolls_two_dice
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import WEIGHTS
from brinkmanship.games.ukrainian_crisis.rules.units import GROUPED
from brinkmanship.players.player import Choice
from brinkmanship.players.policy_player import PolicyPlayer, best_of_arrays

LEGALS = types.Array(types.int16, 2, "C")
ACTIONS = types.Array(types.int16, 1, "C")
VALUES = types.Array(types.float64, 1, "C")

LEVELS = 2
"""Number of states kept while a step is simulated: the current one, and the trial of its next choice."""

# In Victory Points.
WAR_PAYS = 2.0  # advantage in the score with a Combat Turn that a declaration needs
STRONGER = 1.0  # multiple of the other side's force
IDLE = 0.01  # doing nothing is preferred to an action that changes nothing
ALLY_POINT = 0.4  # a Resource Point of the allies, wherever it is used

# Worth of a Resource Point in an area, and the distribution of cards over the Turns.
MILITARY_POINT = 0.9
DIPLOMATIC_POINT = 0.13  # for each Turn that is left
DIPLOMATIC_LEAST = 0.1
INFORMATION_POINT = 1.0
EARLY = 0.6
UNEVEN = 0.12


# Resource Cards and declarations.


@internal(types.float64, RULES, types.int64)
def points_of(rules: Rules, rank: int) -> float:
    """Return the average Resource Points of a card; its rank counts from 1."""
    if rules.options.ordinary_cards:
        return float(rank)
    return 2.5 if rank == 1 else 3.5 if rank == 2 else 7.0


@internal(types.float64, RULES, STATE, types.int64)
def points_a_turn(rules: Rules, view: State, side: int) -> float:
    """Return the points to be played this Turn: the average of those left, more in the first Turns."""
    total = 0.0
    cards = 0
    for rank in range(N_RANKS):
        left = view.hand[side, rank] if view.hand_size[side] > 0 else view.pack[side, rank]
        total += left * points_of(rules, rank + 1)
        cards += left
    left_share = (rules.turns - view.turn) / rules.turns
    return N_AREAS * total / max(cards, 1) * (1.0 + EARLY * left_share)


@internal(types.float64, RULES, STATE, types.int64, types.int64)
def value_of_cards(rules: Rules, view: State, side: int, action: int) -> float:
    """Return the worth of three cards in their areas."""
    military = points_of(rules, placed_rank(action, Area.MILITARY))
    diplomatic = points_of(rules, placed_rank(action, Area.DIPLOMATIC))
    information = points_of(rules, placed_rank(action, Area.INFORMATION))
    uneven = military + diplomatic + information - points_a_turn(rules, view, side)
    value = MILITARY_POINT * military + INFORMATION_POINT * worth_of_prestige(view) * information
    value += (DIPLOMATIC_LEAST + DIPLOMATIC_POINT * (rules.turns - view.turn)) * diplomatic
    return value - UNEVEN * uneven * uneven


@internal(types.boolean, RULES, STATE, types.int64)
def wants_war(rules: Rules, view: State, side: int) -> bool:
    """Return True if a Combat Turn is better for a side than a Strategic one."""
    if view.combat_turns > 0:
        return force(rules, view, side) > STRONGER * force(rules, view, 1 - side)
    gained = lead_in(rules, view, True) - lead_in(rules, view, False)
    return (gained if side == UA else -gained) > WAR_PAYS


# Simulation.


@internal(types.boolean, STATE, types.int64, types.int64, types.int64)
def goes_on(state: State, depth: int, task: int, side: int) -> bool:
    """Return True if the step that began in this task is still in progress."""
    chance = state.node in (Node.ROLL, Node.DIE, Node.HITS, Node.ANY_ZONE)
    if state.mover == CHANCE and not chance:
        return False
    if state.mover > CHANCE or state.depth < depth or depth == 0:
        return False
    frame = state.stack[depth - 1]
    if frame.task != task or frame.side != side:
        return False
    if task in (Task.WINDOW, Task.HALF, Task.MILITARY):
        return state.depth > depth or state.node in (Node.MOVE_TO, Node.DEPLOY_TO, Node.DIE)
    return True


@compiled(types.int64, RULES, STATE, ACTIONS, WEIGHTS)
def usual_outcome(rules: Rules, state: State, out: Any, weights: Any) -> int:
    """Return the middle outcome of chance; two dice show 3 and 4, so there is no critical event."""
    if state.node == Node.ROLL and rolls_two_dice(rules, state, state.drawer):
        return pair_action(3, 4)
    count = outcomes(rules, state, out, weights)
    total = 0
    for number in range(count):
        total += weights[number]
    number = 0
    so_far = weights[0]
    while 2 * so_far < total:
        number += 1
        so_far += weights[number]
    return int(out[number])


@compiled(types.void, RULES, STATE, types.int64, types.int64, types.int64, ACTIONS, WEIGHTS)
def let_dice_fall(rules: Rules, state: State, depth: int, task: int, side: int, out: Any, weights: Any) -> None:
    """Take the usual outcomes up to the next choice."""
    while state.mover == CHANCE and goes_on(state, depth, task, side):
        apply(rules, state, usual_outcome(rules, state, out, weights))


@compiled(types.void, RULES, STATES, types.int64, types.int64, types.int64, LEGALS, WEIGHTS)
def follow(rules: Rules, states: Any, depth: int, task: int, side: int, outs: Any, weights: Any) -> None:
    """Simulate `states[0]` to the end of the step; each choice is greedy for the side that makes it."""
    state = states[0]
    trial = states[1]
    let_dice_fall(rules, state, depth, task, side, outs[1], weights)
    while goes_on(state, depth, task, side):
        mover = int(state.mover)
        count = legal(rules, state, mover, outs[0])
        best = 0
        best_value = -np.inf
        for number in range(count):
            copy_state(state, trial)
            apply(rules, trial, int(outs[0, number]))
            let_dice_fall(rules, trial, depth, task, side, outs[1], weights)
            value = promise(rules, trial, mover)
            if value > best_value:
                best = number
                best_value = value
        apply(rules, state, int(outs[0, best]))
        let_dice_fall(rules, state, depth, task, side, outs[1], weights)


@internal(types.float64, RULES, STATE, types.int64)
def value_of_target(rules: Rules, view: State, action: int) -> float:
    """Return the worth of neutralising a unit of a stack: its zone's Victory Points, shared with other units there."""
    stack = action - Action.UNIT
    if stack % 2 == Mark.NEUTRALISED:
        return -1.0
    zone = place_in(stack)
    aimed = 0
    standing = 0
    for unit in range(rules.types[type_in(stack)].first, rules.types[type_in(stack)].end):
        if view.unit[unit] // PLACE == zone and view.unit[unit] & Mark.NEUTRALISED == 0:
            standing += 1
            aimed += view.unit[unit] & GROUPED != 0
    if aimed == standing:
        return 0.0
    value = rules.types[type_in(stack)].cv[0] * (0.3 + rules.vp[zone])
    return float(value) / (standing + aimed)


@internal(types.float64, RULES, STATE, types.int64, types.int64)
def value_of_diplomacy(rules: Rules, view: State, side: int, action: int) -> float:
    """Return the worth of an attempt, or of the allies' points for one."""
    if action == Action.DONE:
        return 0.0
    if action >= Action.COUNTRY:
        chosen = action - Action.COUNTRY
        return best_payment(rules, view, side, chosen // 3, chosen % 3, view.rp[side])
    without = 0.0
    with_allies = 0.0
    for country in range(N_COUNTRIES):
        for direction in range(2):
            without = max(without, best_payment(rules, view, side, country, direction, view.rp[side]))
            points = view.rp[side] + action - Action.ALLIES
            with_allies = max(with_allies, best_payment(rules, view, side, country, direction, points))
    return with_allies - without - ALLY_POINT * (action - Action.ALLIES)


@internal(types.float64, RULES, STATE, types.int64, types.int64)
def value_of_answer(rules: Rules, view: State, side: int, action: int) -> float:
    """Return the worth of an action that is not simulated."""
    node = view.node
    if node == Node.PLACE:
        return value_of_cards(rules, view, side, action)
    if node == Node.DECLARE:
        return 1.0 if (action - Action.DECLARE) % 2 == wants_war(rules, view, side) else 0.0
    if node == Node.CEASEFIRE:
        return 1.0 if (action == Action.REQUEST) != wants_war(rules, view, side) else 0.0
    if node == Node.ORDER:
        return float((Action.AREA + Area.MILITARY - action) % N_AREAS)  # information, diplomacy, and units last
    if node == Node.WHO_FIRST:
        return 1.0 if (action == Action.FIRST + side) == (view.area != Area.MILITARY) else 0.0
    if node == Node.ADD_ALLIES:
        return 0.0 if action == Action.DONE else float(action - Action.ALLIES)
    if node == Node.TARGETS:
        return -IDLE if action == Action.DONE else value_of_target(rules, view, action)
    if node == Node.DIPLOMATIC:
        return value_of_diplomacy(rules, view, side, action)
    return value_of_payment(rules, view, side, action)


@compiled(types.int64, RULES, STATE, types.int64, STATES, LEGALS, WEIGHTS, ACTIONS, VALUES)
def weigh(rules: Rules, view: State, side: int, states: Any, outs: Any, weights: Any, actions: Any, values: Any) -> int:
    """Write every legal action and its worth; return their number."""
    count = legal(rules, view, side, actions)
    tried = view.depth > 0 and view.node not in (
        Node.WHO_FIRST,
        Node.ADD_ALLIES,
        Node.TARGETS,
        Node.DIPLOMATIC,
        Node.PAY_RP,
        Node.PAY_PRESTIGE,
    )
    for number in range(count):
        action = int(actions[number])
        if not tried:
            values[number] = value_of_answer(rules, view, side, action)
            continue
        frame = view.stack[view.depth - 1]
        copy_state(view, states[0])
        apply(rules, states[0], action)
        follow(rules, states, int(view.depth), int(frame.task), int(frame.side), outs, weights)
        values[number] = promise(rules, states[0], side)
        if action == Action.DONE:
            values[number] += IDLE
        elif view.node == Node.MILITARY and action < Action.UNIT:  # the allies' points
            values[number] += ALLY_POINT
    return count


def _empty_states() -> Any:
    return np.empty(LEVELS, DTYPE)


_scratch_states: Any = (
    partial(blank_records, LEVELS, DTYPE) if INTERPRETED else numba.njit(inline="always")(_empty_states)
)


def _policy(rules: Rules, view: State, side: int, random: Random) -> int:  # noqa: ARG001 - the contract's signature
    states = _scratch_states()
    outs = np.empty((2, MAX_LEGAL), np.int16)
    weights = np.empty(MAX_LEGAL, np.int64)
    actions = np.empty(MAX_LEGAL, np.int16)
    values = np.empty(MAX_LEGAL, np.float64)
    count = weigh(rules, view, side, states, outs, weights, actions, values)
    return int(actions[np.argmax(values[:count])])


policy = compiled_loop(_policy, types.int64, RULES, STATE, types.int64, RANDOM)


class GreedyPlayer(PolicyPlayer):
    """Greedy player; its values are Victory Points or, for cards, orders and the like, on a scale of their own."""

    name = "greedy"
    compiled_policy = staticmethod(policy)

    def choose(self, seen: Observation) -> Choice:
        view, side = seen.view(), seen.side
        actions = np.empty(MAX_LEGAL, np.int16)
        values = np.empty(MAX_LEGAL, np.float64)
        outs = np.empty((2, MAX_LEGAL), np.int16)
        weights = np.empty(MAX_LEGAL, np.int64)
        states = self.game.new_states(LEVELS)
        count = weigh(self.game.rules, view, side, states, outs, weights, actions, values)
        return best_of_arrays(count, actions, values)
