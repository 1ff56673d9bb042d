"""The fast policy of 13 Minutes as a player, to be measured by."""

from __future__ import annotations

from brinkmanship.games.thirteen_minutes.players.fast import policy
from brinkmanship.players.policy_player import PolicyPlayer


class MinutesFast(PolicyPlayer):
    """The best of each way to play a card, without a copy of the position."""

    name = "fast"
    compiled_policy = staticmethod(policy)
