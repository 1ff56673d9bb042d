"""S7: texts of a Ceasefire attempt (section 5.5)."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State, TurnType

NODES = (Node.COMPARE,)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    return Message("ask.step.compare")


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    key = "ceasefire.fails" if log.after.turn_type == TurnType.COMBAT else "ceasefire.holds"
    ukraine, russia = log.before.rp.tolist()
    return log.line(key, ua=ukraine + int(log.frame.allies), ru=russia)
