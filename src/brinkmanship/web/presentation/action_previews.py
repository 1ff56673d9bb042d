"""Legal actions looked at beforehand: each decoded once and carried out once, as far as the side knows.

What a page says of a choice (how it is grouped, whether it is final or idle, how often it may be repeated) is read from
its preview.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Decision
from brinkmanship.engine.message import ActionParts
from brinkmanship.engine.record import State


class Preview(NamedTuple):
    """A legal action, and what would come of it before chance or anybody else acts."""

    action: int
    parts: ActionParts
    after: State
    """The side's view with the action carried out; treat it as read-only."""


def previews_of(game: Game, view: State, decisions: Sequence[Decision]) -> list[Preview]:
    """The previews of a side's legal actions from its view."""
    found = []
    for decision in decisions:
        after = game.copy(view)
        game.apply(game.rules, after, decision.action)
        found.append(Preview(decision.action, game.action_parts(decision.action), after))
    return found
