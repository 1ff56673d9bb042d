"""A player that checks its choice for starting an avoidable war, and replaces it by a safer one.

It wraps another player. A noisy evaluation may overlook an imminent war and blunder into it. So before it acts, the
fast policy of the game simulates the choice for both sides in some sampled deals that are consistent with its view.
Only if its side starts a war in many of them, the other choices are simulated as well, all in the same larger sample; a
choice that wins as often and starts its war much less often replaces the first. Otherwise its strength is that of the
wrapped player.
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
from brinkmanship.engine.playout import Policy
from brinkmanship.players.player import Choice, Player
from brinkmanship.players.search import BITS_OF_SEED, Playouts, SearchPlayer

LOOKED_AT = 12
"""Sampled deals for the choice alone."""
COMPARED = 48
"""Sampled deals for the comparison of all choices."""
OFTEN = 0.25
"""Minimum fraction of deals with a war for which alternatives are examined."""
MUCH = 0.3
"""Minimum reduction of that fraction for another choice to replace the first."""
ALIKE = 0.1
"""Choices whose war fractions differ by less than this count as equally safe."""
MAX_COMPARED = 20
"""Maximum choices compared: the best ones by the player's evaluation."""


class BlunderCheckPlayer(Player):
    """A player that starts no avoidable war, as far as the fast policy of its game can tell.

    Args:
        game: the ruleset, which has wars (`SearchConfig.war`).
        inner: makes the wrapped player, from the seed of its random numbers.
        search: the search player of the game, whose method is used for playouts.
        seed: seed of its own random numbers.
    """

    name = "wary"

    def __init__(
        self, game: Game, inner: Callable[[int | None], Player], search: SearchPlayer, seed: int | None = None
    ) -> None:
        super().__init__(game, seed)
        self._new_inner = inner
        self._inner = inner(seed)
        self._search = search
        self._wars = [number for number, reason in enumerate(game.reasons) if reason in search.method.war]

    def choose(self, seen: Observation) -> Choice:
        seed = below(self.random, 1 << BITS_OF_SEED)
        choice = self._inner.choose(seen)
        # Interpreted playouts are too slow to wait for.
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

    def compiled_model(self) -> Policy | None:
        """Return the model of the wrapped player: the check itself is no policy."""
        return self._inner.compiled_model()

    def fresh(self, seed: int) -> Self:
        """Return a copy with its own random numbers and its own wrapped player."""
        likeness = super().fresh(seed)
        likeness._inner = self._new_inner(seed)
        return likeness

    def _others(self, seen: Observation, choice: Choice) -> list[int]:
        """Return the other legal actions, best first as far as the wrapped player evaluated them."""
        judged = [one.action for one in choice.candidates]
        legal = self.game.legal_actions(seen.view(), seen.side)
        ordered = [*judged, *(action for action in legal if action not in judged)]
        return [action for action in ordered if action != choice.action][: MAX_COMPARED - 1]

    def _compared(self, playouts: Playouts, actions: list[int], worlds: int) -> tuple[np.ndarray, np.ndarray]:
        """Return how often the side wins, and starts a war, after each action in new sampled deals: float64[n] each."""
        points = playouts.play(np.array(actions, np.int64)[:, None], worlds)
        # A war that both sides started (a draw) counts as a war of each.
        wars = np.isin(playouts.ends, self._wars) & (points < 1)
        return points.mean(axis=0), wars.mean(axis=0)
