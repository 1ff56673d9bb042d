"""A player that spends its coins in proportion to what the prizes are worth to it."""

from __future__ import annotations

from brinkmanship.engine.chance import below
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.players.player import Candidate, Choice, Player
from template_game.rules.actions import N_BIDS, Action
from template_game.rules.state import PrizeIs, State


class FairSharePlayer(Player):
    """Bid the open prize's share of the coins, sometimes one more, so that nobody can outbid it by one for certain.

    It is asked with its side's observation, so that it knows no more than a person in its seat.
    """

    name = "fair_share"

    def choose(self, seen: Observation) -> Choice:
        view, side = seen.view(), seen.side
        wanted = self.share(view, side) + below(self.random, 2)
        legal = self.game.legal_actions(view, side)
        judged = [Candidate(action, -abs(wanted - (action - Action.BID) % N_BIDS)) for action in legal]
        choice = Choice.best(judged)
        return choice._replace(reason=Message("why.fair_share", {"coins": int(view.coins[side])}))

    def share(self, view: State, side: int) -> int:
        """Return the part of the coins that the open prize deserves among those still to be had."""
        worth = [
            int(self.game.rules.worth[prize]) * (2 if view.favourite[side] == prize else 1)
            for prize in range(len(view.prize))
        ]
        left = sum(worth[prize] for prize, where in enumerate(view.prize) if where in (PrizeIs.OPEN, PrizeIs.IN_PILE))
        wanted = sum(worth[prize] for prize, where in enumerate(view.prize) if where == PrizeIs.OPEN)
        return round(int(view.coins[side]) * wanted / left)
