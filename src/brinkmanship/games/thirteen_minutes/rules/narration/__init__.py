"""What people read of a game of 13 Minutes, a file for each step of the rules: questions, answers, and the log.

A step is a `Node`, or several that belong together (``NODES``). Its file has the three functions of `Step`; `steps` has
a file of the same name for the rules. An event or a Command asks with the words of `event`; the rules of both are in
`effects`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.message import ActionParts, Line, Message
from brinkmanship.games.thirteen_minutes.rules.action_numbers import RULES_STEPS, Action
from brinkmanship.games.thirteen_minutes.rules.narration import bidding, dealing, event, scoring, turn
from brinkmanship.games.thirteen_minutes.rules.phrases import the_side
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import LAST_STEP_OF_RULES, Node, State


class Step(Protocol):
    """What people read of a step. All of it knows only a viewer's view: what that hides stays hidden."""

    @property
    def NODES(self) -> tuple[Node, ...]:  # noqa: N802 - a constant of the module
        """Where the game is when it is in this step."""

    def prompt(self, game: ThirteenMinutesRuleset, view: State, side: int) -> Message:
        """The question, in the imperative."""

    def describe(
        self, game: ThirteenMinutesRuleset, view: State, side: int, parts: ActionParts, action: int
    ) -> Message:
        """One legal answer, with what it would do to the table."""

    def narrate(
        self, game: ThirteenMinutesRuleset, before: State, action: int, after: State, viewer: int
    ) -> Iterator[Line]:
        """The deed, then what followed from it on the table; `action` is -1 where the viewer may not know it."""


STEPS: list[Step] = [dealing, bidding, turn, event, scoring]
"""In the order of a game."""
_OF_NODE = {node: step for step in STEPS for node in step.NODES}


def prompt(game: ThirteenMinutesRuleset, view: State, side: int) -> Message:
    """See `Narrator.prompt`."""
    if view.node <= LAST_STEP_OF_RULES:
        return Message(f"ask.step.{RULES_STEPS[view.node]}")
    question = _OF_NODE[Node(view.node)].prompt(game, view, side)
    if view.mover in (side, CHANCE, OVER) or view.node == Node.BID:  # in the auction both are asked
        return question
    return Message("wait", {"who": the_side(view.mover), "what": question})


def describe(game: ThirteenMinutesRuleset, view: State, side: int, action: int) -> Message:
    """See `Narrator.describe`."""
    if action < Action.DRAW:
        return Message(f"ask.step.{RULES_STEPS[view.node]}")
    return _OF_NODE[Node(view.node)].describe(game, view, side, game.action_parts(action), action)


def narrate(game: ThirteenMinutesRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[Line]:
    """See `Narrator.narrate`."""
    return _OF_NODE[Node(before.node)].narrate(game, before, action, after, viewer)
