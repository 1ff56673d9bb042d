"""Repeat a side's last action as often as it remains legal.

The rules move several units of one type one by one; a player chooses the target once and the number of further units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.record import State
from brinkmanship.text import Words

MAX_DECISIONS = 3
"""Maximum decisions that make up one repeatable action: a unit, and its target."""
MAX_TIMES = 9


class RepeatAction(NamedTuple):
    """An action that may be repeated."""

    actions: tuple[int, ...]
    times: int
    """Number of possible repetitions in succession, at most `MAX_TIMES`."""
    text: str
    ends: bool
    """True if the side has no further decision after all repetitions, so that they cannot be taken back."""


def repeatable(perspective: Perspective, words: Words) -> RepeatAction | None:
    """Return the shortest suffix of the side's last decisions that is legal again, None if another entry intervened."""
    game, view, side = perspective.game, perspective.view(), perspective.viewer
    own: list[int] = []
    # The other side's simultaneous choice is between them only because entries are ordered by side.
    last = perspective.entries[-2 * MAX_DECISIONS :]
    entries = [entry for entry in last if entry.actor == side or not entry.together]
    while len(own) < min(MAX_DECISIONS, len(entries)) and entries[-1 - len(own)].actor == side:
        own.insert(0, entries[-1 - len(own)].action)
    for length in range(1, len(own) + 1):
        actions = own[-length:]
        parts = game.action_parts(actions[0])
        if parts.place is None and parts.track is None:
            continue  # an action without a place or track, such as passing, is not worth repeating
        sentences: list[str] = []
        times, after = _times(game, view, side, actions, words, sentences)
        if times:
            ends = side not in game.to_move(after)
            return RepeatAction(tuple(actions), times, " ".join(sentences[:length]), ends)
    return None


def is_asked(game: Game, state: State, side: int) -> bool:
    """Return True if a side is the next to decide."""
    return int(game.actor(game.rules, state)) == side


def may_take(game: Game, state: State, side: int, action: int) -> bool:
    """Return True if a side is the next to decide and the action is legal."""
    return is_asked(game, state, side) and action in game.legal_actions(state, side)


def _times(
    game: Game, view: State, side: int, actions: Sequence[int], words: Words, sentences: list[str]
) -> tuple[int, State]:
    """Return the number of possible repetitions, and the view after them."""
    state = game.copy(view)
    for time in range(MAX_TIMES):
        before = game.copy(state)
        for action in actions:
            if not may_take(game, state, side, action):
                return time, before
            if time == 0:
                said = words.text(game.narrator.describe(state, side, action))
                sentences.append(f"→ {said}" if sentences else said)
            game.apply(game.rules, state, action)
    return MAX_TIMES, state
