"""Baseline players of 13 Minutes."""

from __future__ import annotations

import numpy as np
from numba import types

from brinkmanship.engine.jit.compile import compiled
from brinkmanship.engine.record import State
from brinkmanship.games.thirteen_minutes.players import fast
from brinkmanship.games.thirteen_minutes.players.greedy import GreedyPlayer, policy
from brinkmanship.games.thirteen_minutes.players.outlook import hand_value, table_value
from brinkmanship.games.thirteen_minutes.players.search import cut
from brinkmanship.games.thirteen_minutes.players.value import value
from brinkmanship.games.thirteen_minutes.rules.state import STATE, Node
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules
from brinkmanship.players.policy_player import PolicyPlayer
from brinkmanship.players.search import SearchConfig, SearchPlayer
from brinkmanship.players.tree import Outlook, TreePlayer

POINTS = 6.0
"""Difference in points of `greedy`'s outlook that counts as large (scale of the squashing)."""


@compiled(types.float64, RULES, STATE, types.int64)
def squashed(rules: Rules, state: State, side: int) -> float:
    """Return `greedy`'s outlook for a side, squashed to a chance to win."""
    promised = table_value(rules, state, side) + hand_value(rules, state, side)
    return float(0.5 + 0.5 * np.tanh(promised / POINTS))


def is_left(view: State) -> bool:
    """Return True for decisions left to `greedy`: the bid and the first player, where its playouts say nothing."""
    return bool(view.node in (Node.BID, Node.FIRST))


class MinutesFast(PolicyPlayer):
    """Choose the best way to play a card without copying the position."""

    name = "fast"
    compiled_policy = staticmethod(fast.policy)


class MinutesRoll(SearchPlayer):
    """Compare `greedy`'s best actions by `greedy` playouts to the end, with common determinizations."""

    name = "roll"
    method = SearchConfig(policy=policy, value=value, cut=cut, prior=GreedyPlayer, scale=POINTS, is_left=is_left)


class MinutesTree(TreePlayer):
    """Tree search with `greedy`'s outlook as evaluation, to the end of the game."""

    outlook = Outlook(value=squashed, cut=cut, prior=GreedyPlayer, is_left=is_left)
