"""Event windows: texts of Event Cards that are played or held (section 3.2)."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.phrases import the_event
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State

NODES = (Node.WINDOW,)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    return Message("ask.window")


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    if action == Action.DONE:
        return Message("choose.pass")
    return Message("choose.play", {"event": the_event(action - Action.PLAY_EVENT)})


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    if log.action == Action.DONE:
        return log.line("pass", log.side)
    event = log.action - Action.PLAY_EVENT
    return log.line("play", log.side, EVENTS[event].id, event=the_event(event))
