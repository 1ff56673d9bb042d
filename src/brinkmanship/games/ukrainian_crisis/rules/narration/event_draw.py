"""S1: texts of Event Cards that are drawn."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS
from brinkmanship.games.ukrainian_crisis.rules.names import Event
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.phrases import the_event, the_side
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State

NODES = (Node.RESHUFFLE, Node.DRAW_EVENT)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    if view.node == Node.RESHUFFLE:
        return Message("ask.step.reshuffle")
    return Message("ask.draw_event", {"who": the_side(int(view.drawer))})


def narrate(log: Log) -> LogLine:
    """Return the line; viewers who know the card read its name."""
    if log.before.node == Node.RESHUFFLE:
        return log.line("reshuffle")
    side = int(log.before.drawer)
    if log.action < 0:
        return log.line("draw_hidden", side)
    event = log.action - Action.DRAW_EVENT
    key = "draw_immediate" if EVENTS[event].immediate else "draw"
    if event == Event.A_TERRIBLE_RESOLVE and log.before.turn == 1 and not log.game.rules.options.redraw_resolve:  # R5
        key = "draw_void"
    return log.line(key, side, EVENTS[event].id, event=the_event(event))
