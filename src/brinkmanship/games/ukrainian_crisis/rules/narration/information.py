"""S12: texts of the Information area (section 5.4)."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, stack_of
from brinkmanship.games.ukrainian_crisis.rules.data import INFORMS
from brinkmanship.games.ukrainian_crisis.rules.names import Inform
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.phrases import the_stack
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import GROUP, PLACE, Mark, Node, State, Task

NODES = (Node.INFORMATION, Node.TARGETS)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    return Message("ask.information" if view.node == Node.INFORMATION else "ask.targets")


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    if action == Action.DONE:
        return Message("choose.done")
    if view.node == Node.INFORMATION:
        return Message(f"choose.{INFORMS[action - Action.INFORM]}")
    return Message("choose.target", the_stack(game, action - Action.UNIT))


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    if log.action == Action.DONE:
        return log.done()
    if log.before.node == Node.INFORMATION:
        return log.line(INFORMS[log.action - Action.INFORM], log.side)
    return log.unit_line("target", log.action - Action.UNIT)


def aims(log: Log) -> bool:
    """Return True if an attempt to neutralise units begins or goes on: the die of each names its target."""
    node, then = Node(log.before.node), Node(log.after.node)
    if node == Node.INFORMATION:
        return log.action == Action.INFORM + Inform.NEUTRALISE and then in (Node.ROLL, Node.TARGETS)
    return node == Node.TARGETS and then in (Node.TARGETS, Node.DIE)


def is_attempt(log: Log) -> bool:
    """Return True if this is the die of an attempt to neutralise a unit (5.4)."""
    return log.before.node == Node.DIE and log.frame.task == Task.INFORMATION


def attempt(log: Log) -> LogLine:
    """Return the line of such a die, with the unit at which it is aimed."""
    frame, mark, pips = log.frame, GROUP << int(log.frame.attempts), log.action - Action.DIE + 1
    most = int(frame.results[0]) + int(frame.allies)
    unit, entry = next((unit, entry) for unit, entry in enumerate(log.before.unit.tolist()) if entry & mark)
    stack = stack_of(int(log.game.rules.type_of[unit]), entry & Mark.NEUTRALISED, entry // PLACE)
    key = "neutralise.succeeds" if pips <= most else "neutralise.fails"
    return log.line(key, int(frame.side), None, **the_stack(log.game, stack), pips=pips, n=most)
