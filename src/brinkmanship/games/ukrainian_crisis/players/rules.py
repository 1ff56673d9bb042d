"""The player `rules` of Ukrainian Crisis: like a good club player, with a reason for everything it does.

It counts by formulas (`judgement`) what each answer brings, and takes the best:

* **Cards** go where they bring most at this stage of the game; the two sides weigh areas and stages differently. Chance
  decides between what is about as good, so that nobody can reckon on it.
* **War** is declared where the game would stand better as one with a Combat Turn, and in a war where the own Regulars
  are the stronger; a Ceasefire is asked for only where a Combat Turn would stand worse.
* **Diplomacy** pays what the odds justify: the exact chance of each payment, times what the marker brings in the Turns
  that are left, less what is paid.
* **On the map** it puts units where they take, contest or hold the most points, and fights where the exact chance of
  clearing a zone is worth the Prestige and the units that the fight may cost.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from brinkmanship.engine.observation import Observation
from brinkmanship.games.ukrainian_crisis.players.fast import policy
from brinkmanship.games.ukrainian_crisis.players.judgement.survey import N_ROWS
from brinkmanship.games.ukrainian_crisis.players.judgement.weigh import weigh
from brinkmanship.games.ukrainian_crisis.players.reasons import reason
from brinkmanship.games.ukrainian_crisis.players.weights import LEARNED
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import MAX_LEGAL
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.players.player import Choice
from brinkmanship.players.policy_player import PolicyPlayer, best_of_arrays


class RulesPlayer(PolicyPlayer):
    """`rules`; its values are Victory Points or Prestige, or at cards, orders and answers a scale of their own."""

    name = "rules"
    compiled_policy = staticmethod(policy)

    def choose(self, seen: Observation) -> Choice:
        """See `Player.choose`."""
        view, side = seen.view(), seen.side
        board = np.zeros((N_ROWS, MAX_ZONES), np.int64)
        actions = np.empty(MAX_LEGAL, np.int16)
        values = np.empty(MAX_LEGAL, np.float64)
        game = cast(UkrainianCrisis, self.game)
        count = weigh(game.rules, view, side, LEARNED, self.random, board, actions, values)
        choice = best_of_arrays(count, actions, values)
        return choice._replace(reason=reason(game, view, side, board, choice.action, choice.candidates[0].value))
