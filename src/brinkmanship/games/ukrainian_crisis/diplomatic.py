"""The Diplomatic area of a Strategic Turn: attempts to move the markers of countries (section 5.2)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.compile import internal
from brinkmanship.engine.game import CHANCE
from brinkmanship.games.ukrainian_crisis.actions import (
    ALLIES,
    COUNTRY,
    DICE_SUM,
    DONE,
    DOWN,
    MAX_PAYMENT,
    PAY_PRESTIGE,
    PAY_RP,
    UP,
)
from brinkmanship.games.ukrainian_crisis.military import add_allies, has_allies_for
from brinkmanship.games.ukrainian_crisis.state import (
    N_BOXES,
    N_COUNTRIES,
    N_DICE_SUM,
    N_DIPLOMATIC,
    N_PAY_PRESTIGE,
    N_PAY_RP,
    SIDE,
    STAGE,
    STATE,
    A,
    B,
    C,
    D,
    State,
)
from brinkmanship.games.ukrainian_crisis.tables import NO_RANDOMNESS, RULES, Rules
from brinkmanship.games.ukrainian_crisis.tasks import LEGAL, Legal, ask, pop

# Stages of T_DIPLOMATIC.
CHOOSES = 0
PAYS_RP = 1
PAYS_PRESTIGE = 2
ROLLS = 3


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def price(rules: Rules, state: State, country: int, target: int) -> int:
    """The least that an attempt costs: the target box, and upward also the country's Rank."""
    return target + rules.rank[country] if target > state.box[country] else target


@internal(types.boolean, RULES, STATE, types.int64, types.int64, types.int64)
def may_attempt(rules: Rules, state: State, side: int, country: int, direction: int) -> bool:
    """Whether a side can pay for moving a marker up or down; the target box itself only in Resource Points."""
    if state.box[country] == 0:
        return False
    target = state.box[country] + (1 if direction == UP else -1)
    if target < 1 or target > N_BOXES or state.rp[side] < target:
        return False
    return state.rp[side] + state.prestige[side] >= price(rules, state, country, target)


@internal(types.int64, RULES, STATE, types.int64, LEGAL, types.int64)
def list_attempts(rules: Rules, state: State, side: int, out: Legal, n: int) -> int:
    """Append the attempts a side can pay for."""
    for country in range(N_COUNTRIES):
        for direction in (DOWN, UP):
            if may_attempt(rules, state, side, country, direction):
                out[n] = COUNTRY + country * 3 + direction
                n += 1
    return n


@internal(types.int64, RULES, STATE)
def least_rp(rules: Rules, state: State) -> int:
    """The fewest Resource Points the attempt in progress can be paid with."""
    frame = state.stack[state.depth - 1]
    missing = price(rules, state, frame[A], frame[B]) - state.prestige[frame[SIDE]]
    return max(frame[B], missing)


@internal(types.int64, RULES, STATE)
def least_prestige(rules: Rules, state: State) -> int:
    """The least Prestige that the Resource Points paid leave to be paid."""
    frame = state.stack[state.depth - 1]
    return max(price(rules, state, frame[A], frame[B]) - frame[C], 0)


@internal(types.void, STATE, types.boolean)
def decide(state: State, succeeds: bool) -> None:
    """The attempt ends; what was paid is lost either way."""
    frame = state.stack[state.depth - 1]
    if succeeds:
        state.box[frame[A]] = frame[B]
    frame[STAGE] = CHOOSES
    frame[A] = 0
    frame[B] = 0
    frame[C] = 0
    frame[D] = 0


@internal(types.void, STATE, types.int64)
def pay_rp(state: State, points: int) -> None:
    """Pay Resource Points for the attempt in progress."""
    frame = state.stack[state.depth - 1]
    state.rp[frame[SIDE]] -= points
    frame[C] = points
    frame[STAGE] = PAYS_PRESTIGE


@internal(types.void, STATE, types.int64)
def pay_prestige(state: State, points: int) -> None:
    """Pay Prestige for the attempt in progress."""
    frame = state.stack[state.depth - 1]
    state.prestige[frame[SIDE]] -= points
    frame[D] = points
    frame[STAGE] = ROLLS


@internal(types.boolean, RULES, STATE, types.int64)
def any_attempt(rules: Rules, state: State, side: int) -> bool:
    """Whether a side can pay for any attempt."""
    for country in range(N_COUNTRIES):
        if may_attempt(rules, state, side, country, DOWN) or may_attempt(rules, state, side, country, UP):
            return True
    return False


@internal(types.boolean, RULES, STATE)
def diplomatic_asks(rules: Rules, state: State) -> bool:
    """Ask for the next attempt or the next part of its payment; a payment without a choice is made at once."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    if frame[STAGE] == CHOOSES:
        if any_attempt(rules, state, side) or has_allies_for(state, side, state.area):
            ask(state, N_DIPLOMATIC, side)
            return True
        pop(state)
        return False
    if frame[STAGE] == PAYS_RP:
        if least_rp(rules, state) < state.rp[side]:
            ask(state, N_PAY_RP, side)
            return True
        pay_rp(state, state.rp[side])
    if frame[STAGE] == PAYS_PRESTIGE:
        if least_prestige(rules, state) < state.prestige[side]:
            ask(state, N_PAY_PRESTIGE, side)
            return True
        pay_prestige(state, state.prestige[side])
    if rules.options[NO_RANDOMNESS]:  # 10.2: R48
        decide(state, frame[C] + frame[D] >= 2 * (rules.rank[frame[A]] + frame[B]))
        return False
    ask(state, N_DICE_SUM, CHANCE)
    return True


@internal(types.int64, RULES, STATE, LEGAL)
def diplomatic_legal(rules: Rules, state: State, out: Legal) -> int:
    """The legal attempts, or the amounts that may be paid."""
    frame = state.stack[state.depth - 1]
    side = frame[SIDE]
    n = 0
    if state.node == N_PAY_RP:
        for points in range(least_rp(rules, state), min(state.rp[side], MAX_PAYMENT) + 1):
            out[n] = PAY_RP + points
            n += 1
        return n
    if state.node == N_PAY_PRESTIGE:
        for points in range(least_prestige(rules, state), min(state.prestige[side], MAX_PAYMENT) + 1):
            out[n] = PAY_PRESTIGE + points
            n += 1
        return n
    n = list_attempts(rules, state, side, out, 0)
    if has_allies_for(state, side, state.area):
        out[n] = ALLIES + state.ally_rp
        n += 1
    out[n] = DONE
    return n + 1


@internal(types.void, STATE, types.int64)
def diplomatic_apply(state: State, action: int) -> None:
    """Begin an attempt, pay for it, or take its dice."""
    frame = state.stack[state.depth - 1]
    if action == DONE:
        pop(state)
    elif frame[STAGE] == ROLLS:
        decide(state, action - DICE_SUM <= frame[C] + frame[D])
    elif action < COUNTRY:
        add_allies(state, action - ALLIES)
        state.rp[frame[SIDE]] += action - ALLIES
    elif action < PAY_RP:
        country = (action - COUNTRY) // 3
        frame[A] = country
        frame[B] = state.box[country] + (1 if (action - COUNTRY) % 3 == UP else -1)
        frame[STAGE] = PAYS_RP
    elif action < PAY_PRESTIGE:
        pay_rp(state, action - PAY_RP)
    else:
        pay_prestige(state, action - PAY_PRESTIGE)
