"""The player of 13 Minutes at the level of a good club player.

A card is judged by the table it leaves (`judgement`) and by the best reply of the other side, over its possible hands;
the tenth card is played exactly, over all that is still hidden (`tenth_card`). Bids weigh the worth of playing last
against the cubes it costs (`bids`).
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import INTERPRETED, compiled, compiled_loop, internal
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.games.cuban.frame import LEGAL, TurnStep
from brinkmanship.games.thirteen_minutes.players.bids import ALL_WEIGHTS, CHANCES, as_chance, before_play
from brinkmanship.games.thirteen_minutes.players.fast import better_way, choose_quickly
from brinkmanship.games.thirteen_minutes.players.judgement import (
    FEATURES,
    MAX_AT_ONCE,
    N_TALLY,
    TALLY,
    Tally,
    who_is_last,
)
from brinkmanship.games.thirteen_minutes.players.reasons import reason
from brinkmanship.games.thirteen_minutes.players.steps import best_command, best_step, survey, worth
from brinkmanship.games.thirteen_minutes.players.tenth_card import DEALS, DECIDER, MAX_BY_MARGIN, N_DEALS
from brinkmanship.games.thirteen_minutes.players.weights import WEIGHTS
from brinkmanship.games.thirteen_minutes.rules.action_numbers import MAX_LEGAL
from brinkmanship.games.thirteen_minutes.rules.board import on_table
from brinkmanship.games.thirteen_minutes.rules.flow import apply, legal
from brinkmanship.games.thirteen_minutes.rules.knowledge import copy_state
from brinkmanship.games.thirteen_minutes.rules.knowledge import view as view_of
from brinkmanship.games.thirteen_minutes.rules.state import (
    DTYPE,
    N_CARDS,
    STATE,
    STATES,
    CardIs,
    Node,
    State,
    new_states,
)
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules
from brinkmanship.players.player import Candidate, Choice
from brinkmanship.players.policy_player import PolicyPlayer

OUTS = types.Array(types.int16, 2, "C")
AS_EACH_JUDGES: Any = types.UniTuple(types.float64, 2)

SHORTLIST = 10
"""Number of choices whose replies are examined: the best by the table they leave.

While the ninth card is in play, all are: the tenth decides, and an unexamined reply may be a war.
"""

LOOKED_AT = 4.0
"""Added to the values of choices whose replies were examined. Values alone lie between -1 and 2."""
IS_LOOKED_AT = LOOKED_AT / 2
DEPTH = 16
"""Number of states kept while the tenth card is searched through all its choices."""
# Rows of scratch states: the fast policy uses the first two.
KNOWN, TRIAL, FOLLOWED = 2, 3, 4


@internal(types.float64, RULES, STATE, ALL_WEIGHTS, types.int64, TALLY, DEALS, FEATURES)
def chance_of_last(
    rules: Rules, state: State, weights: Any, last: int, tally: Tally, deals: Any, features: Any
) -> float:
    """Return the probability that `last` wins, the card in play being over."""
    row = weights[min(state.turn, weights.shape[0] - 1)]
    survey(rules, state, last, tally, deals)
    value = worth(rules, state, row, last, tally, deals, features)
    return value if deals[0] > 0 else as_chance(value)


@internal(types.void, RULES, STATE, ALL_WEIGHTS, types.int64, TALLY, DEALS, FEATURES, LEGAL, STATES)
def finish_card(
    rules: Rules,
    state: State,
    weights: Any,
    last: int,
    tally: Tally,
    deals: Any,
    features: Any,
    out: Any,
    states: Any,
) -> None:
    """Finish the card in play; each choice is greedy for the side that makes it."""
    while state.depth > 0 and state.mover < CHANCE:
        if state.node == Node.USE or state.node == Node.OFFER:
            action = better_way(rules, state, weights, last, tally, deals, features, out, states)[1]
        else:
            row = weights[min(state.turn + 1, weights.shape[0] - 1)]
            survey(rules, state, last, tally, deals)
            action = best_step(rules, state, row, last, tally, deals, out)
        apply(rules, state, action)


@internal(
    AS_EACH_JUDGES,
    RULES,
    STATES,
    types.int64,
    ALL_WEIGHTS,
    types.int64,
    TALLY,
    DEALS,
    FEATURES,
    OUTS,
)
def exactly(
    rules: Rules,
    states: Any,
    level: int,
    weights: Any,
    last: int,
    tally: Tally,
    deals: Any,
    features: Any,
    outs: Any,
) -> tuple[float, float]:
    """Solve the tenth card in play at `states[level]` exactly, with best play of both sides.

    Return the value for `last` as judged by `last` itself, and as judged by the other side, for which its own war is
    worse. Both judge by the same deals: those possible in this side's view.
    """
    state = states[level]
    survey(rules, state, last, tally, deals)
    row = weights[weights.shape[0] - 1]
    if state.depth == 0 or state.mover >= CHANCE:
        deals[DECIDER] = 1 - last
        as_other = worth(rules, state, row, last, tally, deals, features)
        deals[DECIDER] = last
        return worth(rules, state, row, last, tally, deals, features), as_other
    mover = int(state.mover)
    frame = state.stack[0]
    if frame.step == TurnStep.COMMAND and rules.options.command_zero:
        cubes = rules.cards[frame.card].cubes
        deals[DECIDER] = mover
        action = best_command(rules, state, row, last, tally, deals, mover, cubes, on_table(state))[1]
        copy_state(state, states[level + 1])
        apply(rules, states[level + 1], action)
        return exactly(rules, states, level + 1, weights, last, tally, deals, features, outs)
    out = outs[level]
    best = (0.0, 0.0)
    for number in range(legal(rules, state, mover, out)):
        copy_state(state, states[level + 1])
        apply(rules, states[level + 1], int(out[number]))
        found = exactly(rules, states, level + 1, weights, last, tally, deals, features, outs)
        if number == 0 or (found[0] > best[0] if mover == last else found[1] < best[1]):
            best = found
    return best


@internal(types.int64, STATE, types.int64, types.int64, STATE)
def deal_hand(state: State, side: int, number: int, out: State) -> int:
    """Fill in candidate hand `number` of a side's opponent; return the number of candidate hands.

    Hand k holds the unknown cards k and k + 1 in a circle, so that each card is in equally many hands; with three
    unknown cards these are all possible hands.
    """
    copy_state(state, out)
    unknown = 0
    for card in range(N_CARDS):
        unknown += state.card[card] == CardIs.UNKNOWN
    place = 0
    for card in range(N_CARDS):
        if state.card[card] == CardIs.UNKNOWN:
            is_held = (place - number) % unknown < state.hand[1 - side]
            out.card[card] = CardIs.IN_HAND + 1 - side if is_held else CardIs.IN_PILE
            place += 1
    return unknown


@internal(
    types.float64,
    RULES,
    STATE,
    types.int64,
    ALL_WEIGHTS,
    types.int64,
    TALLY,
    DEALS,
    FEATURES,
    LEGAL,
    LEGAL,
    STATES,
    types.int64,
    types.int64,
)
def chance_after_answer(
    rules: Rules,
    ended: State,
    side: int,
    weights: Any,
    last: int,
    tally: Tally,
    deals: Any,
    features: Any,
    actions: Any,
    out: Any,
    states: Any,
    first: int,
    most: int,
) -> float:
    """Return the probability that `last` wins after the best next card, on average over the opponent's hands.

    At most `most` hands are examined, from number `first` on.
    """
    total = 0.0
    number = 0
    count = most
    trial = states[TRIAL]
    while number < count:
        count = min(deal_hand(ended, side, first + number, trial), most)
        if trial.node == Node.DRAW_CARD:
            # The player of the next card does not know the drawn card, so it may be drawn afterwards.
            trial.mover = trial.first if trial.turn % 2 == 0 else 1 - trial.first
            trial.node = Node.PLAY
        turn = trial.turn
        while trial.turn == turn and trial.mover < CHANCE:
            mover = int(trial.mover)
            view_of(rules, trial, mover, states[KNOWN])
            action = choose_quickly(rules, states[KNOWN], mover, weights, tally, deals, features, actions, out, states)
            apply(rules, trial, action)
        deals[DECIDER] = side
        total += chance_of_last(rules, trial, weights, last, tally, deals, features)
        number += 1
    return total / count


@compiled(
    types.int64,
    RULES,
    STATE,
    types.int64,
    ALL_WEIGHTS,
    LEGAL,
    CHANCES,
    STATES,
    STATES,
    TALLY,
    DEALS,
    FEATURES,
    OUTS,
)
def weigh(
    rules: Rules,
    view: State,
    side: int,
    weights: Any,
    actions: Any,
    values: Any,
    ends: Any,
    states: Any,
    tally: Tally,
    deals: Any,
    features: Any,
    outs: Any,
) -> int:
    """Write every legal action, its probability of winning and the table that it leaves; return their number."""
    last = who_is_last(view)
    deals[DECIDER] = side
    count = legal(rules, view, side, actions)
    is_final = view.turn == rules.limits.last_turn - 1
    for number in range(count):
        end = ends[number]
        copy_state(view, end)
        apply(rules, end, int(actions[number]))
        if is_final:
            copy_state(end, states[FOLLOWED])
            found = exactly(rules, states, FOLLOWED, weights, last, tally, deals, features, outs)
            value = found[0] if side == last else found[1]
        finish_card(rules, end, weights, last, tally, deals, features, outs[1], states)
        if not is_final:
            value = chance_of_last(rules, end, weights, last, tally, deals, features)
        values[number] = value if side == last else 1.0 - value
    if is_final or count == 1:
        return count
    lowest = 1.0
    looked_at = count if view.turn == rules.limits.last_turn - 2 else min(count, SHORTLIST)
    for _ in range(looked_at):
        best = 0
        for number in range(count):
            if values[best] > IS_LOOKED_AT or IS_LOOKED_AT > values[number] > values[best]:
                best = number
        value = chance_after_answer(
            rules, ends[best], side, weights, last, tally, deals, features, outs[0], outs[1], states, 0, N_CARDS
        )
        value = value if side == last else 1.0 - value
        lowest = min(lowest, value)
        values[best] = LOOKED_AT + value
    for number in range(count):
        if values[number] > IS_LOOKED_AT:
            values[number] -= LOOKED_AT
        else:
            values[number] *= lowest  # no better than the examined ones, in the order of the tables
    return count


def _empty_states(count: int) -> Any:
    return np.empty(count, DTYPE)


_scratch: Any = new_states if INTERPRETED else numba.njit(inline="always")(_empty_states)


def _decide(rules: Rules, view: State, side: int, random: Random, values: Any, ends: Any) -> int:
    tally = np.empty(N_TALLY, np.int64)
    features = np.empty(MAX_AT_ONCE, np.int16)
    states = _scratch(FOLLOWED + DEPTH)
    if view.node == Node.BID or view.node == Node.FIRST:
        return before_play(rules, view, side, random, WEIGHTS, values, tally, features, states[0])
    actions = np.empty(MAX_LEGAL, np.int16)
    deals = np.empty(N_DEALS, np.int64)
    outs = np.empty((FOLLOWED + DEPTH, MAX_LEGAL), np.int16)
    count = weigh(rules, view, side, WEIGHTS, actions, values, ends, states, tally, deals, features, outs)
    return int(actions[np.argmax(values[:count])])


decide = compiled_loop(_decide, types.int64, RULES, STATE, types.int64, RANDOM, CHANCES, STATES)


def _policy(rules: Rules, view: State, side: int, random: Random) -> int:
    return decide(rules, view, side, random, np.empty(MAX_LEGAL, np.float64), _scratch(MAX_LEGAL))


policy = compiled_loop(_policy, types.int64, RULES, STATE, types.int64, RANDOM)


def evaluate(rules: Rules, view: State, side: int, random: Random, actions: Any, values: Any, dangers: Any) -> int:
    """Implement `Evaluation`."""
    action = decide(rules, view, side, random, values, _scratch(MAX_LEGAL))
    count = legal(rules, view, side, actions)
    chosen = 0
    for number in range(count):
        dangers[number] = values[number] < -MAX_BY_MARGIN
        values[number] = min(max(values[number], 0.0), 1.0)
        if actions[number] == action:
            chosen = number
    return chosen


class RulesPlayer(PolicyPlayer):
    """Player at the level of a good club player; its values are probabilities of winning.

    Actions that can no longer win and may lose by war are marked as dangerous.
    """

    name = "rules"
    compiled_policy = staticmethod(policy)
    evaluation = staticmethod(evaluate)
    _judged: tuple[list[int], npt.NDArray[np.float64], Any] | None = None
    """Legal actions of the last decision with their values and the tables they leave."""

    def choose(self, seen: Observation) -> Choice:
        view, side = seen.view(), seen.side
        actions = self.game.legal_actions(view, side)
        values, ends = np.empty(MAX_LEGAL, np.float64), new_states(MAX_LEGAL)
        chosen = int(decide(self.game.rules, view, side, self.random, values, ends))
        judged = Choice.best(
            Candidate(action, value, int(value < -MAX_BY_MARGIN))
            for action, value in zip(actions, values.tolist(), strict=False)
        ).candidates
        self._judged = actions, values[: len(actions)], ends
        said = reason(self.game, view, side, actions, values[: len(actions)], ends, chosen)
        # The bonus for the lead at the end of the game matters only for their order.
        return Choice(chosen, tuple(one._replace(value=min(max(one.value, 0.0), 1.0)) for one in judged), said)

    def why(self, seen: Observation, choice: Choice) -> Message:
        """Return the reason for another player's choice, by that player's values, after `choose` for the same decision.

        Actions that the other player did not examine count as no better than those that it did.
        """
        view = seen.view()
        if view.node == Node.BID or self._judged is None:
            actions = self.game.legal_actions(view, seen.side)
            return reason(self.game, view, seen.side, actions, np.zeros(len(actions)), (), choice.action)
        actions, own, ends = self._judged
        known = {one.action: one.value for one in choice.candidates}
        least = min(known.values())
        values = np.array([known.get(action, least * value) for action, value in zip(actions, own, strict=True)])
        return reason(self.game, view, seen.side, actions, values, ends, choice.action)
