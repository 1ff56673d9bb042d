"""S13: texts of the Operational Phase (section 6)."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.phrases import frame_of, the_stack, the_unit, the_zone
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State

NODES = (Node.OPERATE, Node.MOVE_TO, Node.ATTACK)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    if view.node == Node.MOVE_TO:
        return Message("ask.move_to", {"unit": the_unit(game, int(frame_of(view).picked))})
    if view.node == Node.ATTACK:
        return Message("ask.attack")
    return Message("ask.operate", {"n": int(view.rp[view.mover] + view.bonus[view.mover])})


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    if action == Action.DONE:
        return Message("choose.no_attack" if view.node == Node.ATTACK else "choose.done")
    if view.node != Node.OPERATE:
        key = "choose.attack" if view.node == Node.ATTACK else "choose.zone"
        return Message(key, {"zone": the_zone(game, action - Action.ZONE)})
    if action < Action.RECOVER:
        return Message("choose.move", the_stack(game, action - Action.UNIT))
    stack = 2 * (action - Action.RECOVER)
    return Message("choose.recover", the_stack(game, stack))


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    if log.before.node == Node.MOVE_TO:
        return log.unit_line("move", int(log.frame.picked), zone=log.zone)
    if log.before.node == Node.ATTACK:
        if log.action == Action.DONE:
            return log.line("no_attack", log.side)
        return log.line("attack", log.side, zone=log.zone)
    if log.action == Action.DONE:
        return log.done()
    if log.action < Action.RECOVER:
        return log.unit_line("picks", log.action - Action.UNIT)
    return log.unit_line("recover", 2 * (log.action - Action.RECOVER))
