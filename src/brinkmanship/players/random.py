"""Uniformly random player for any game."""

from __future__ import annotations

from brinkmanship.engine.chance import below
from brinkmanship.engine.observation import Observation
from brinkmanship.players.player import Choice, Player


class RandomPlayer(Player):
    """A uniformly random player; the baseline for all other players."""

    name = "random"
    is_asked = False

    def choose(self, seen: Observation) -> Choice:
        actions = self.game.legal_actions(seen.view(), seen.side)
        return Choice(actions[below(self.random, len(actions))])
