"""The course of the game, in the order of its rules.

1. *Set-up.* Each side has 6 coins.
2. *Favourites* (option). Each side is dealt a secret favourite among the three prizes, which counts double for it.
3. *Three auctions.* A random prize is turned up; both sides bid simultaneously and in secret any number of their coins;
   the bids are revealed and spent; the higher bid takes the prize, equal bids set it aside.
4. *End.* The side with more points wins.

A compiled function must be defined below the functions it calls. Sums of fields are wrapped in `int`: in interpreted
code a field is an int8 that would overflow.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.jit.compile import compiled, internal
from template_game.rules.actions import N_BIDS, Action
from template_game.rules.data import N_PRIZES
from template_game.rules.state import NOT_YET, RULES, STATE, Node, PrizeIs, Rules, State

ACTIONS = types.Array(types.int16, 1, "C")
WEIGHTS = types.Array(types.int64, 1, "C")
UTILITY = types.Array(types.float64, 1, "C")

Actions = npt.NDArray[np.int16]


@compiled(types.void, RULES, STATE)
def start(rules: Rules, state: State) -> None:
    """Set up a new game (section 1)."""
    for prize in range(N_PRIZES):
        state.prize[prize] = PrizeIs.IN_PILE
    for side in range(2):
        state.favourite[side] = NOT_YET
        state.coins[side] = rules.coins
        state.bid[side] = NOT_YET
    state.node = Node.DEAL if rules.favourites else Node.TURN_UP


@internal(types.int64, STATE, types.int64)
def first_prize(state: State, place: int) -> int:
    """Return the first prize in a place, `N_PRIZES` if there is none."""
    for prize in range(N_PRIZES):
        if state.prize[prize] == place:
            return prize
    return N_PRIZES


@internal(types.void, STATE)
def reveal_bids(state: State) -> None:
    """Spend both bids and give the prize to the higher one (section 3)."""
    winner = PrizeIs.SET_ASIDE
    if state.bid[0] != state.bid[1]:
        winner = 0 if state.bid[0] > state.bid[1] else 1
    state.prize[first_prize(state, PrizeIs.OPEN)] = winner
    for side in range(2):
        state.coins[side] -= state.bid[side]
        state.bid[side] = NOT_YET
    state.node = Node.OVER if first_prize(state, PrizeIs.IN_PILE) == N_PRIZES else Node.TURN_UP


@compiled(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:  # noqa: ARG001 - the contract's signature
    """Apply a legal action."""
    if action == Action.REVEAL:
        reveal_bids(state)
    elif action < Action.TURN_UP:
        state.favourite[(action - Action.DEAL) // N_PRIZES] = (action - Action.DEAL) % N_PRIZES
        state.node = Node.DEAL if state.favourite[1] == NOT_YET else Node.TURN_UP
    elif action < Action.BID:
        state.prize[action - Action.TURN_UP] = PrizeIs.OPEN
        state.node = Node.BID
    else:
        state.bid[(action - Action.BID) // N_BIDS] = (action - Action.BID) % N_BIDS
        if state.bid[0] != NOT_YET and state.bid[1] != NOT_YET:
            state.node = Node.REVEAL


@compiled(types.int64, RULES, STATE)
def pending(rules: Rules, state: State) -> int:  # noqa: ARG001
    """Return the bits of the sides that may act: both bid at once."""
    if state.node != Node.BID:
        return 0
    return (state.bid[0] == NOT_YET) + 2 * (state.bid[1] == NOT_YET)


@compiled(types.int64, RULES, STATE)
def actor(rules: Rules, state: State) -> int:  # noqa: ARG001
    """Return the first side to act, CHANCE or OVER."""
    if state.node == Node.OVER:
        return OVER
    if state.node != Node.BID:
        return CHANCE
    return 0 if state.bid[0] == NOT_YET else 1


@compiled(types.int64, RULES, STATE, types.int64, ACTIONS)
def legal(rules: Rules, state: State, side: int, out: Actions) -> int:  # noqa: ARG001
    """Write the legal actions to `out`, a bid of any number of the side's coins, and return their number."""
    if state.node != Node.BID or side > 1 or state.bid[side] != NOT_YET:
        return 0
    count = int(state.coins[side]) + 1
    for coins in range(count):
        out[coins] = Action.BID + side * N_BIDS + coins
    return count


@compiled(types.int64, RULES, STATE, ACTIONS, WEIGHTS)
def outcomes(rules: Rules, state: State, out: Actions, weights: npt.NDArray[np.int64]) -> int:  # noqa: ARG001
    """Write the outcomes with equal weights and return their number; a rules step is its node's only outcome."""
    count = 0
    if state.node == Node.REVEAL:
        out[0] = Action.REVEAL
        count = 1
    for prize in range(N_PRIZES):
        if state.node == Node.DEAL:
            out[count] = Action.DEAL + prize + (0 if state.favourite[0] == NOT_YET else N_PRIZES)
            count += 1
        elif state.node == Node.TURN_UP and state.prize[prize] == PrizeIs.IN_PILE:
            out[count] = Action.TURN_UP + prize
            count += 1
    for number in range(count):
        weights[number] = 1
    return count


@compiled(types.int64, RULES, STATE, RANDOM)
def sample(rules: Rules, state: State, random: Random) -> int:  # noqa: ARG001
    """Draw one outcome by rejection sampling."""
    if state.node == Node.REVEAL:
        return Action.REVEAL
    prize = below(random, N_PRIZES)
    if state.node == Node.DEAL:
        return Action.DEAL + prize + (0 if state.favourite[0] == NOT_YET else N_PRIZES)
    while state.prize[prize] != PrizeIs.IN_PILE:
        prize = below(random, N_PRIZES)
    return Action.TURN_UP + prize


@compiled(types.int64, RULES, STATE, types.int64)
def points(rules: Rules, state: State, side: int) -> int:
    """Return the points of a side whose favourite is known (section 4)."""
    total = 0
    for prize in range(N_PRIZES):
        if state.prize[prize] == side:
            total += int(rules.worth[prize]) * (2 if state.favourite[side] == prize else 1)
    return total


@compiled(types.int64, RULES, STATE, UTILITY)
def result(rules: Rules, state: State, utility: npt.NDArray[np.float64]) -> int:
    """Write 1 for the winner, -1 for the loser, 0 for both in a draw; return the index of the reason."""
    utility[0] = 0.0
    utility[1] = 0.0
    if state.node != Node.OVER:
        return 0
    ahead = points(rules, state, 0) - points(rules, state, 1)
    if ahead == 0:
        return 2
    utility[0] = 1.0 if ahead > 0 else -1.0
    utility[1] = -utility[0]
    return 1
