"""The player `rules` of Ukrainian Crisis: at the level of a good club player, with a reason for each action.

It computes the worth of each choice by formulas (`judgement`), and takes the best:

* **Cards** go where they gain most at this stage of the game; the two sides weigh areas and stages differently.
  Choices that are about equally good are randomised, so that they cannot be predicted.
* **War** is declared if the game would be scored better with a Combat Turn and, in a war, if the own Regulars are
  the stronger; it asks for a Ceasefire only if a Combat Turn would be worse.
* **Diplomacy** pays what the odds justify: the exact chance of each payment, times the gain of the marker in the Turns
  that are left, less the payment.
* **On the map** it puts units where they take, contest or hold the most points, and fights where the exact chance of
  clearing a zone is worth the Prestige and the units that the fight may cost.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.chance import Random
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.games.ukrainian_crisis.players.fast import policy
from brinkmanship.games.ukrainian_crisis.players.judgement.survey import N_ROWS
from brinkmanship.games.ukrainian_crisis.players.judgement.weigh import weigh
from brinkmanship.games.ukrainian_crisis.players.reasons import reason
from brinkmanship.games.ukrainian_crisis.players.weights import LEARNED
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import MAX_LEGAL
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.state import State
from brinkmanship.games.ukrainian_crisis.rules.tables import Rules
from brinkmanship.players.player import Choice
from brinkmanship.players.policy_player import PolicyPlayer, best_of_arrays


def evaluate(
    rules: Rules,
    view: State,
    side: int,
    random: Random,
    actions: npt.NDArray[np.int16],
    values: npt.NDArray[np.float64],
    dangers: npt.NDArray[np.int64],
) -> int:
    """Implement `Evaluation`."""
    board = np.empty((N_ROWS, MAX_ZONES), np.int64)
    count = weigh(rules, view, side, LEARNED, random, board, actions, values)
    dangers[:count] = 0
    return int(np.argmax(values[:count]))


class RulesPlayer(PolicyPlayer):
    """`rules`; its values are Victory Points or Prestige or, for cards, orders and the like, on their own scale."""

    name = "rules"
    compiled_policy = staticmethod(policy)
    evaluation = staticmethod(evaluate)

    _board: npt.NDArray[np.int64] | None = None
    """The survey of the last decision."""

    def choose(self, seen: Observation) -> Choice:
        view, side = seen.view(), seen.side
        board = self._board = np.zeros((N_ROWS, MAX_ZONES), np.int64)
        actions = np.empty(MAX_LEGAL, np.int16)
        values = np.empty(MAX_LEGAL, np.float64)
        game = cast(UkrainianCrisis, self.game)
        count = weigh(game.rules, view, side, LEARNED, self.random, board, actions, values)
        choice = best_of_arrays(count, actions, values)
        return choice._replace(reason=reason(game, view, side, board, choice.action, choice.candidates[0].value))

    def why(self, seen: Observation, choice: Choice) -> Message | None:
        """Return the reason for another player's choice, after `choose` for the same decision; None before it."""
        if self._board is None:
            return None
        game = cast(UkrainianCrisis, self.game)
        return reason(game, seen.view(), seen.side, self._board, choice.action, 0.0)
