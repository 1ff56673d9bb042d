"""Warnings to a side before an action that ends the game by Prestige 0 while it is behind (sections 8.1 and 9.0)."""

from __future__ import annotations

from brinkmanship.engine.message import Message
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.games.ukrainian_crisis.rules.phrases import the_side
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Level, Node, State
from brinkmanship.games.ukrainian_crisis.rules.victory import victory_points

DICE = (Node.ROLL, Node.DIE, Node.DICE_SUM, Node.HITS)
"""Nodes whose outcomes everybody knows the chances of."""
MAX_LOSS = 12
"""Prestige from which no two rolls can take a side to 0, so that the chance need not be counted."""


def warning(game: UkrainianCrisisRuleset, before: State, after: State, side: int) -> Message | None:
    """Return how an action would lose: for certain if the check comes next, unless Prestige rises again, or by dice."""
    if after.turn == game.rules.turns or after.level != Level.NOT_OVER:
        return None  # the last Turn ends the game in any case
    if after.node in DICE:
        return _by_dice(game, before, after, side)
    is_next = after.node == Node.CHECK
    if not _loses(game, after, side) or (not is_next and _is_spent(before)):
        return None
    own, theirs = (int(victory_points(game.rules, after, one)) for one in (side, 1 - side))
    who = tuple(the_side(one) for one in (UA, RU) if after.prestige[one] == 0)
    return Message(f"warning.{'loses' if is_next else 'stands'}", {"who": who, "own": own, "theirs": theirs})


def _is_spent(view: State) -> bool:
    """Return True if the Prestige of a side is 0, so that the game would end at the check."""
    return bool(view.prestige.min() == 0)


def _loses(game: UkrainianCrisisRuleset, view: State, side: int) -> bool:
    """Return True if the game would end at the check, and the side is behind."""
    ends = _is_spent(view)
    return ends and bool(victory_points(game.rules, view, side) < victory_points(game.rules, view, 1 - side))


def _by_dice(game: UkrainianCrisisRuleset, before: State, view: State, side: int) -> Message | None:
    """Return a warning if the dice of an action may take the side's Prestige to 0, with the exact chance."""
    if not 0 < before.prestige[side] <= MAX_LOSS or _is_spent(before):
        return None
    percent = round(100 * _chance(game, view, side))
    return Message("warning.dice", {"percent": percent}) if percent else None


def _chance(game: UkrainianCrisisRuleset, view: State, side: int) -> float:
    """Return the probability that the dice now to be rolled take the side's Prestige to 0, and it is behind."""
    if view.node not in DICE:
        return float(view.prestige[side] == 0 and _loses(game, view, side))
    outcomes = game.distribution(view)
    chance = 0.0
    for action, weight in outcomes.items():
        after = game.copy(view)
        game.apply(game.rules, after, action)
        chance += weight * _chance(game, after, side)
    return chance / sum(outcomes.values())
