"""The fast policy of 13 Minutes as a player, to be measured by."""

from __future__ import annotations

from brinkmanship.engine.game import Game
from brinkmanship.engine.observation import Observation
from brinkmanship.games.thirteen_minutes.players.fast import policy
from brinkmanship.players.budget import Budget
from brinkmanship.players.player import Choice, Player


class MinutesFast(Player):
    """The best of each way to play a card, without a copy of the position."""

    name = "fast"

    def __init__(self, game: Game, seed: int | None = None, budget: Budget | None = None) -> None:
        super().__init__(game, seed, budget)
        self.policy = policy

    def choose(self, seen: Observation) -> Choice:
        """See `Player.choose`."""
        return Choice(int(policy(self.game.rules, seen.view(), seen.side, self.random)))
