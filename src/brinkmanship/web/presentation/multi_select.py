"""Multi-selection of pieces: a player ticks units and a common target, and each unit is moved by decisions of its own.

The rules know only single steps: a unit, then its target. A choice that names a piece in a place is a `Selection`; if
the next question asks only for a place, its actions are the goals of the selection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State
from brinkmanship.web.presentation.action_previews import Preview
from brinkmanship.web.presentation.repeat_action import is_asked, may_take

MAX_PIECES = 24
"""Maximum pieces of one type that may be sent together from one place."""


class Selection(NamedTuple):
    """A choice of a piece in a place."""

    most: int
    """Maximum pieces of that type that may be chosen one after the other."""
    goals: tuple[int, ...]
    """Actions that choose the target; empty if no target is asked for."""
    ends: bool = False
    """True if the side has no further decision after that many."""


class TickedPieces(NamedTuple):
    """Ticked pieces: a choice, and how many."""

    action: int
    number: int


def selections_of(game: Game, side: int, previews: Sequence[Preview]) -> dict[int, Selection]:
    """Return the choices of pieces by action; empty if no two pieces could be sent."""
    selections = {
        preview.action: _selection(game, side, preview)
        for preview in previews
        if preview.parts.place is not None and preview.parts.card is not None
    }
    return selections if sum(selection.most for selection in selections.values()) > 1 else {}


def destinations(game: Game, view: State, side: int, action: int) -> tuple[int, ...]:
    """Return the target actions after a legal action that chooses a piece."""
    after = game.copy(view)
    game.apply(game.rules, after, action)
    return _goals(game, after, side)


def after_sending(game: Game, view: State, side: int, pieces: Iterable[TickedPieces], goal: int | None) -> State | None:
    """Return a side's view after all pieces are sent, or None if one of them cannot be."""
    state = game.copy(view)
    for action in one_by_one(pieces):
        if not may_take(game, state, side, action):
            return None
        game.apply(game.rules, state, action)
        if goals := _goals(game, state, side):
            if goal not in goals:
                return None
            game.apply(game.rules, state, goal)
    return state


def one_by_one(pieces: Iterable[TickedPieces]) -> Iterator[int]:
    """Yield the choices of all pieces, each as often as there are pieces."""
    for piece in pieces:
        for _ in range(piece.number):
            yield piece.action


def _selection(game: Game, side: int, preview: Preview) -> Selection:
    state = game.copy(preview.after)
    goals: tuple[int, ...] = ()
    for count in range(1, MAX_PIECES):
        if now := _goals(game, state, side):
            goals = goals or now
            game.apply(game.rules, state, now[0])
        if not may_take(game, state, side, preview.action):
            return Selection(count, goals, not is_asked(game, state, side))
        game.apply(game.rules, state, preview.action)
    return Selection(MAX_PIECES, goals)


def _goals(game: Game, state: State, side: int) -> tuple[int, ...]:
    if not is_asked(game, state, side):
        return ()
    legal = game.legal_actions(state, side)
    for action in legal:
        parts = game.action_parts(action)
        if parts.place is None or parts.card is not None or parts.steps:
            return ()
    return tuple(legal)
