"""S4: dealing (by option) and placing Resource Cards."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import N_PLACEMENTS, Action, place_action, placed_rank
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, N_RANKS, UA, Area
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, Square, State, Step
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, WEIGHTS, Legal, Weights, ask


@internal(types.void, RULES, STATE)
def reshuffle_used_cards(rules: Rules, state: State) -> None:
    """Shuffle each side's used number cards and draw for the Turns left, once they are used up (10.1, R46)."""
    state.reshuffled = 1
    for side in range(2):
        state.unseen_size[side] = 0
        for rank in range(N_RANKS):
            state.pack[side, rank] = rules.pack[rank]
            state.unseen[side, rank] = 0
        state.to_draw[side] = N_AREAS * (rules.turns - state.turn + 1)


@internal(types.int64, STATE, types.int64)
def pack_size(state: State, side: int) -> int:
    """Return the number of cards left in a side's pack."""
    size = 0
    for rank in range(N_RANKS):
        size += state.pack[side, rank]
    return size


@internal(types.void, RULES, STATE)
def prepare_deal(rules: Rules, state: State) -> None:
    """Set the number of Resource Cards each side draws at random this Turn: none by default (R1)."""
    if rules.options.ordinary_cards and state.reshuffled == 0 and pack_size(state, UA) < N_AREAS:
        reshuffle_used_cards(rules, state)
    elif rules.options.random_draw and state.reshuffled == 0:
        for side in range(2):
            state.to_draw[side] = N_AREAS


@internal(types.boolean, STATE)
def asks(state: State) -> bool:
    """Deal the next Resource Card, then ask sides that have not placed yet; the order of the sides has no meaning."""
    if state.step == Step.DEAL:
        for side in range(2):
            if state.to_draw[side] > 0:
                state.drawer = side
                ask(state, Node.DEAL_CARD, CHANCE)
                return True
        state.step = Step.PLACEMENT
        return False
    for side in range(2):
        if state.matrix[side, Area.MILITARY] == Square.EMPTY:
            ask(state, Node.PLACE, side)
            return True
    state.step = Step.DECLARATION
    return False


@internal(types.int64, STATE, types.int64, types.int64)
def cards_to_place(state: State, side: int, rank: int) -> int:
    """Return the number of cards of a rank, from 0, a side can choose: from its drawn hand, else its pack (R1)."""
    return state.hand[side, rank] if state.hand_size[side] > 0 else state.pack[side, rank]


@internal(types.int64, RULES, STATE, types.int64, LEGAL)
def legal(rules: Rules, state: State, side: int, out: Legal) -> int:
    """Write every way to put three of a side's available cards into the three areas."""
    n = 0
    ranks = rules.n_ranks
    for first in range(ranks):
        for second in range(ranks):
            for third in range(ranks):
                of_first = cards_to_place(state, side, first)
                of_second = cards_to_place(state, side, second) - (second == first)
                of_third = cards_to_place(state, side, third) - (third == first) - (third == second)
                if of_first > 0 and of_second > 0 and of_third > 0:
                    out[n] = place_action(side, first + 1, second + 1, third + 1)
                    n += 1
    return n


@internal(types.void, STATE, types.int64)
def deal_card(state: State, rank: int) -> None:
    """Draw a Resource Card for a side."""
    side = state.drawer
    state.pack[side, rank] -= 1
    state.hand[side, rank] += 1
    state.hand_size[side] += 1
    state.to_draw[side] -= 1


@internal(types.void, STATE, types.int64)
def place_cards(state: State, action: int) -> None:
    """Place one card face down into each area (S4)."""
    side = (action - Action.PLACE) // N_PLACEMENTS
    from_hand = state.hand_size[side] > 0
    for area in range(N_AREAS):
        rank = placed_rank(action, area)
        state.matrix[side, area] = rank
        if from_hand:
            state.hand[side, rank - 1] -= 1
            state.hand_size[side] -= 1
        else:
            state.pack[side, rank - 1] -= 1


@internal(types.int64, STATE, LEGAL, WEIGHTS)
def outcomes(state: State, out: Legal, weights: Weights) -> int:
    """Write the cards of the drawer's pack."""
    n = 0
    for rank in range(N_RANKS):
        if state.pack[state.drawer, rank] > 0:
            out[n] = Action.DEAL_CARD + rank
            weights[n] = state.pack[state.drawer, rank]
            n += 1
    return n


@internal(types.int64, STATE, RANDOM)
def sample(state: State, random: Random) -> int:
    """Draw one of `outcomes`."""
    pick = below(random, pack_size(state, state.drawer))
    rank = 0
    while pick >= state.pack[state.drawer, rank]:
        pick -= state.pack[state.drawer, rank]
        rank += 1
    return Action.DEAL_CARD + rank
