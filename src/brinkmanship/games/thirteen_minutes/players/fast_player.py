"""The fast policy of 13 Minutes as a player, used as a yardstick."""

from __future__ import annotations

from brinkmanship.games.thirteen_minutes.players.fast import policy
from brinkmanship.players.policy_player import PolicyPlayer


class MinutesFast(PolicyPlayer):
    """Choose the best way to play a card without copying the position."""

    name = "fast"
    compiled_policy = staticmethod(policy)
