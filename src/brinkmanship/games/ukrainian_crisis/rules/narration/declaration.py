"""S5, S6 and S8: texts of declarations, the response to one, and the type of the Turn."""

# ruff: noqa: ARG001 - the signatures of `StepTexts`

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.names import UA, Area
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, Square, State, TurnType

NODES = (Node.DECLARE, Node.CEASEFIRE, Node.TYPE)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    if view.node == Node.TYPE:
        return Message("ask.step.type")
    return Message("ask.declare" if view.node == Node.DECLARE else "ask.ceasefire")


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    if view.node == Node.DECLARE:
        return Message(f"choose.declare.{_declared(action)}")
    return Message("choose.ceasefire" if action == Action.REQUEST else "choose.accept")


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    if log.before.node == Node.TYPE:
        return _type(log)
    if log.before.node == Node.CEASEFIRE:
        return log.line("ceasefire.request" if log.action == Action.REQUEST else "ceasefire.accept", log.side)
    return log.line("declare_hidden" if log.action < 0 else f"declare.{_declared(log.action)}", log.secret_side)


def _declared(action: int) -> str:
    return "combat" if (action - Action.DECLARE) % 2 else "strategic"


def _type(log: Log) -> LogLine:
    turn = int(log.after.turn)
    if log.after.turn_type != TurnType.COMBAT:
        return log.line("type.strategic", turn=turn)
    if log.after.matrix[UA, Area.DIPLOMATIC] > Square.EMPTY and not log.before.ceasefire:
        return log.line("type.combat_shown", None, None, turn=turn, **log.both_cards(Area.DIPLOMATIC))
    return log.line("type.combat", turn=turn)
