"""Yardsticks of 13 Days."""

from __future__ import annotations

import numpy as np
from numba import types

from brinkmanship.engine.jit.compile import compiled
from brinkmanship.games.thirteen_days.players.greedy import GreedyPlayer, policy, position_value
from brinkmanship.games.thirteen_days.players.value import cut
from brinkmanship.games.thirteen_days.players.weights import weights
from brinkmanship.games.thirteen_days.rules.state import STATE, State
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules
from brinkmanship.players.search import SearchConfig, SearchPlayer
from brinkmanship.players.tree import Outlook, TreePlayer

WEIGHTS = weights()
"""Those of `greedy`."""
POINTS = 6.0
"""Points of Prestige in which what is promised is squashed to a chance to win."""


@compiled(types.float64, RULES, STATE, types.int64)
def squashed(rules: Rules, state: State, side: int) -> float:
    """What `greedy` thinks a position promises a side, as if it were a chance to win."""
    return float(0.5 + 0.5 * np.tanh(position_value(rules, state, side, WEIGHTS) / POINTS))


@compiled(types.boolean, RULES, STATE, STATE)
def card_is_over(rules: Rules, root: State, state: State) -> bool:  # noqa: ARG001 - the shape of a `Cut`
    """Whether a card has been played since `root`: further on, thinking one ply deep did worse."""
    return bool(state.depth == 0 and (state.turn != root.turn or state.round_number != root.round_number))


class DaysRoll(SearchPlayer):
    """What `greedy` likes best, compared by games of `greedy` to the round's end in the same worlds."""

    name = "roll"
    method = SearchConfig(policy=policy, value=squashed, cut=cut, prior=GreedyPlayer, scale=POINTS)


class DaysTree(TreePlayer):
    """A tree of what `greedy` thinks at once, to the end of the card."""

    outlook = Outlook(value=squashed, cut=card_is_over, prior=GreedyPlayer)
