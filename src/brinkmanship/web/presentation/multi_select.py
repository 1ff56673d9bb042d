"""Several pieces at once: a person ticks units, says once where they go, and each is sent by decisions of its own.

The rules know single steps only: a unit, then where it goes. A choice that names a piece in a place is a `Pick`; what
is asked after it, where that is nothing but a place, are its goals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State
from brinkmanship.web.presentation.action_previews import Preview
from brinkmanship.web.presentation.repeat_action import is_asked, may_take

MOST = 24
"""Pieces of one sort in one place that may be sent together."""


class Pick(NamedTuple):
    """A choice of a piece that stands in a place."""

    most: int
    """How many of the sort may do so one after the other."""
    goals: tuple[int, ...]
    """The actions that say where it goes; none where nothing is asked."""
    ends: bool = False
    """Whether the side is not asked any more after that many."""


class Sent(NamedTuple):
    """Pieces that a person has ticked: a choice, and how many."""

    action: int
    number: int


def picks_of(game: Game, side: int, previews: Sequence[Preview]) -> dict[int, Pick]:
    """The choices of pieces by their action; none where no two pieces could be sent."""
    picks = {
        preview.action: _pick(game, side, preview)
        for preview in previews
        if preview.parts.place is not None and preview.parts.card is not None
    }
    return picks if sum(pick.most for pick in picks.values()) > 1 else {}


def destinations(game: Game, view: State, side: int, action: int) -> tuple[int, ...]:
    """Where a piece may go that is chosen by a legal action."""
    after = game.copy(view)
    game.apply(game.rules, after, action)
    return _goals(game, after, side)


def one_by_one(pieces: Iterable[Sent]) -> Iterator[int]:
    """The choices of all pieces, each as often as there are pieces."""
    for piece in pieces:
        for _ in range(piece.number):
            yield piece.action


def _pick(game: Game, side: int, preview: Preview) -> Pick:
    state = game.copy(preview.after)
    goals: tuple[int, ...] = ()
    for count in range(1, MOST):
        if now := _goals(game, state, side):
            goals = goals or now
            game.apply(game.rules, state, now[0])
        if not may_take(game, state, side, preview.action):
            return Pick(count, goals, not is_asked(game, state, side))
        game.apply(game.rules, state, preview.action)
    return Pick(MOST, goals)


def _goals(game: Game, state: State, side: int) -> tuple[int, ...]:
    if not is_asked(game, state, side):
        return ()
    legal = game.legal_actions(state, side)
    for action in legal:
        parts = game.action_parts(action)
        if parts.place is None or parts.card is not None or parts.steps:
            return ()
    return tuple(legal)
