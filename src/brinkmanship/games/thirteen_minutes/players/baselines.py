"""Yardsticks of 13 Minutes."""

from __future__ import annotations

import numpy as np
from numba import types

from brinkmanship.engine.jit.compile import compiled
from brinkmanship.engine.record import State
from brinkmanship.games.thirteen_minutes.players.greedy import GreedyPlayer, policy
from brinkmanship.games.thirteen_minutes.players.outlook import hand_value, table_value
from brinkmanship.games.thirteen_minutes.players.search import cut
from brinkmanship.games.thirteen_minutes.players.value import value
from brinkmanship.games.thirteen_minutes.rules.state import STATE, Node
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules
from brinkmanship.players.search import SearchConfig, SearchPlayer
from brinkmanship.players.tree import Outlook, TreePlayer

POINTS = 6.0
"""Points of `greedy`'s outlook that count much."""


@compiled(types.float64, RULES, STATE, types.int64)
def squashed(rules: Rules, state: State, side: int) -> float:
    """What `greedy` thinks a position promises a side, as if it were a chance to win."""
    promised = table_value(rules, state, side) + hand_value(rules, state, side)
    return float(0.5 + 0.5 * np.tanh(promised / POINTS))


def is_left(view: State) -> bool:
    """Whether `greedy` decides alone: the bid, and who begins, on which its playouts say nothing."""
    return bool(view.node in (Node.BID, Node.FIRST))


class MinutesRoll(SearchPlayer):
    """What `greedy` likes best, compared by games of `greedy` to the end in the same worlds."""

    name = "roll"
    method = SearchConfig(policy=policy, value=value, cut=cut, prior=GreedyPlayer, scale=POINTS, is_left=is_left)


class MinutesTree(TreePlayer):
    """A tree of what `greedy` thinks at once, to the end of the game."""

    outlook = Outlook(value=squashed, cut=cut, prior=GreedyPlayer, is_left=is_left)
