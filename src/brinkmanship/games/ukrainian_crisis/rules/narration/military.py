"""S12: texts of the Military area of a Strategic Turn (section 5.1)."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, place_in
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.phrases import frame_of, the_stack, the_unit, the_zone
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, Place, State

NODES = (Node.MILITARY, Node.DEPLOY_TO)
_CHOICES: dict[int, str] = {Place.RESERVE: "choose.mobilise", Place.MOBILISATION: "choose.deploy"}
"""The choice of a unit, by the box where it is."""
_LINES: dict[int, str] = {Place.RESERVE: "mobilise", Place.MOBILISATION: "picks"}


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    if view.node == Node.DEPLOY_TO:
        return Message("ask.deploy_to", {"unit": the_unit(game, int(frame_of(view).picked))})
    return Message("ask.military", {"n": int(view.rp[view.mover] + view.bonus[view.mover])})


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    if view.node == Node.DEPLOY_TO:
        return Message("choose.zone", {"zone": the_zone(game, action - Action.ZONE)})
    if action == Action.DONE:
        return Message("choose.done")
    if action < Action.UNIT:
        return Message("choose.allies", {"n": action - Action.ALLIES})
    stack = action - Action.UNIT
    return Message(_CHOICES.get(place_in(stack), "choose.relocate"), the_stack(game, stack))


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    if log.before.node == Node.DEPLOY_TO:
        return log.unit_line("deploy", int(log.frame.picked), zone=log.zone)
    if log.action == Action.DONE:
        return log.done()
    if log.action < Action.UNIT:
        return log.line("allies", log.side, n=log.action - Action.ALLIES)
    stack = log.action - Action.UNIT
    return log.unit_line(_LINES.get(place_in(stack), "relocate"), stack)
