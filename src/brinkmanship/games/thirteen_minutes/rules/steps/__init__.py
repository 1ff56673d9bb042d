"""The steps of a game of 13 Minutes, a file each: what is asked, what an answer does, what people read of both.

A step of the rules is a `Node`, or several that belong together (``NODES``). Its file holds, top to bottom: the deeds,
which change the state and end with what is asked next; the compiled ``legal_...`` and ``apply_...`` that `flow` hands
its nodes to; and the three functions of `Step`, which write the question, an answer, and the log.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.message import ActionParts, Line, Message
from brinkmanship.games.thirteen_minutes.rules.actions import RULES_STEPS, Action
from brinkmanship.games.thirteen_minutes.rules.speech import the_side
from brinkmanship.games.thirteen_minutes.rules.state import LAST_STEP_OF_RULES, Node, State
from brinkmanship.games.thirteen_minutes.rules.steps import bidding, dealing, event, scoring, turn

if TYPE_CHECKING:
    from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes


class Step(Protocol):
    """What people read of a step. All of it knows only a reader's view: what that hides stays hidden."""

    @property
    def NODES(self) -> tuple[Node, ...]:  # noqa: N802 - a constant of the module
        """Where the game is when it is in this step."""

    def prompt(self, game: ThirteenMinutes, view: State, side: int) -> Message:
        """The question, in the imperative."""

    def describe(self, game: ThirteenMinutes, view: State, side: int, parts: ActionParts, action: int) -> Message:
        """One legal answer, with what it would do to the table."""

    def narrate(self, game: ThirteenMinutes, before: State, action: int, after: State, reader: int) -> Iterator[Line]:
        """The deed, then what followed from it on the table; `action` is -1 where the reader may not know it."""


STEPS: list[Step] = [dealing, bidding, turn, event, scoring]
"""In the order of a game."""
_OF_NODE = {node: step for step in STEPS for node in step.NODES}


def prompt(game: ThirteenMinutes, view: State, side: int) -> Message:
    """See `Game.prompt`."""
    if view.node <= LAST_STEP_OF_RULES:
        return Message(f"ask.step.{RULES_STEPS[view.node]}")
    question = _OF_NODE[Node(view.node)].prompt(game, view, side)
    if view.mover in (side, CHANCE, OVER) or view.node == Node.BID:  # in the auction both are asked
        return question
    return Message("wait", {"who": the_side(view.mover), "what": question})


def describe(game: ThirteenMinutes, view: State, side: int, action: int) -> Message:
    """See `Game.describe`."""
    if action < Action.DRAW:
        return Message(f"ask.step.{RULES_STEPS[view.node]}")
    return _OF_NODE[Node(view.node)].describe(game, view, side, game.action_parts(action), action)


def narrate(game: ThirteenMinutes, before: State, action: int, after: State, reader: int) -> Iterator[Line]:
    """See `Game.narrate`."""
    return _OF_NODE[Node(before.node)].narrate(game, before, action, after, reader)
