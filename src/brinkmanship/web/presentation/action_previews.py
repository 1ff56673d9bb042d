"""Previews of legal actions: each action is decoded once and applied once to the side's own view.

Pages derive from a preview how a choice is grouped, whether it is final or idle, and how often it may be repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Decision
from brinkmanship.engine.message import ActionParts
from brinkmanship.engine.record import State


class Preview(NamedTuple):
    """A legal action and its effect before chance or another side acts."""

    action: int
    parts: ActionParts
    after: State
    """The side's view after the action; treat it as read-only."""


def previews_of(game: Game, view: State, decisions: Sequence[Decision]) -> list[Preview]:
    """Return the previews of a side's legal actions, computed from its view."""
    found = []
    for decision in decisions:
        after = game.copy(view)
        game.apply(game.rules, after, decision.action)
        found.append(Preview(decision.action, game.action_parts(decision.action), after))
    return found
