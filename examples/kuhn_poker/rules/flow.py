"""The course of the game.

1. *Ante and deal.* Each side pays 1 and is dealt one of three cards; the third stays unknown.
2. *Betting.* The first side checks or bets 1 more; after a check the second side checks or bets. A bet is called
   (1 more) or folded to.
3. *End.* After a fold the other side wins; after two checks or a call the higher card wins. The winner gains the amount
   the loser paid.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.jit.compile import compiled
from kuhn_poker.rules.actions import Action
from kuhn_poker.rules.data import N_CARDS
from kuhn_poker.rules.state import NOBODY, NOT_YET, RULES, STATE, Node, Rules, State

MOST = 2
"""Maximum loss of a side; it scales the utilities, which lie between -1 and 1 in all games."""

ACTIONS = types.Array(types.int16, 1, "C")
WEIGHTS = types.Array(types.int64, 1, "C")
UTILITY = types.Array(types.float64, 1, "C")

Actions = npt.NDArray[np.int16]


@compiled(types.void, RULES, STATE)
def start(rules: Rules, state: State) -> None:
    """Set up a new game: both sides pay the ante (section 1)."""
    for side in range(2):
        state.card[side] = NOT_YET
        state.paid[side] = rules.ante
    state.folded = NOBODY
    state.asked = NOBODY
    state.node = Node.DEAL


@compiled(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:  # noqa: ARG001 - the contract's signature
    """Apply a legal action."""
    if action < Action.CHECK:
        side = (action - Action.DEAL) // N_CARDS
        state.card[side] = (action - Action.DEAL) % N_CARDS
        if side == 1:
            state.node = Node.FIRST
            state.asked = 0
        return
    side = int(state.asked)
    if action == Action.CHECK and state.node == Node.FIRST:
        state.node = Node.SECOND
        state.asked = 1
    elif action == Action.BET:
        state.paid[side] += 1
        state.node = Node.ANSWER
        state.asked = 1 - side
    else:
        if action == Action.CALL:
            state.paid[side] += 1
        elif action == Action.FOLD:
            state.folded = side
        state.node = Node.OVER
        state.asked = NOBODY


@compiled(types.int64, RULES, STATE)
def pending(rules: Rules, state: State) -> int:  # noqa: ARG001
    """Return the bits of the sides that may act: one at a time."""
    return 0 if state.asked == NOBODY else 1 << int(state.asked)


@compiled(types.int64, RULES, STATE)
def actor(rules: Rules, state: State) -> int:  # noqa: ARG001
    """Return the side to act, CHANCE or OVER."""
    if state.node == Node.OVER:
        return OVER
    return CHANCE if state.node == Node.DEAL else int(state.asked)


@compiled(types.int64, RULES, STATE, types.int64, ACTIONS)
def legal(rules: Rules, state: State, side: int, out: Actions) -> int:  # noqa: ARG001
    """Write the legal actions to `out` and return their number: check or bet; after a bet call or fold."""
    if state.asked == NOBODY or side != state.asked:
        return 0
    if state.node == Node.ANSWER:
        out[0] = Action.CALL
        out[1] = Action.FOLD
    else:
        out[0] = Action.CHECK
        out[1] = Action.BET
    return 2


@compiled(types.int64, RULES, STATE, ACTIONS, WEIGHTS)
def outcomes(rules: Rules, state: State, out: Actions, weights: npt.NDArray[np.int64]) -> int:  # noqa: ARG001
    """Write the cards that may be dealt with equal weights and return their number."""
    count = 0
    if state.node == Node.DEAL:
        side = 0 if state.card[0] == NOT_YET else 1
        for card in range(N_CARDS):
            if side == 0 or card != state.card[0]:
                out[count] = Action.DEAL + side * N_CARDS + card
                weights[count] = 1
                count += 1
    return count


@compiled(types.int64, RULES, STATE, RANDOM)
def sample(rules: Rules, state: State, random: Random) -> int:  # noqa: ARG001
    """Draw one outcome by rejection sampling."""
    card = below(random, N_CARDS)
    if state.card[0] == NOT_YET:
        return Action.DEAL + card
    while card == state.card[0]:
        card = below(random, N_CARDS)
    return Action.DEAL + N_CARDS + card


@compiled(types.int64, RULES, STATE, UTILITY)
def result(rules: Rules, state: State, utility: npt.NDArray[np.float64]) -> int:  # noqa: ARG001
    """Write each side's gain as a share of `MOST` (section 3); return the index of the reason."""
    if state.node != Node.OVER:
        return 0
    winner = 0 if state.card[0] > state.card[1] else 1
    if state.folded != NOBODY:
        winner = 1 - int(state.folded)
    utility[winner] = int(state.paid[1 - winner]) / MOST
    utility[1 - winner] = -utility[winner]
    return 1 if state.folded != NOBODY else 2
