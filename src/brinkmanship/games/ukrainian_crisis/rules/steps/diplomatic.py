"""The Diplomatic area of a Strategic Turn: attempts to move the markers of countries (section 5.2)."""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import MAX_PAYMENT, Action, Direction
from brinkmanship.games.ukrainian_crisis.rules.names import N_BOXES, N_COUNTRIES
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, State
from brinkmanship.games.ukrainian_crisis.rules.steps.allies import add_allies, has_allies_for
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, WEIGHTS, Legal, Weights, ask, pop


class DiplomaticStage(IntEnum):
    """Stage of an attempt."""

    CHOOSES = 0
    PAYS_RP = 1
    PAYS_PRESTIGE = 2
    ROLLS = 3


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def price(rules: Rules, state: State, country: int, target: int) -> int:
    """Return the minimum cost of an attempt: the target box, and upward also the country's Rank."""
    return target + rules.rank[country] if target > state.box[country] else target


@internal(types.boolean, RULES, STATE, types.int64, types.int64, types.int64)
def may_attempt(rules: Rules, state: State, side: int, country: int, direction: int) -> bool:
    """Return True if a side can pay for moving a marker; the target box itself only in Resource Points."""
    if state.box[country] == 0:
        return False
    target = state.box[country] + (1 if direction == Direction.UP else -1)
    if target < 1 or target > N_BOXES or state.rp[side] < target:
        return False
    return state.rp[side] + state.prestige[side] >= price(rules, state, country, target)


@internal(types.int64, RULES, STATE, types.int64, LEGAL, types.int64)
def list_attempts(rules: Rules, state: State, side: int, out: Legal, n: int) -> int:
    """Append the attempts a side can pay for."""
    for country in range(N_COUNTRIES):
        for direction in (Direction.DOWN, Direction.UP):
            if may_attempt(rules, state, side, country, direction):
                out[n] = Action.COUNTRY + country * 3 + direction
                n += 1
    return n


@internal(types.int64, RULES, STATE)
def least_rp(rules: Rules, state: State) -> int:
    """Return the minimum Resource Points for the attempt in progress."""
    frame = state.stack[state.depth - 1]
    missing = price(rules, state, frame.country, frame.box) - state.prestige[frame.side]
    return max(frame.box, missing)


@internal(types.int64, RULES, STATE)
def least_prestige(rules: Rules, state: State) -> int:
    """Return the minimum Prestige to pay, given the Resource Points paid."""
    frame = state.stack[state.depth - 1]
    return max(price(rules, state, frame.country, frame.box) - frame.rp, 0)


@internal(types.void, STATE, types.boolean)
def decide(state: State, succeeds: bool) -> None:
    """End the attempt; the payment is lost either way."""
    frame = state.stack[state.depth - 1]
    if succeeds:
        state.box[frame.country] = frame.box
    frame.stage = DiplomaticStage.CHOOSES
    frame.country = 0
    frame.box = 0
    frame.rp = 0
    frame.prestige = 0


@internal(types.void, STATE, types.int64)
def pay_rp(state: State, points: int) -> None:
    """Pay Resource Points for the attempt in progress."""
    frame = state.stack[state.depth - 1]
    state.rp[frame.side] -= points
    frame.rp = points
    frame.stage = DiplomaticStage.PAYS_PRESTIGE


@internal(types.void, STATE, types.int64)
def pay_prestige(state: State, points: int) -> None:
    """Pay Prestige for the attempt in progress."""
    frame = state.stack[state.depth - 1]
    state.prestige[frame.side] -= points
    frame.prestige = points
    frame.stage = DiplomaticStage.ROLLS


@internal(types.boolean, RULES, STATE, types.int64)
def any_attempt(rules: Rules, state: State, side: int) -> bool:
    """Return True if a side can pay for any attempt."""
    for country in range(N_COUNTRIES):
        if may_attempt(rules, state, side, country, Direction.DOWN) or may_attempt(
            rules, state, side, country, Direction.UP
        ):
            return True
    return False


@internal(types.boolean, RULES, STATE)
def asks(rules: Rules, state: State) -> bool:
    """Ask for the next attempt or the next part of its payment; a payment without a choice is made at once."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    if frame.stage == DiplomaticStage.CHOOSES:
        if any_attempt(rules, state, side) or has_allies_for(state, side, state.area):
            ask(state, Node.DIPLOMATIC, side)
            return True
        pop(state)
        return False
    if frame.stage == DiplomaticStage.PAYS_RP:
        if least_rp(rules, state) < state.rp[side]:
            ask(state, Node.PAY_RP, side)
            return True
        pay_rp(state, state.rp[side])
    if frame.stage == DiplomaticStage.PAYS_PRESTIGE:
        if least_prestige(rules, state) < state.prestige[side]:
            ask(state, Node.PAY_PRESTIGE, side)
            return True
        pay_prestige(state, state.prestige[side])
    if rules.options.no_randomness:  # 10.2: R48
        decide(state, frame.rp + frame.prestige >= 2 * (rules.rank[frame.country] + frame.box))
        return False
    ask(state, Node.DICE_SUM, CHANCE)
    return True


@internal(types.int64, RULES, STATE, LEGAL)
def legal(rules: Rules, state: State, out: Legal) -> int:
    """Write the legal attempts, or the amounts that may be paid."""
    frame = state.stack[state.depth - 1]
    side = frame.side
    n = 0
    if state.node == Node.PAY_RP:
        for points in range(least_rp(rules, state), min(state.rp[side], MAX_PAYMENT) + 1):
            out[n] = Action.PAY_RP + points
            n += 1
        return n
    if state.node == Node.PAY_PRESTIGE:
        for points in range(least_prestige(rules, state), min(state.prestige[side], MAX_PAYMENT) + 1):
            out[n] = Action.PAY_PRESTIGE + points
            n += 1
        return n
    n = list_attempts(rules, state, side, out, 0)
    if has_allies_for(state, side, state.area):
        out[n] = Action.ALLIES + state.ally_rp
        n += 1
    out[n] = Action.DONE
    return n + 1


@internal(types.void, STATE, types.int64)
def apply(state: State, action: int) -> None:
    """Begin an attempt, pay for it, or take its dice."""
    frame = state.stack[state.depth - 1]
    if action == Action.DONE:
        pop(state)
    elif frame.stage == DiplomaticStage.ROLLS:
        decide(state, action - Action.DICE_SUM <= frame.rp + frame.prestige)
    elif action < Action.COUNTRY:
        add_allies(state, action - Action.ALLIES)
        state.rp[frame.side] += action - Action.ALLIES
    elif action < Action.PAY_RP:
        country = (action - Action.COUNTRY) // 3
        frame.country = country
        frame.box = state.box[country] + (1 if (action - Action.COUNTRY) % 3 == Direction.UP else -1)
        frame.stage = DiplomaticStage.PAYS_RP
    elif action < Action.PAY_PRESTIGE:
        pay_rp(state, action - Action.PAY_RP)
    else:
        pay_prestige(state, action - Action.PAY_PRESTIGE)


@internal(types.int64, RULES, STATE)
def dice_of_attempt(rules: Rules, state: State) -> int:
    """Return the number of dice of the attempt in progress: the country's Rank."""
    return rules.rank[state.stack[state.depth - 1].country]


@internal(types.int64, types.int64, LEGAL, WEIGHTS)
def sum_outcomes(dice: int, out: Legal, weights: Weights) -> int:
    """Write the possible sums of some dice: weights are the numbers of ways."""
    for index in range(5 * dice + 1):
        out[index] = Action.DICE_SUM + dice + index
        weights[index] = index == 0
    for rolled in range(1, dice + 1):
        for index in range(5 * rolled, -1, -1):
            ways = 0
            for face in range(min(index, 5) + 1):
                ways += weights[index - face]
            weights[index] = ways
    return 5 * dice + 1


@internal(types.int64, RULES, STATE, LEGAL, WEIGHTS)
def outcomes(rules: Rules, state: State, out: Legal, weights: Weights) -> int:
    """Write the possible sums of the dice of the attempt in progress."""
    return sum_outcomes(dice_of_attempt(rules, state), out, weights)


@internal(types.int64, RULES, STATE, RANDOM)
def sample(rules: Rules, state: State, random: Random) -> int:
    """Draw one of `outcomes`."""
    total = 0
    for _ in range(dice_of_attempt(rules, state)):
        total += below(random, 6) + 1
    return Action.DICE_SUM + total
