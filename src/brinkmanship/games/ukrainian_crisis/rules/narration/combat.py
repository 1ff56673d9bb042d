"""Texts of the dice and hits of a combat (section 7)."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import MAX_DICE, Action
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.phrases import frame_of, the_side, the_stack
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State

NODES = (Node.HITS, Node.HIT)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    if view.node == Node.HIT:
        return Message("ask.hit")
    return Message("ask.hits", {"who": the_side(int(view.drawer)), "n": dice_at_once(view)})


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    stack = action - Action.UNIT
    return Message("choose.hit.eliminate" if stack % 2 else "choose.hit.neutralise", the_stack(game, stack))


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    if log.before.node == Node.HIT:
        return log.unit_line("hit", log.action - Action.UNIT)
    return log.line("hits", int(log.before.drawer), n=log.action - Action.HITS, dice=dice_at_once(log.before))


def dice_at_once(view: State) -> int:
    """Return the number of combat dice rolled now."""
    return min(int(frame_of(view).dice), MAX_DICE)
