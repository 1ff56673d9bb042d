"""The functions of the contract (`engine.game`), which every card-driven game gets a compiled copy of."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.jit.compile import RULES, STATE, shared, template
from brinkmanship.games.card_driven.rules.course import (
    begin_event,
    begin_operations,
    choose_in_event,
    cost,
    deal_or_play,
    draw,
    drawer,
    end_if_over,
    end_round,
    in_reach,
    play_card,
    reshuffle,
    spend,
)
from brinkmanship.games.card_driven.rules.hooks import Rules, State, lead
from brinkmanship.games.card_driven.rules.numbers import END_ROUND, RESHUFFLE
from brinkmanship.games.card_driven.rules.state import BY_DRAW, BY_POINTS, NOTHING, CardIs, Do, Node

ACTIONS = types.Array(types.int16, 1, "C")
WEIGHTS = types.Array(types.int64, 1, "C")
UTILITY = types.Array(types.float64, 1, "C")

Actions = npt.NDArray[np.int16]


@shared(types.void, RULES, STATE)
def start(rules: Rules, state: State) -> None:
    """Set up a new game."""
    for card in range(state.card.shape[0]):
        state.card[card] = CardIs.IN_DECK
    state.deck = state.card.shape[0]
    for side in range(2):
        state.hand[side] = 0
        for place in range(state.influence.shape[1]):
            state.influence[side, place] = rules.start[side, place]
    for track in range(state.track.shape[0]):
        state.track[track] = rules.track_start[track]
    for counter in range(state.counter.shape[0]):
        state.counter[counter] = 0
    state.round_number = 1
    state.first = 0
    state.played = NOTHING
    state.player = NOTHING
    state.actor = NOTHING
    state.effect = NOTHING
    state.left = 0
    state.happened = 0
    state.reason = 0
    deal_or_play(rules, state)


@template(types.void, RULES, STATE, types.int64)
def carry_out(rules: Rules, state: State, action: int) -> None:
    """Carry out a legal action."""
    if action == RESHUFFLE:
        reshuffle(rules, state)
    elif action == END_ROUND:
        end_round(rules, state)
    elif action < rules.first_play:
        draw(rules, state, (action - rules.first_draw) % state.card.shape[0])
    elif action < rules.accept:
        number = action - rules.first_play
        play_card(rules, state, number % state.card.shape[0], number // state.card.shape[0])
    elif action == rules.accept:
        begin_event(rules, state, state.mover)
    elif action == rules.decline:
        begin_operations(rules, state)
    elif state.node == Node.OPS:
        spend(rules, state, action)
    else:
        choose_in_event(rules, state, action)
    end_if_over(rules, state)


@shared(types.void, RULES, STATE, types.int64)
def apply(rules: Rules, state: State, action: int) -> None:
    """Apply a legal action."""
    carry_out(rules, state, action)


@shared(types.int64, RULES, STATE)
def pending(rules: Rules, state: State) -> int:  # noqa: ARG001 - the contract's signature
    """Return the bit of the side that may act."""
    return 0 if state.mover == NOTHING else 1 << state.mover


@shared(types.int64, RULES, STATE)
def actor(rules: Rules, state: State) -> int:  # noqa: ARG001 - the contract's signature
    """Return the side to act, CHANCE or OVER."""
    if state.node == Node.OVER:
        return OVER
    return CHANCE if state.mover == NOTHING else state.mover


@template(types.int64, RULES, STATE, types.int64, ACTIONS)
def choices(rules: Rules, state: State, side: int, out: Actions) -> int:
    """Write the legal actions of a side and return their number."""
    if state.mover != side:
        return 0
    n = 0
    if state.node == Node.PLAY:
        for card in range(state.card.shape[0]):
            if state.card[card] == side:
                if rules.side[card] != 1 - side:
                    out[n] = rules.first_play + card
                    n += 1
                out[n] = rules.first_play + state.card.shape[0] + card
                n += 1
        return n
    if state.node == Node.OFFER:
        out[0] = rules.accept
        out[1] = rules.decline
        return 2
    if state.node == Node.OPS:
        for action in range(rules.first_put, rules.total):
            if 0 < cost(rules, state, action) <= state.left:
                out[n] = action
                n += 1
    else:
        block = rules.first_put if rules.does[state.effect] == Do.PUT else rules.first_take_off
        for place in range(state.influence.shape[1]):
            if in_reach(rules, state, place):
                out[n] = block + place
                n += 1
    out[n] = rules.done
    return n + 1


@shared(types.int64, RULES, STATE, types.int64, ACTIONS)
def legal(rules: Rules, state: State, side: int, out: Actions) -> int:
    """Write the legal actions of a side to `out` and return their number."""
    return choices(rules, state, side, out)


@shared(types.int64, RULES, STATE, ACTIONS, WEIGHTS)
def outcomes(rules: Rules, state: State, out: Actions, weights: npt.NDArray[np.int64]) -> int:
    """Write the outcomes with equal weights and return their number."""
    count = 0
    if state.node == Node.DEAL:
        first = rules.first_draw + drawer(rules, state) * state.card.shape[0]
        for card in range(state.card.shape[0]):
            if state.card[card] == CardIs.IN_DECK:
                out[count] = first + card
                count += 1
    else:
        out[0] = RESHUFFLE if state.node == Node.RESHUFFLE else END_ROUND
        count = 1
    for number in range(count):
        weights[number] = 1
    return count


@shared(types.int64, RULES, STATE, RANDOM)
def sample(rules: Rules, state: State, random: Random) -> int:
    """Draw one outcome by rejection sampling."""
    if state.node != Node.DEAL:
        return RESHUFFLE if state.node == Node.RESHUFFLE else END_ROUND
    card = below(random, state.card.shape[0])
    while state.card[card] != CardIs.IN_DECK:
        card = below(random, state.card.shape[0])
    return rules.first_draw + drawer(rules, state) * state.card.shape[0] + card


@shared(types.int64, RULES, STATE, UTILITY)
def result(rules: Rules, state: State, utility: npt.NDArray[np.float64]) -> int:
    """Write 1 for the winner, -1 for the loser, 0 for both in a draw; return the index of the reason."""
    utility[0] = 0.0
    utility[1] = 0.0
    if state.node != Node.OVER:
        return 0
    ahead = lead(rules, state)
    if ahead != 0:
        utility[0] = 1.0 if ahead > 0 else -1.0
        utility[1] = -utility[0]
    return BY_DRAW if ahead == 0 and state.reason == BY_POINTS else state.reason
