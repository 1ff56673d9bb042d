"""Levels: computer players from a beginner to the strongest, as people choose them by name.

A level is a player of the game, or one whose eyes are coarser: of what it can do, it takes by chance anything that
looks to it about as good as the best. How large a difference it does not see is its *grain*, on the scale of the values
of the player that judges for it. So a weak level plays like somebody who knows the rules and weighs things roughly:
what it does is never far from the best it knows, and it never takes what leads nearer to a war than it has to.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Self

from brinkmanship.engine.chance import below
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.players.budget import Budget
from brinkmanship.players.player import Choice, Player

CHANCE_HAD_ITS_SAY = Message("why.level")
"""The reason of a choice that looked no better than others."""


class LevelPlayer(Player):
    """A player that judges like another one, but does not see differences smaller than its grain.

    Args:
        game: the ruleset.
        judge: makes the player that judges, from the seed of its random numbers.
        grain: see the module.
        firm: see `levels.Levels`.
    """

    name = "level"

    def __init__(
        self,
        game: Game,
        judge: Callable[[int | None], Player],
        grain: float,
        firm: Container[str] = (),
        seed: int | None = None,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(game, seed, budget)
        self._new_judge = judge
        self._grain = grain
        self._firm = firm
        self._judge = judge(seed)

    def choose(self, seen: Observation) -> Choice:
        """See `Player.choose`."""
        choice = self._judge.choose(seen)
        taken = next((one for one in choice.candidates if one.action == choice.action), None)
        if taken is None or self.game.narrator.prompt(seen.view(), seen.side).key in self._firm:
            return choice
        alike = [
            one for one in choice.candidates if one.danger <= taken.danger and one.value >= taken.value - self._grain
        ]
        found = alike[below(self.random, len(alike))]
        if found.action == choice.action:
            return choice
        return Choice(found.action, choice.candidates, CHANCE_HAD_ITS_SAY)

    def fresh(self, seed: int) -> Self:
        """See `Player.fresh`. The judge is another one too: it may have room of its own to think in."""
        likeness = super().fresh(seed)
        likeness._judge = self._new_judge(seed)
        return likeness
