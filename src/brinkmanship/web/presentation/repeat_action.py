"""A deed done once more: what a side decided last, as often as the same may follow.

Several units of one sort are moved one by one in the rules; a person says once where they go, and how many follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.text import Words

LONGEST = 3
"""So many decisions may make up one deed: a unit, and where it goes."""
MAX_TIMES = 9


class RepeatAction(NamedTuple):
    """A deed that may follow once more."""

    actions: tuple[int, ...]
    times: int
    """How often in succession, at most `MAX_TIMES`."""
    text: str
    ends: bool
    """Whether the side has nothing more to decide once it has followed that often: it cannot be taken back then."""


def repeatable(perspective: Perspective, words: Words) -> RepeatAction | None:
    """The shortest end of a side's own last decisions that is legal again; none where anything came between."""
    game, view, side = perspective.game, perspective.view(), perspective.reader
    own: list[int] = []
    # What the other side answered to the same question comes between only by the order of the sides.
    entries = [entry for entry in perspective.entries[-2 * LONGEST :] if entry.actor == side or not entry.together]
    while len(own) < min(LONGEST, len(entries)) and entries[-1 - len(own)].actor == side:
        own.insert(0, entries[-1 - len(own)].action)
    for length in range(1, len(own) + 1):
        deed = own[-length:]
        parts = game.action_parts(deed[0])
        if parts.place is None and parts.track is None:
            continue  # what names nothing, such as to pass, is no deed to repeat
        told: list[str] = []
        times, after = _times(game, view, side, deed, words, told)
        if times:
            ends = side not in game.asked(after)
            return RepeatAction(tuple(deed), times, " ".join(told[:length]), ends)
    return None


def is_asked(game: Game, state: State, side: int) -> bool:
    """Whether a side is the next to decide."""
    return int(game.actor(game.rules, state)) == side


def may_take(game: Game, state: State, side: int, action: int) -> bool:
    """Whether a side is the next to decide, and this action is legal."""
    return is_asked(game, state, side) and action in game.legal_actions(state, side)


def _times(game: Game, view: State, side: int, deed: Sequence[int], words: Words, told: list[str]) -> tuple[int, State]:
    """How often a deed may follow, and the view after that."""
    state = game.copy(view)
    for time in range(MAX_TIMES):
        before = game.copy(state)
        for action in deed:
            if not may_take(game, state, side, action):
                return time, before
            if time == 0:
                said = words.text(game.narrator.describe(state, side, action))
                told.append(f"→ {said}" if told else said)
            game.apply(game.rules, state, action)
    return MAX_TIMES, state
