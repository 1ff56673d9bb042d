"""The greedy player of 13 Minutes: it looks ahead to the end of the card in play, and no further.

For each legal action it simulates its own best next choices of the same card and the opponent's best choices for
itself, and takes the action with the best outlook (`outlook`). It bids two to five cubes, more with own cards in hand
than with the opponent's, and lets the other side begin (F12).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numba
import numpy as np
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import INTERPRETED, compiled, compiled_loop, internal
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.record import State
from brinkmanship.games.thirteen_minutes.players.outlook import hand_value, table_value
from brinkmanship.games.thirteen_minutes.players.reasons import reason_by_tables
from brinkmanship.games.thirteen_minutes.rules.action_numbers import MAX_LEGAL, Action, bid_action
from brinkmanship.games.thirteen_minutes.rules.flow import apply, legal
from brinkmanship.games.thirteen_minutes.rules.knowledge import copy_state
from brinkmanship.games.thirteen_minutes.rules.state import DTYPE, N_CARDS, STATE, STATES, CardIs, Node, new_states
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules
from brinkmanship.players.player import Choice
from brinkmanship.players.policy_player import PolicyPlayer, best_of_arrays

LEGALS = types.Array(types.int16, 2, "C")
ACTIONS = types.Array(types.int16, 1, "C")
VALUES = types.Array(types.float64, 1, "C")

DEPTH = 12
"""Number of states kept while a card is simulated; a card branches twice at most."""
USUAL_BID = 3
"""The lower of two usual bids.

In 60,000 games against itself, with bids of 0 to 5 and the first player by coin, going last was worth as much as 7
cubes; own cards in hand made it worth a little more, the opponent's a little less.
"""


@compiled(types.void, RULES, STATES, LEGALS, types.int64)
def follow(rules: Rules, states: Any, outs: Any, level: int) -> None:
    """Simulate `states[level]` to the end of the card in play; each choice is greedy for the side that makes it.

    Event or Command, and whether to use an offered event, are tried both ways. Later rows are used as scratch.
    """
    state = states[level]
    trial = states[level + 1]
    out = outs[level]
    while state.depth > 0 and state.mover < CHANCE:
        mover = int(state.mover)
        count = legal(rules, state, mover, out)
        both_ways = state.node in (Node.USE, Node.OFFER) and level + 2 < DEPTH
        best = 0
        best_value = -np.inf
        for number in range(count):
            copy_state(state, trial)
            apply(rules, trial, int(out[number]))
            if both_ways:
                follow(rules, states, outs, level + 1)
            value = table_value(rules, trial, mover)
            if value > best_value:
                best = number
                best_value = value
        apply(rules, state, int(out[best]))


@compiled(types.int64, RULES, STATE, types.int64, STATES, LEGALS, ACTIONS, VALUES)
def weigh(rules: Rules, view: State, side: int, states: Any, outs: Any, actions: Any, values: Any) -> int:
    """Write every legal action and its outlook; return their number."""
    count = legal(rules, view, side, actions)
    for number in range(count):
        copy_state(view, states[0])
        apply(rules, states[0], int(actions[number]))
        if view.node != Node.COMMAND:
            follow(rules, states, outs, 0)
        values[number] = table_value(rules, states[0], side) + hand_value(rules, states[0], side)
    return count


@internal(types.int64, RULES, STATE, types.int64)
def own_cards_more(rules: Rules, view: State, side: int) -> int:
    """Return the number of a side's own cards in its hand minus that of the opponent's cards."""
    more = 0
    for card in range(N_CARDS):
        if view.card[card] == CardIs.IN_HAND + side:
            more += rules.cards[card].side == side
            more -= rules.cards[card].side == 1 - side
    return more


@compiled(types.int64, RULES, STATE, types.int64, RANDOM)
def before_play(rules: Rules, view: State, side: int, random: Random) -> int:
    """Choose a bid or the first player before the first card; return -1 later."""
    if view.node == Node.BID:
        cubes = USUAL_BID + min(max(own_cards_more(rules, view, side), -1), 1) + below(random, 2)
        return bid_action(side, min(cubes, view.supply[side]))
    if view.node == Node.FIRST:
        return Action.FIRST + 1 - side
    return -1


def _empty_states() -> Any:
    return np.empty(DEPTH + 1, DTYPE)


_scratch_states: Any = partial(new_states, DEPTH + 1) if INTERPRETED else numba.njit(inline="always")(_empty_states)


def _policy(rules: Rules, view: State, side: int, random: Random) -> int:
    chosen = before_play(rules, view, side, random)
    if chosen >= 0:
        return chosen
    states = _scratch_states()
    outs = np.empty((DEPTH + 1, MAX_LEGAL), np.int16)
    actions = np.empty(MAX_LEGAL, np.int16)
    values = np.empty(MAX_LEGAL, np.float64)
    count = weigh(rules, view, side, states, outs, actions, values)
    return int(actions[np.argmax(values[:count])])


policy = compiled_loop(_policy, types.int64, RULES, STATE, types.int64, RANDOM)


def evaluate(rules: Rules, view: State, side: int, random: Random, actions: Any, values: Any, dangers: Any) -> int:
    """Implement `Evaluation`: before the first card only the choice itself is not excluded."""
    action = before_play(rules, view, side, random)
    if action < 0:
        count = weigh(rules, view, side, _scratch_states(), np.empty((DEPTH + 1, MAX_LEGAL), np.int16), actions, values)
        dangers[:count] = 0
        return int(np.argmax(values[:count]))
    count = legal(rules, view, side, actions)
    chosen = 0
    for number in range(count):
        values[number] = 0.0
        dangers[number] = actions[number] != action
        if actions[number] == action:
            chosen = number
    return chosen


class GreedyPlayer(PolicyPlayer):
    """Greedy player; its values are points of Prestige."""

    name = "greedy"
    compiled_policy = staticmethod(policy)
    evaluation = staticmethod(evaluate)

    def choose(self, seen: Observation) -> Choice:
        view, side = seen.view(), seen.side
        chosen = int(before_play(self.game.rules, view, side, self.random))
        if chosen >= 0:
            choice = Choice(chosen)
        else:
            actions = np.empty(MAX_LEGAL, np.int16)
            values = np.empty(MAX_LEGAL, np.float64)
            outs = np.empty((DEPTH + 1, MAX_LEGAL), np.int16)
            count = weigh(self.game.rules, view, side, new_states(DEPTH + 1), outs, actions, values)
            choice = best_of_arrays(count, actions, values)
        return choice._replace(reason=self.why(seen, choice))

    def why(self, seen: Observation, choice: Choice) -> Message:
        """Return what speaks for a choice of this or another player on the tables that all legal actions leave."""
        view, side, rules = seen.view(), seen.side, self.game.rules
        actions = self.game.legal_actions(view, side)
        ends = new_states(len(actions))
        states, outs = new_states(DEPTH + 1), np.empty((DEPTH + 1, MAX_LEGAL), np.int16)
        for number, action in enumerate(actions):
            states[0] = view
            apply(rules, states[0], action)
            if view.node != Node.COMMAND:
                follow(rules, states, outs, 0)
            ends[number] = states[0]
        return reason_by_tables(self.game, view, side, actions, ends, choice.action)
