"""Reference players of 13 Days."""

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
"""The weights of `greedy`."""
POINTS = 6.0
"""Scale (points of Prestige) of the squashing of `greedy`'s value to a chance of winning."""


@compiled(types.float64, RULES, STATE, types.int64)
def squashed(rules: Rules, state: State, side: int) -> float:
    """Return `greedy`'s value of a position for a side as a pseudo chance of winning."""
    return float(0.5 + 0.5 * np.tanh(position_value(rules, state, side, WEIGHTS) / POINTS))


@compiled(types.boolean, RULES, STATE, STATE)
def card_is_over(rules: Rules, root: State, state: State) -> bool:  # noqa: ARG001 - the shape of a `Cut`
    """Return True if a card has been played since `root`: one ply deep, later cuts did worse."""
    return bool(state.depth == 0 and (state.turn != root.turn or state.round_number != root.round_number))


class DaysRoll(SearchPlayer):
    """Flat search: `greedy`'s best choices, compared by playouts of `greedy` to the round's end in the same deals."""

    name = "roll"
    method = SearchConfig(policy=policy, value=squashed, cut=cut, prior=GreedyPlayer, scale=POINTS)


class DaysTree(TreePlayer):
    """Tree search with `greedy`'s value of a position, to the end of the card."""

    outlook = Outlook(value=squashed, cut=card_is_over, prior=GreedyPlayer)
