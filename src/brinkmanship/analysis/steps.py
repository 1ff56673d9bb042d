"""A game split into steps: chance events, decisions, and steps without a choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from brinkmanship.analysis.report import Kind
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.match import Match


class Span(NamedTuple):
    """The entries of a match that form one step."""

    first: int
    last: int
    """Entries before it, and after it."""
    kind: Kind
    side: int | None = None


def spans(match: Match) -> Iterator[Span]:
    """Yield all steps of a match in order; each starts where the one before it ends."""
    at, count = 0, length(match)
    while at < count:
        span = _chance(match, at, count) if match.entries[at].actor == CHANCE else _decision(match, at)
        yield span
        at = span.last


def length(match: Match) -> int:
    """Return the number of entries of a match, without a half-finished simultaneous choice."""
    count = len(match.entries)
    return count - 1 if match.is_first_answer(count) else count


def _chance(match: Match, first: int, count: int) -> Span:
    last, is_drawn = first, False
    while last < count and match.entries[last].actor == CHANCE:
        is_drawn = is_drawn or len(match.game.distribution(match.state_after(last))) > 1
        last += 1
    return Span(first, last, "chance" if is_drawn else "rules")


def _decision(match: Match, at: int) -> Span:
    game, state, entry = match.game, match.state_after(at), match.entries[at]
    if len(game.to_move(state)) > 1:
        return Span(at, at + 2, "secret")
    if len(game.legal_actions(state, entry.actor)) == 1:
        return Span(at, at + 1, "forced")
    return Span(at, at + 1, "decision", entry.actor)
