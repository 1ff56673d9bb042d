"""S4: texts of Resource Cards that are dealt and placed."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.phrases import the_card, the_placement, the_side
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State

NODES = (Node.DEAL_CARD, Node.PLACE)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    if view.node == Node.DEAL_CARD:
        return Message("ask.deal_card", {"who": the_side(int(view.drawer))})
    return Message("ask.place")


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    return Message("choose.place", the_placement(game, action))


def narrate(log: Log) -> LogLine:
    """Return the line; viewers who know the cards read their names."""
    if log.before.node == Node.DEAL_CARD:
        side = int(log.before.drawer)
        if log.action < 0:
            return log.line("deal_hidden", side)
        return log.line("deal", side, card_name=the_card(log.game, log.action - Action.DEAL_CARD + 1))
    if log.action < 0:
        return log.line("place_hidden", log.secret_side)
    return log.line("place", log.secret_side, None, **the_placement(log.game, log.action))
