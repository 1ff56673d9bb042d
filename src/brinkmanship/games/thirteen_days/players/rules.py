"""The player of 13 Days that plays like a good club player, and gives its reasons.

It looks as far ahead as `greedy`, to the end of the card in play, and avoids an avoidable war as strictly. But it
evaluates the resulting position by two heads: the points of `outlook`, with weights for the current round (a cube on
the aftermath stack is worth three times as much in round 1 as in round 3, a marker that is high now will have to come
down), and the learned chance of winning (`value`), fitted to the results of such positions. Both heads use the flags of
both sides: an unknown agenda counts as the mean of those that its flags allow.

The reason for a choice is its strongest argument compared with the mean of all safe choices: the part of the learned
value with the largest difference. Reasons refer to the side's own agenda and hand: they are for its own seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import compiled, compiled_loop
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.record import State
from brinkmanship.games.cuban.frame import US, Legal
from brinkmanship.games.thirteen_days.players.features import BLOCKS, N_FEATURES, VALUES, write_features
from brinkmanship.games.thirteen_days.players.greedy import (
    BUDGET,
    DEPTH,
    WORST,
    best_of,
    copy_into,
    danger_ahead,
    follow,
    position_value,
    scratch_states,
)
from brinkmanship.games.thirteen_days.players.learned import WEIGHTS
from brinkmanship.games.thirteen_days.players.value import logit, next_moment
from brinkmanship.games.thirteen_days.players.weights import BY_ROUND, WEIGHTS_TYPE, Weights
from brinkmanship.games.thirteen_days.rules.action_numbers import MAX_LEGAL, keep_action
from brinkmanship.games.thirteen_days.rules.flow import apply, legal
from brinkmanship.games.thirteen_days.rules.state import STATE, Node
from brinkmanship.games.thirteen_days.rules.steps.agenda_scoring import award
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules
from brinkmanship.players.budget import Budget
from brinkmanship.players.player import AGAINST, Choice, in_spite_of
from brinkmanship.players.policy_player import PolicyPlayer, best_of_arrays

PER_POINT = 0.5
"""Weight of a point of Prestige of `outlook` beside the learned value, in its logits."""

LAST_CARDS = 2
"""Number of cards in hand at which one is played and the other saved."""

BECAUSE: dict[str, tuple[str, ...]] = {
    "agendas": ("prestige", "expected", "awards"),
    "board": ("lead", "cubes_ahead", "cubes"),
    "defcon": ("step", "high", "war"),
    "letter": ("letter",),
    "hand": ("hand",),
    "aftermath": ("stack", "stack_ahead"),
    "round": ("modifier", "ban"),
}
"""The reasons, with the features that each consists of."""


@compiled(types.float64, RULES, STATE, types.int64, WEIGHTS_TYPE, VALUES)
def judgement(rules: Rules, state: State, side: int, weights: Weights, scratch: npt.NDArray[np.float64]) -> float:
    """Return the evaluation of a position by both heads, in logits; `scratch` is float64[N_FEATURES]."""
    points = position_value(rules, state, side, weights)
    return float(logit(rules, state, side, scratch) + PER_POINT * points)


def weigh(
    rules: Rules,
    view: State,
    side: int,
    states: Any,
    outs: Any,
    budget: Any,
    scratch: npt.NDArray[np.float64],
    actions: Legal,
    values: npt.NDArray[np.float64],
    dangers: npt.NDArray[np.int64],
) -> int:
    """Write every legal action, its evaluation, and the danger it can be sure of not exceeding; return their number."""
    weights = BY_ROUND[view.round_number]
    count = legal(rules, view, side, actions)
    for number in range(count):
        copy_into(view, states, 0)
        apply(rules, states[0], int(actions[number]))
        budget[0] = BUDGET
        dangers[number] = danger_ahead(rules, states, outs, 0, side, 0, WORST, budget)
        follow(rules, states, outs, 0, side, weights)
        values[number] = judgement(rules, states[0], side, weights, scratch)
    return count


_weigh_inlined: Any = numba.njit(inline="always")(weigh)


def evaluate(
    rules: Rules,
    view: State,
    side: int,
    random: Random,  # noqa: ARG001 - the contract's signature
    actions: Legal,
    values: npt.NDArray[np.float64],
    dangers: npt.NDArray[np.int64],
) -> int:
    """Implement `Evaluation`."""
    states = scratch_states()
    outs = np.empty((DEPTH + 1, MAX_LEGAL), np.int16)
    budget = np.empty(1, np.int64)
    scratch = np.empty(N_FEATURES)
    count = _weigh_inlined(rules, view, side, states, outs, budget, scratch, actions, values, dangers)
    return int(best_of(count, values, dangers))


_evaluate_inlined: Any = numba.njit(inline="always")(evaluate)


def _policy(rules: Rules, view: State, side: int, random: Random) -> int:
    actions = np.empty(MAX_LEGAL, np.int16)
    values = np.empty(MAX_LEGAL, np.float64)
    dangers = np.empty(MAX_LEGAL, np.int64)
    return int(actions[_evaluate_inlined(rules, view, side, random, actions, values, dangers)])


policy = compiled_loop(_policy, types.int64, RULES, STATE, types.int64, RANDOM)


class _Room(NamedTuple):
    """Buffers for a decision, apart from its result."""

    states: Any
    outs: npt.NDArray[np.int16]
    budget: npt.NDArray[np.int64]
    scratch: npt.NDArray[np.float64]


class RulesPlayer(PolicyPlayer):
    """Greedy's lookahead with a better evaluation. Its values are logits of winning, its dangers those of `danger`."""

    name = "rules"
    compiled_policy = staticmethod(policy)
    evaluation = staticmethod(evaluate)

    def __init__(self, game: Game, seed: int | None = None, budget: Budget | None = None) -> None:
        super().__init__(game, seed, budget)
        self._room = _Room(
            game.new_states(DEPTH + 1),
            np.empty((DEPTH + 1, MAX_LEGAL), np.int16),
            np.empty(1, np.int64),
            np.empty(N_FEATURES),
        )

    def choose(self, seen: Observation) -> Choice:
        view, side = seen.view(), seen.side
        actions = np.empty(MAX_LEGAL, np.int16)
        values = np.empty(MAX_LEGAL, np.float64)
        dangers = np.empty(MAX_LEGAL, np.int64)
        count = weigh(self.game.rules, view, side, *self._room, actions, values, dangers)
        choice = best_of_arrays(count, actions, values, dangers)
        return choice._replace(reason=self._reason(view, side, choice))

    def _reason(self, view: State, side: int, choice: Choice) -> Message:
        candidates = choice.candidates
        if len(candidates) == 1:
            return Message("why.13-days.only")
        safe = [one for one in candidates if one.danger == candidates[0].danger]
        if candidates[0].value < max(one.value for one in candidates):
            return Message("why.13-days.peace" if candidates[0].danger == 0 else "why.13-days.least_danger")
        if view.node == Node.AGENDA:
            return Message("why.13-days.agenda.best", {"fact": self._of_agenda(view, side, choice.action)})
        fact = self._fact(view, side, [one.action for one in safe]) or Message("why.13-days.board")
        return in_spite_of(fact) if fact.key == AGAINST else fact

    def _fact(self, view: State, side: int, actions: Sequence[int]) -> Message | None:
        """Return what speaks most for the first action, compared with the mean of all; if nothing, what against it.

        In some decisions it is the same for every action. None if all actions leave the same.
        """
        if view.node == Node.FIRST:
            return Message("why.13-days.first")
        if view.node in (Node.ALLIANCES, Node.ALLIANCES_CARD):
            return Message("why.13-days.aftermath")
        parts = np.array([self._parts(view, side, action) for action in actions])
        ahead = parts[0] - parts.mean(axis=0)
        if not ahead.any():
            return None
        speaks_for = ahead.max() > 0.0
        why = list(BECAUSE)[int(ahead.argmax() if speaks_for else ahead.argmin())]
        # The last card but one determines the card that goes to the aftermath stack.
        if why == "hand" and view.hand[side] <= LAST_CARDS:
            why = "aftermath"
        if speaks_for:
            return Message(f"why.13-days.{why}")
        return Message(AGAINST, {"against": Message(f"part.13-days.{why}")})

    def why(self, seen: Observation, choice: Choice) -> Message | None:
        """Return what sets another player's choice apart from the others that it tried; None if nothing does.

        An agenda is drawn from a mixture, so that it is not compared: the fact is what it would bring now.
        """
        view, side = seen.view(), seen.side
        if view.node == Node.AGENDA:
            return self._of_agenda(view, side, choice.action)
        others = (one.action for one in choice.candidates if one.action != choice.action)
        return self._fact(view, side, [choice.action, *others])

    def _of_agenda(self, view: State, side: int, action: int) -> Message:
        """Return what the agenda that an action keeps would bring if it were scored now."""
        points = int(award(self.game.rules, view, action - keep_action(side, 0))) * (1 if side == US else -1)
        if points == 0:
            return Message("why.13-days.agenda.even")
        return Message(f"why.13-days.agenda.{'ahead' if points > 0 else 'behind'}", {"n": abs(points)})

    def parts(self, seen: Observation, actions: Sequence[int]) -> dict[str, list[float]]:
        """Return for each reason its part in the learned value after each of some actions, in points of Prestige."""
        found = np.array([self._parts(seen.view(), seen.side, action) for action in actions]) / PER_POINT
        return dict(zip(BECAUSE, found.T.tolist(), strict=True))

    def _parts(self, view: State, side: int, action: int) -> list[float]:
        """Return each reason's part in the learned value after an action."""
        states, outs, _, scratch = self._room
        copy_into(view, states, 0)
        self.game.apply(self.game.rules, states[0], action)
        follow(self.game.rules, states, outs, 0, side, BY_ROUND[view.round_number])
        write_features(self.game.rules, states[0], scratch)
        terms = scratch * WEIGHTS[next_moment(states[0])] * (1.0 if side == US else -1.0)
        return [float(sum(terms[BLOCKS[block]].sum() for block in blocks)) for blocks in BECAUSE.values()]
