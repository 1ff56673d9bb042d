"""BID: choice of the first player, by secret bids and their reveal, or by a coin (section 4, 5.1)."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.cuban.frame import LEGAL, US, USSR, Legal
from brinkmanship.games.thirteen_minutes.rules.action_numbers import N_BIDS, Action, bid_action
from brinkmanship.games.thirteen_minutes.rules.state import NO_BID, STATE, Node, State
from brinkmanship.games.thirteen_minutes.rules.steps.transitions import ask
from brinkmanship.games.thirteen_minutes.rules.steps.turn import next_turn
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, FirstPlayer, Rules

MANY_TIES = 1000
"""Maximum number of ties counted."""


@internal(types.void, STATE, types.int64, types.int64)
def lose_cubes(state: State, side: int, cubes: int) -> None:
    """Remove cubes of a side from the game."""
    state.supply[side] -= cubes
    state.lost[side] += cubes


@internal(types.void, RULES, STATE, types.int64)
def toss_coin(rules: Rules, state: State, side: int) -> None:
    """Set the start player (BEGINNER; the other returns a cube to the box) or the bid winner (bid_tie_cap, Q4)."""
    if rules.options.first_player == FirstPlayer.BEGINNER:
        state.first = side
        lose_cubes(state, 1 - side, 1)
        next_turn(rules, state)
    else:
        state.bidder = side
        ask(state, Node.FIRST, side)


@internal(types.void, STATE)
def lose_bids(state: State) -> None:
    """Remove both bids from the game (Q5)."""
    for side in range(2):
        lose_cubes(state, side, state.bid[side])
        state.bid[side] = NO_BID


@internal(types.void, RULES, STATE)
def reveal_bids(rules: Rules, state: State) -> None:
    """Reveal the bids: the higher bidder chooses; equal bids return and are repeated (Q4), up to a cap if set."""
    us = state.bid[US]
    ussr = state.bid[USSR]
    if us != ussr:
        state.bidder = US if us > ussr else USSR
        lose_bids(state)
        ask(state, Node.FIRST, state.bidder)
        return
    state.ties = min(state.ties + 1, MANY_TIES)
    cap = rules.options.bid_tie_cap
    if cap > 0 and state.ties >= cap:
        lose_bids(state)
        ask(state, Node.COIN, CHANCE)
        return
    for side in range(2):
        state.bid[side] = NO_BID
    ask(state, Node.BID, US)


@internal(types.void, STATE, types.int64, types.int64)
def bid(state: State, side: int, cubes: int) -> None:
    """Make a bid; both sides bid at once, and their order has no meaning (Q6)."""
    state.bid[side] = cubes
    if state.bid[US] == NO_BID:
        ask(state, Node.BID, US)
    elif state.bid[USSR] == NO_BID:
        ask(state, Node.BID, USSR)
    else:
        ask(state, Node.REVEAL_BIDS, CHANCE)


@internal(types.int64, STATE, types.int64, LEGAL)
def legal_in_bidding(state: State, side: int, out: Legal) -> int:
    """Write the legal bids of a side, or the choices of the bidder."""
    if state.node == Node.BID:
        if state.bid[side] != NO_BID:
            return 0
        for cubes in range(state.supply[side] + 1):  # Q1, Q2
            out[cubes] = bid_action(side, cubes)
        return state.supply[side] + 1
    if state.mover != side:
        return 0
    out[0] = Action.FIRST + US
    out[1] = Action.FIRST + USSR
    return 2


@internal(types.void, RULES, STATE, types.int64)
def apply_in_bidding(rules: Rules, state: State, action: int) -> None:
    """Carry out a bid, the reveal, the coin or the choice."""
    node = state.node
    if node == Node.BID:
        bid(state, (action - Action.BID) // N_BIDS, (action - Action.BID) % N_BIDS)
    elif node == Node.REVEAL_BIDS:
        reveal_bids(rules, state)
    elif node == Node.COIN:
        toss_coin(rules, state, action - Action.COIN)
    else:
        state.first = action - Action.FIRST
        next_turn(rules, state)
