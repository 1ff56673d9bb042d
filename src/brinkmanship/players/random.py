"""The player of any game that takes every legal action as often as any other."""

from __future__ import annotations

from brinkmanship.engine.chance import below
from brinkmanship.engine.observation import Observation
from brinkmanship.players.player import Choice, Player


class RandomPlayer(Player):
    """Uniformly random; the yardstick every other player has to beat."""

    name = "random"
    is_asked = False

    def choose(self, seen: Observation) -> Choice:
        """See `Player.choose`."""
        actions = self.game.legal_actions(seen.view(), seen.side)
        return Choice(actions[below(self.random, len(actions))])
