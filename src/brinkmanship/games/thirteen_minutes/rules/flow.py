"""The contract of a game (`engine.game`) for 13 Minutes: each call is dispatched to the step of the rules concerned.

`steps` holds them, a file each. A step that the rules themselves take and players see (setting Cuba, revealing the
bids, each part of the scoring) is a node of CHANCE with one outcome, so that records, logs and animations show it like
any other action.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import compiled
from brinkmanship.games.cuban.frame import LEGAL, NOBODY, UNUSED, US, USSR, Legal
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action
from brinkmanship.games.thirteen_minutes.rules.state import (
    CUBA,
    LAST_STEP_OF_RULES,
    N_CARDS,
    N_PLACES,
    NO_BID,
    STATE,
    Area,
    CardIs,
    Node,
    Reason,
    State,
)
from brinkmanship.games.thirteen_minutes.rules.steps.bidding import apply_in_bidding, legal_in_bidding
from brinkmanship.games.thirteen_minutes.rules.steps.dealing import apply_dealing, set_up
from brinkmanship.games.thirteen_minutes.rules.steps.scoring import apply_scoring
from brinkmanship.games.thirteen_minutes.rules.steps.turn import apply_in_turn, legal_in_turn
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules

WEIGHTS = types.Array(types.int64, 1, "C")
UTILITY = types.Array(types.float64, 1, "C")


@compiled(types.void, RULES, STATE)
def start(rules: Rules, state: State) -> None:
    """Set up the state up to the first card that is dealt (section 3)."""
    for place in range(N_PLACES):
        state.area[place] = Area.OFF_TABLE
        for side in range(2):
            state.influence[side, place] = 0
    for card in range(N_CARDS):
        state.card[card] = CardIs.IN_PILE
    for side in range(2):
        state.hand[side] = 0
        state.supply[side] = rules.limits.cubes
        state.lost[side] = 0
        state.bid[side] = NO_BID
        for column in range(state.score.shape[1]):
            state.score[side, column] = 0
    state.stack[0] = UNUSED[0]
    state.cuba_card = NOBODY
    state.pile = N_CARDS
    state.ties = 0
    state.first = NOBODY
    state.bidder = NOBODY
    state.turn = 0
    state.drawer = NOBODY
    state.winner = NOBODY
    state.reason = Reason.NOT_OVER
    state.depth = 0
    set_up(rules, state)


@compiled(types.int64, RULES, STATE)
def actor(rules: Rules, state: State) -> int:  # noqa: ARG001 - the contract's signature
    """Return the actor: US, USSR, CHANCE or OVER."""
    return state.mover


@compiled(types.int64, RULES, STATE)
def pending(rules: Rules, state: State) -> int:  # noqa: ARG001 - the contract's signature
    """Return the sides that may act now, as bits: both while bids are made in secret (Q6), else the actor."""
    if state.node == Node.BID:
        return (state.bid[US] == NO_BID) | (state.bid[USSR] == NO_BID) << 1
    return 1 << state.mover if state.mover < CHANCE else 0


@compiled(types.int64, RULES, STATE, types.int64, LEGAL)
def legal(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write the legal actions of a side to `out`, int16[MAX_LEGAL]; return their number, 0 if it is not to act."""
    if state.node == Node.BID or state.node == Node.FIRST:
        return legal_in_bidding(state, side, out)
    if state.mover != side:
        return 0
    return legal_in_turn(rules, state, side, out)


@compiled(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a legal action of a side, of chance, or of the rules, in place; callers check legality."""
    node = state.node
    if state.depth > 0 or node == Node.PLAY:
        apply_in_turn(rules, state, action)
    elif node == Node.DRAW_CARD or node == Node.SET_CUBA:
        apply_dealing(rules, state, action)
    elif node == Node.BID or node == Node.REVEAL_BIDS or node == Node.COIN or node == Node.FIRST:
        apply_in_bidding(rules, state, action)
    else:
        apply_scoring(rules, state, action)


@compiled(types.int64, RULES, STATE, LEGAL, WEIGHTS)
def outcomes(rules: Rules, state: State, out: Legal, weights: npt.NDArray[np.int64]) -> int:  # noqa: ARG001
    """Write outcomes of chance (or the rules) to `out` and their weights to int64[MAX_LEGAL]; return their number.

    The probability of an outcome is its weight divided by the sum of the weights.
    """
    node = state.node
    if node <= LAST_STEP_OF_RULES:
        out[0] = Action.RULES_STEP + node
        weights[0] = 1
        return 1
    if node == Node.COIN:
        for side in range(2):
            out[side] = Action.COIN + side
            weights[side] = 1
        return 2
    n = 0
    first = Action.DRAW if node == Node.DRAW_CARD else Action.TURN_UP
    for card in range(N_CARDS):
        if state.card[card] == CardIs.IN_PILE:
            out[n] = first + card
            weights[n] = 1
            n += 1
    return n


@compiled(types.int64, RULES, STATE, RANDOM)
def sample(rules: Rules, state: State, random: Random) -> int:  # noqa: ARG001 - the contract's signature
    """Draw one outcome of chance by the distribution of `outcomes`, without listing them."""
    node = state.node
    if node <= LAST_STEP_OF_RULES:
        return Action.RULES_STEP + node
    if node == Node.COIN:
        return Action.COIN + below(random, 2)
    if node == Node.TURN_UP_CUBA:
        left = below(random, state.pile + 1)
        first = Action.TURN_UP
    else:
        left = below(random, state.pile + (state.area[CUBA] != Area.OFF_TABLE))
        first = Action.DRAW
    card = -1
    while left >= 0:
        card += 1
        left -= state.card[card] == CardIs.IN_PILE
    return first + card


@compiled(types.int64, RULES, STATE, UTILITY)
def result(rules: Rules, state: State, utility: npt.NDArray[np.float64]) -> int:  # noqa: ARG001 - the contract's signature
    """Write each side's utility (1 won, -1 lost, 0 neither) to float64[2]; return the `Reason` of the end, or NOT_OVER.

    Both have lost when both have triggered the war.
    """
    utility[US] = 0.0
    utility[USSR] = 0.0
    if state.winner != NOBODY:
        utility[state.winner] = 1.0
        utility[1 - state.winner] = -1.0
    elif state.reason == Reason.DOUBLE_WAR:
        utility[US] = -1.0
        utility[USSR] = -1.0
    return state.reason
