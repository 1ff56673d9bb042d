"""The dice of an action, for pictures beside the log."""

from __future__ import annotations

from brinkmanship.engine.message import Dice
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, higher_die, lower_die
from brinkmanship.games.ukrainian_crisis.rules.narration.combat import dice_at_once
from brinkmanship.games.ukrainian_crisis.rules.phrases import frame_of
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import State


def dice(game: UkrainianCrisisRuleset, before: State, action: int) -> Dice | None:
    """Return the dice of an action; diplomatic attempts record only the sum, combat dice only the number of hits."""
    if Action.DIE <= action < Action.TWO_DICE:
        return Dice(1, (action - Action.DIE + 1,))
    if Action.TWO_DICE <= action < Action.DICE_SUM:
        return Dice(2, (lower_die(action), higher_die(action)))
    if Action.DICE_SUM <= action < Action.HITS:
        return Dice(int(game.rules.rank[frame_of(before).country]), total=action - Action.DICE_SUM)
    if Action.HITS <= action < Action.PLACE:
        return Dice(dice_at_once(before), hits=action - Action.HITS)
    return None
