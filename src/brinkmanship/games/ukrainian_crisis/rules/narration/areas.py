"""S9 to S12: texts of the order of the areas, their reveal, and the side that acts first in each."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.phrases import the_area, the_side
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State

NODES = (Node.ORDER, Node.REVEAL, Node.WHO_FIRST)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    if view.node == Node.REVEAL:
        return Message("ask.step.reveal")
    if view.node == Node.ORDER:
        return Message("ask.order")
    return Message("ask.who_first", {"area": the_area(int(view.area))})


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    if view.node == Node.ORDER:
        return Message("choose.area", {"area": the_area(action - Action.AREA)})
    return Message("choose.first.self" if action - Action.FIRST == side else "choose.first.other")


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    if log.before.node == Node.ORDER:
        return log.line("order", log.side, area=the_area(log.action - Action.AREA))
    area = int(log.before.area)
    if log.before.node == Node.REVEAL:
        return log.line("reveal", None, None, area=the_area(area), **log.both_cards(area))
    return log.line("first", log.side, area=the_area(area), first=the_side(log.action - Action.FIRST))
