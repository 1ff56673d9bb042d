"""Texts of resource rolls, critical events and single dice (section 4)."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, higher_die, lower_die
from brinkmanship.games.ukrainian_crisis.rules.names import Area, Event
from brinkmanship.games.ukrainian_crisis.rules.narration.information import attempt, is_attempt
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.phrases import (
    frame_of,
    the_area,
    the_critical,
    the_event,
    the_side,
    the_zone,
)
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State, Task, TurnType

NODES = (Node.ROLL, Node.DIE, Node.CRITICAL_ZONE, Node.ANY_ZONE)
_HALVES: dict[int, str] = {Event.RALLY_FOR_THE_MOTHERLAND: "die.points", Event.UNIT_NOT_READY: "die.units"}
"""Events whose die is halved for an effect that no reported change shows."""


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    if view.node == Node.ROLL:
        return Message("ask.roll", {"who": the_side(int(view.drawer)), "area": the_area(int(view.area))})
    if view.node == Node.DIE:
        return Message("ask.die")
    key = "ask.any_zone" if view.node == Node.ANY_ZONE else "ask.critical_zone"
    return Message(key, {"event": the_critical(int(frame_of(view).doubles))})


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    return Message("choose.zone", {"zone": the_zone(game, action - Action.ZONE)})


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    if log.before.node == Node.ROLL:
        return _roll(log)
    if log.before.node == Node.DIE:
        return attempt(log) if is_attempt(log) else _die(log)
    event = the_critical(int(log.frame.doubles))
    if log.before.node == Node.ANY_ZONE:
        return log.line("any_zone", zone=log.zone, event=event)
    return log.line("critical_zone", log.side, event=event, zone=log.zone)


def rolls_critically(game: UkrainianCrisisRuleset, before: State, action: int) -> bool:
    """Return True if the action is a roll of doubles that triggers a critical event (4.2, R18)."""
    if before.node != Node.ROLL or action < Action.TWO_DICE:
        return False
    if before.area == Area.MILITARY and before.turn_type == TurnType.COMBAT:
        return lower_die(action) == higher_die(action) and not game.rules.options.no_critical_in_segments
    return lower_die(action) == higher_die(action)


def _roll(log: Log) -> LogLine:
    side = int(log.before.drawer)
    if log.action >= Action.TWO_DICE:
        low, high = lower_die(log.action), higher_die(log.action)
        return log.line("roll_two", side, low=low, high=high, n=low + high)
    card = int(log.before.matrix[side, log.before.area])
    points = int(log.game.rules.results[int(log.game.rules.class_of[card - 1]), log.action - Action.DIE])
    return log.line("roll", side, pips=log.action - Action.DIE + 1, n=points)


def _die(log: Log) -> LogLine:
    pips = log.action - Action.DIE + 1
    if log.frame.task == Task.CRITICAL:
        return log.line("die", what=the_critical(int(log.frame.doubles)), pips=pips)
    event = int(log.frame.event) if log.frame.task == Task.EVENT else Event.RALLY_FOR_THE_MOTHERLAND
    if event in _HALVES:  # rounded up (R35)
        return log.line(_HALVES[event], what=the_event(event), pips=pips, n=(pips + 1) // 2)
    return log.line("die", what=the_event(event), pips=pips)
