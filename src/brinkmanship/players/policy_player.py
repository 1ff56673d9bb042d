"""Computer players that are compiled policies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.chance import Random
from brinkmanship.engine.game import Game
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import Policy
from brinkmanship.players.budget import Budget
from brinkmanship.players.player import Candidate, Choice, Player

Evaluation = Callable[
    [Any, Any, int, Random, npt.NDArray[np.int16], npt.NDArray[np.float64], npt.NDArray[np.int64]], int
]
"""``evaluate(rules, view, side, random, actions, values, dangers) -> int``: write every legal action in the order of
`Game.legal` with its `Candidate.value` and `Candidate.danger`, and return the place of the player's own choice.

Plain Python that compiled code may call; it writes a danger to exclude an action that has no value.
"""


class PolicyPlayer(Player):
    """A player with a compiled policy; a subclass with explanations overrides `choose` and must decide the same."""

    compiled_policy: Policy
    """The policy, as a `staticmethod`."""
    evaluation: Evaluation | None = None
    """The evaluation behind its choices, likewise, for noisy versions (`noisy_policy`); None: not available."""

    def __init__(self, game: Game, seed: int | None = None, budget: Budget | None = None) -> None:
        super().__init__(game, seed, budget)
        self.policy = self.compiled_policy

    def choose(self, seen: Observation) -> Choice:
        return Choice(int(self.compiled_policy(self.game.rules, seen.view(), seen.side, self.random)))


def best_of_arrays(
    count: int,
    actions: npt.NDArray[np.int16],
    values: npt.NDArray[np.float64],
    dangers: npt.NDArray[np.int64] | None = None,
) -> Choice:
    """Return the best of the first `count` actions as evaluated by a compiled function (`Choice.best`)."""
    columns = [column[:count].tolist() for column in (actions, values, dangers) if column is not None]
    return Choice.best(Candidate(*row) for row in zip(*columns, strict=True))
