"""A player that looks whether what it is about to do starts a war, and does something else where that need not be.

The player it is made of judges a position; where that judgement does not see a war coming, as coarse eyes do not, it
would walk into one. So before it answers, the fast policy of the game plays the answer on for both sides in some worlds
drawn from all that its side cannot tell apart. Only where its side starts a war in many of them are the other
answers played on too, in more worlds that all of them share; one that wins as often and starts its war much less often
goes before the first. Nothing else is changed: it is as weak as before at everything that is no war.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np

from brinkmanship.engine.chance import below
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import INTERPRETED
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.players.player import Choice, Player
from brinkmanship.players.search import BITS_OF_SEED, Playouts, SearchPlayer

LOOKED_AT = 12
"""Worlds in which the answer alone is played on."""
COMPARED = 48
"""Worlds in which all answers are."""
OFTEN = 0.25
"""The share of the worlds from which on a war is one to be avoided."""
MUCH = 0.3
"""The share of the worlds by which another answer has to make it rarer."""
ALIKE = 0.1
"""Answers that differ by less than this share in their wars are about as safe."""
MOST = 20
"""Answers compared: the best ones, as the player judges them."""


class BlunderCheckPlayer(Player):
    """A player that starts no war that it could avoid, as far as the fast policy of its game can tell.

    Args:
        game: the ruleset, in which there are wars (`SearchConfig.war`).
        bold: makes the player whose answers are looked at, from the seed of its random numbers.
        search: the search player of the game, by whose method games are played on.
        seed: of its own random numbers.
    """

    name = "wary"

    def __init__(
        self, game: Game, bold: Callable[[int | None], Player], search: SearchPlayer, seed: int | None = None
    ) -> None:
        super().__init__(game, seed)
        self._new_bold = bold
        self._bold = bold(seed)
        self._search = search
        self._wars = [number for number, reason in enumerate(game.reasons) if reason in search.method.war]

    def choose(self, seen: Observation) -> Choice:
        """See `Player.choose`."""
        seed = below(self.random, 1 << BITS_OF_SEED)
        choice = self._bold.choose(seen)
        # Interpreted, a few playouts take longer than people wait.
        if INTERPRETED or len(self.game.legal_actions(seen.view(), seen.side)) == 1:
            return choice
        playouts = Playouts(self._search, seen, seed)
        _, wars = self._compared(playouts, [choice.action], LOOKED_AT)
        if wars[0] < OFTEN:
            return choice
        actions = self._others(seen, choice)
        wins, wars = self._compared(playouts, [choice.action, *actions], COMPARED)
        safer = (wins[1:] >= wins[0]) & (wars[1:] <= wars[0] - MUCH)
        if not safer.any():
            return choice
        least = wars[1:][safer].min()
        found = int(np.flatnonzero(safer & (wars[1:] <= least + ALIKE))[0])
        return Choice(actions[found], choice.candidates, Message("why.wary", {"percent": round(100 * float(wars[0]))}))

    def fresh(self, seed: int) -> Self:
        """See `Player.fresh`. The player it is made of is another one too."""
        likeness = super().fresh(seed)
        likeness._bold = self._new_bold(seed)
        return likeness

    def _others(self, seen: Observation, choice: Choice) -> list[int]:
        """What else could be done, the best first as far as it is judged."""
        judged = [one.action for one in choice.candidates]
        legal = self.game.legal_actions(seen.view(), seen.side)
        ordered = [*judged, *(action for action in legal if action not in judged)]
        return [action for action in ordered if action != choice.action][: MOST - 1]

    def _compared(self, playouts: Playouts, actions: list[int], worlds: int) -> tuple[np.ndarray, np.ndarray]:
        """How often the side wins, and starts a war, after each action in so many new worlds: float64[n] each."""
        points = playouts.play(np.array(actions, np.int64)[:, None], worlds)
        # Of a war that both started each has started its own.
        wars = np.isin(playouts.ends, self._wars) & (points < 1)
        return points.mean(axis=0), wars.mean(axis=0)
