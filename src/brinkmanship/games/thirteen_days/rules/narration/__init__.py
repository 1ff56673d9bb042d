"""Texts of a game of 13 Days, a file for each step of the rules: questions, choices, and the log.

A step is a `Node`, or several that belong together (``NODES``); `steps` has a file of the same name for the rules.
Automatic steps are only narrated. An event or a Command uses the texts of `event`; the rules of both are in `effects`.

Nothing here sees the state: for viewers who may not know a card, it is blanked in their views and called "a card" in
the texts. Sentences are in the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.message import ActionParts, LogLine, Message
from brinkmanship.games.thirteen_days.rules.action_numbers import RULES_STEPS, Action
from brinkmanship.games.thirteen_days.rules.narration import (
    aftermath,
    agenda_choice,
    agenda_scoring,
    escalation,
    event,
    hands,
    round_end,
    turn,
    war,
    world_opinion,
)
from brinkmanship.games.thirteen_days.rules.phrases import ending, the_side
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import LAST_STEP_OF_RULES, Node, State


class StepTexts(Protocol):
    """Texts of a step. All functions get only a viewer's view, so hidden information stays hidden."""

    @property
    def NODES(self) -> tuple[Node, ...]:  # noqa: N802 - a constant of the module
        """Nodes of the step."""

    def narrate(
        self, game: ThirteenDaysRuleset, before: State, action: int, after: State, viewer: int
    ) -> Iterator[LogLine]:
        """Yield lines for the action, then for its consequences; `action` is -1 if the viewer may not know it."""


class DecisionTexts(StepTexts, Protocol):
    """A step that asks a side, or chance."""

    def prompt(self, game: ThirteenDaysRuleset, view: State, side: int) -> Message:
        """Return the question, in the imperative."""

    def describe(self, game: ThirteenDaysRuleset, view: State, side: int, parts: ActionParts, action: int) -> Message:
        """Return the text of one legal choice, with its effect on the board."""


DECISION_STEPS: list[DecisionTexts] = [agenda_choice, hands, turn, event, world_opinion]
STEPS: list[StepTexts] = [*DECISION_STEPS, escalation, aftermath, agenda_scoring, war, round_end]

_ASKING = {node: step for step in DECISION_STEPS for node in step.NODES}
_OF_NODE = {node: step for step in STEPS for node in step.NODES}


def prompt(game: ThirteenDaysRuleset, view: State, side: int) -> Message:
    """Implement `Narrator.prompt`."""
    if view.mover == OVER:
        return Message("ask.over", {"what": ending(view)})
    if view.node <= LAST_STEP_OF_RULES:
        return Message(f"ask.step.{RULES_STEPS[view.node]}")
    question = _ASKING[Node(view.node)].prompt(game, view, side)
    if view.mover in (side, CHANCE) or view.node == Node.AGENDA:  # both choose their agendas at once
        return question
    return Message("wait", {"who": the_side(view.mover), "what": question})


def describe(game: ThirteenDaysRuleset, view: State, side: int, action: int) -> Message:
    """Implement `Narrator.describe`."""
    if action < Action.DEAL_AGENDA:
        return Message(f"ask.step.{RULES_STEPS[view.node]}")
    return _ASKING[Node(view.node)].describe(game, view, side, game.action_parts(action), action)


def narrate(game: ThirteenDaysRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:
    """Implement `Narrator.narrate`."""
    return _OF_NODE[Node(before.node)].narrate(game, before, action, after, viewer)
