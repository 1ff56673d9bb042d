"""S3 and later: texts of the allies' Resource Points (section 5.3)."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State

NODES = (Node.ALLY_RP, Node.ADD_ALLIES)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    if view.node == Node.ALLY_RP:
        return Message("ask.step.ally_rp")
    return Message("ask.allies", {"n": int(view.ally_rp)})


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    if action == Action.DONE:
        return Message("choose.no_allies")
    return Message("choose.allies", {"n": action - Action.ALLIES})


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    if log.before.node == Node.ALLY_RP:
        return log.line("ally_rp", n=int(log.after.ally_rp))
    if log.action == Action.DONE:
        return log.line("no_allies", log.side)
    return log.line("allies", log.side, n=log.action - Action.ALLIES)
