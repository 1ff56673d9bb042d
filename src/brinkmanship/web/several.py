"""Several pieces at once: a person ticks units, says once where they go, and each is sent by decisions of its own.

The rules know single steps only: a unit, then where it goes. A choice that names a piece in a place is a `Pick`; what
is asked after it, where that is nothing but a place, are its goals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from brinkmanship.engine.game import Game, State
from brinkmanship.engine.match import Decision
from brinkmanship.web.repeat import is_asked, may_take

MOST = 24
"""Pieces of one sort in one place that may be sent together."""


class Pick(NamedTuple):
    """A choice of a piece that stands in a place."""

    most: int
    """How many of the sort may do so one after the other."""
    goals: tuple[int, ...]
    """The actions that say where it goes; none where nothing is asked."""


class Sent(NamedTuple):
    """Pieces that a person has ticked: a choice, and how many."""

    action: int
    number: int


def picks_of(game: Game, view: State, side: int, decisions: Sequence[Decision]) -> dict[int, Pick]:
    """The choices of pieces by their action; none where no two pieces could be sent."""
    picks = {
        decision.action: _pick(game, view, side, decision.action)
        for decision in decisions
        if _names_a_piece(game, decision.action)
    }
    return picks if sum(pick.most for pick in picks.values()) > 1 else {}


def goals_of(game: Game, view: State, side: int, action: int) -> tuple[int, ...]:
    """Where a piece may go that is chosen by a legal action."""
    after = game.copy(view)
    game.apply(game.rules, after, action)
    return _goals(game, after, side)


def one_by_one(pieces: Iterable[Sent]) -> Iterator[int]:
    """The choices of all pieces, each as often as there are pieces."""
    for piece in pieces:
        for _ in range(piece.number):
            yield piece.action


def _names_a_piece(game: Game, action: int) -> bool:
    parts = game.action_parts(action)
    return parts.place is not None and parts.card is not None


def _pick(game: Game, view: State, side: int, action: int) -> Pick:
    state = game.copy(view)
    goals: tuple[int, ...] = ()
    for count in range(MOST):
        if not may_take(game, state, side, action):
            return Pick(count, goals)
        game.apply(game.rules, state, action)
        if now := _goals(game, state, side):
            goals = goals or now
            game.apply(game.rules, state, now[0])
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
