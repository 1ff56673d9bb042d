"""Texts of the choices that an Event Card asks for (section 11)."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.phrases import frame_of, the_country, the_event, the_stack, the_zone
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State

_ASKED = {Node.EVENT_ZONE: "event_zone", Node.EVENT_COUNTRY: "event_country", Node.EVENT_UNIT: "event_unit"}
NODES = tuple(_ASKED)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    return Message(f"ask.{_ASKED[Node(view.node)]}", {"event": the_event(int(frame_of(view).event))})


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    if action == Action.DONE:
        return Message("choose.done")
    if view.node == Node.EVENT_ZONE:
        return Message("choose.zone", {"zone": the_zone(game, action - Action.ZONE)})
    if view.node == Node.EVENT_COUNTRY:
        return Message("choose.country", {"country": the_country((action - Action.COUNTRY) // 3)})
    return Message("choose.event_unit", the_stack(game, action - Action.UNIT))


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    if log.action == Action.DONE:
        return log.done()
    event = the_event(int(log.frame.event))
    if log.before.node == Node.EVENT_ZONE:
        return log.line("event_zone", log.side, event=event, zone=log.zone)
    if log.before.node == Node.EVENT_COUNTRY:
        country = the_country((log.action - Action.COUNTRY) // 3)
        return log.line("event_country", log.side, event=event, country=country)
    return log.unit_line("event_unit", log.action - Action.UNIT, event=event)
