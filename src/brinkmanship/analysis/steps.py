"""A game cut into steps: what chance did, what was decided, and what nobody could change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from brinkmanship.analysis.report import Kind
from brinkmanship.engine.game import CHANCE, State
from brinkmanship.engine.match import Match


class Span(NamedTuple):
    """Entries of a match that are one step."""

    first: int
    last: int
    """Entries before it, and after it."""
    kind: Kind
    side: int | None = None


def spans(match: Match, is_cut: Callable[[State, State], bool]) -> Iterator[Span]:
    """All steps of a match in order; each begins where the one before it ends.

    Where a playout from the beginning of a step would have been cut (`is_cut`), a "reckoning" stands: from the learned
    value there to the value of playing on.
    """
    at, count = 0, length(match)
    while at < count:
        before = match.state_after(at)
        if is_cut(before, before):
            span = Span(at, at + 1, "reckoning")
        elif match.entries[at].actor == CHANCE:
            span = _chance(match, at, count, is_cut)
        else:
            span = _decision(match, at)
        yield span
        at = span.last
        after = match.state_after(at)
        if span.kind != "reckoning" and is_cut(before, after) and not is_cut(after, after):
            yield Span(at, at, "reckoning")


def length(match: Match) -> int:
    """Entries of a match, without an answer given in secret that never met another one."""
    count = len(match.entries)
    return count - 1 if match.is_first_answer(count) else count


def _chance(match: Match, first: int, count: int, is_cut: Callable[[State, State], bool]) -> Span:
    before, last, is_drawn = match.state_after(first), first, False
    while last < count and match.entries[last].actor == CHANCE:
        state = match.state_after(last)
        if last > first and is_cut(before, state):
            break
        is_drawn = is_drawn or len(match.game.distribution(state)) > 1
        last += 1
    return Span(first, last, "chance" if is_drawn else "rules")


def _decision(match: Match, at: int) -> Span:
    game, state, entry = match.game, match.state_after(at), match.entries[at]
    if len(game.asked(state)) > 1:
        return Span(at, at + 2, "secret")
    if len(game.legal_actions(state, entry.actor)) == 1:
        return Span(at, at + 1, "forced")
    return Span(at, at + 1, "decision", entry.actor)
