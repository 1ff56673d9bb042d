"""S15 to S17: texts of the Final Phase and the end of the game (sections 8 and 9)."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.phrases import ending
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State

NODES = (Node.CHECK, Node.INCOME, Node.OVER)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    if view.node == Node.OVER:
        return Message("ask.over", {"what": ending(view)})
    return Message("ask.step.check" if view.node == Node.CHECK else "ask.step.income")


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    return log.line("check" if log.before.node == Node.CHECK else "income", turn=int(log.before.turn))
