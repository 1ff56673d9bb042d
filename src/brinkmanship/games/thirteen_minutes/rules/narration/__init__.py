"""Texts of a game of 13 Minutes, one module for each step of the rules: prompts, choices, and the log.

A step is a `Node`, or several that belong together (``NODES``). Its module has the three functions of `StepTexts`;
`steps` has a module of the same name for the rules. Events and Commands have their prompts in `event`; the rules of
both are in `effects`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.message import ActionParts, LogLine, Message
from brinkmanship.games.thirteen_minutes.rules.action_numbers import RULES_STEPS, Action
from brinkmanship.games.thirteen_minutes.rules.narration import bidding, dealing, event, scoring, turn
from brinkmanship.games.thirteen_minutes.rules.phrases import the_side
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import LAST_STEP_OF_RULES, Node, State


class StepTexts(Protocol):
    """Texts of a step, made from a viewer's view only: what the view hides stays hidden."""

    @property
    def NODES(self) -> tuple[Node, ...]:  # noqa: N802 - a constant of the module
        """The nodes of the game that belong to this step."""

    def prompt(self, game: ThirteenMinutesRuleset, view: State, side: int) -> Message:
        """Return the prompt, in the imperative."""

    def describe(
        self, game: ThirteenMinutesRuleset, view: State, side: int, parts: ActionParts, action: int
    ) -> Message:
        """Return the text of a legal choice, with its effect on the table."""

    def narrate(
        self, game: ThirteenMinutesRuleset, before: State, action: int, after: State, viewer: int
    ) -> Iterator[LogLine]:
        """Yield the action, then its consequences on the table; `action` is -1 if the viewer may not know it."""


STEPS: list[StepTexts] = [dealing, bidding, turn, event, scoring]
"""The steps in the order of a game."""
_OF_NODE = {node: step for step in STEPS for node in step.NODES}


def prompt(game: ThirteenMinutesRuleset, view: State, side: int) -> Message:
    """Implement `Narrator.prompt`."""
    if view.node <= LAST_STEP_OF_RULES:
        return Message(f"ask.step.{RULES_STEPS[view.node]}")
    question = _OF_NODE[Node(view.node)].prompt(game, view, side)
    if view.mover in (side, CHANCE, OVER) or view.node == Node.BID:  # in the auction both are to bid
        return question
    return Message("wait", {"who": the_side(view.mover), "what": question})


def describe(game: ThirteenMinutesRuleset, view: State, side: int, action: int) -> Message:
    """Implement `Narrator.describe`."""
    if action < Action.DRAW:
        return Message(f"ask.step.{RULES_STEPS[view.node]}")
    return _OF_NODE[Node(view.node)].describe(game, view, side, game.action_parts(action), action)


def narrate(game: ThirteenMinutesRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:
    """Implement `Narrator.narrate`."""
    return _OF_NODE[Node(before.node)].narrate(game, before, action, after, viewer)
