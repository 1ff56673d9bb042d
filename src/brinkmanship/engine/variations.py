"""Analysis lines: variations of a game with all cards open, in which one person plays both sides.

A line has the entries of its game up to a position, and then its own. A line continued from a position of another line
shares its prefix, so all lines of a game form a tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from brinkmanship.engine import commit_reveal
from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, OBSERVER, OVER, Game
from brinkmanship.engine.match import Decision, Match, dealer
from brinkmanship.engine.message import Message
from brinkmanship.engine.perspective import Perspective

Advance = Callable[[Match], None]
"""Resolves chance events and rule steps, as far as they happen automatically."""


Actions = tuple[tuple[int, int], ...]
"""Pairs of `Entry.actor` and `Entry.action`, including chance and the steps of the rules."""


class Variation(msgspec.Struct, frozen=True, array_like=True):
    """A line of a game."""

    base: int
    """Number of entries of the game that it begins with."""
    actions: Actions = ()
    """The actions after that."""

    @property
    def length(self) -> int:
        """Number of entries."""
        return self.base + len(self.actions)

    def until(self, count: int) -> Variation:
        """Return its first `count` entries as a line."""
        return Variation(min(count, self.base), self.actions[: max(0, count - self.base)])

    def begins(self, other: Variation) -> bool:
        """Return True if another line of the same game begins with this one."""
        return other.until(self.length) == self


class ChanceOutcome(NamedTuple):
    """A possible outcome of chance at a position."""

    action: int
    share: float
    """Its probability."""
    message: Message
    """Its log line, or its name."""


class Position:
    """The end of a line: all cards open, and one person plays both sides.

    Args:
        root: the game, with all cards open.
        line: a line of that game.

    Raises:
        IllegalActionError: the line no longer fits the game.
        ValueError: the viewer does not see all cards.
    """

    def __init__(self, root: Perspective, line: Variation) -> None:
        if root.viewer != FULL_INFORMATION:
            raise ValueError("an analysis line needs a perspective with full information")
        self._root = _actions_of(root)
        if not 0 <= line.base <= len(self._root):
            arguments = {"at": str(line.base), "entries": str(len(self._root))}
            raise IllegalActionError(Message("fault.play_on.no_step", arguments))
        self._match = Match(root.game)
        self._match.take((*self._root[: line.base], *line.actions))
        self.line = _line(self._root, _actions_of(self._match))

    @property
    def fork(self) -> int:
        """Number of entries that the line has in common with its game."""
        return self.line.base

    @property
    def game(self) -> Game:
        """The ruleset."""
        return self._match.game

    @property
    def seen(self) -> Perspective:
        """The line with all cards open."""
        return Perspective(self._match, FULL_INFORMATION)

    @property
    def side(self) -> int | None:
        """The side to act; in a simultaneous choice the first that has not chosen; None if no side may act."""
        return min(self._match.pending, default=None)

    @property
    def mover(self) -> Perspective | None:
        """The line from the perspective of the side to act."""
        return None if self.side is None else Perspective(self._match, self.side)

    @property
    def is_over(self) -> bool:
        """True if the game has ended there."""
        return self._match.actor == OVER

    def legal(self) -> list[Decision]:
        """Return the legal actions of the side to act."""
        return [] if self.side is None else self._match.legal(self.side)

    def outcomes(self) -> list[ChanceOutcome]:
        """Return the possible outcomes of chance, in the order of the rules; empty if chance does not act now."""
        match = self._match
        if match.actor != CHANCE:
            return []
        weights = self.game.distribution(match.state)
        total, found = sum(weights.values()), []
        for action, weight in weights.items():
            after = match.copy()
            after.push(action)
            seen = Perspective(after, FULL_INFORMATION)
            lines = [line.message for entry in seen.seen(seen.length - 1) for line in seen.lines(entry)]
            found.append(ChanceOutcome(action, weight / total, lines[0] if lines else self._called(action)))
        return found

    def _called(self, action: int) -> Message:
        return self.game.narrator.describe(self._match.state, OBSERVER, action)

    def act(self, action: int | str, advance: Advance) -> Position:
        """Return the position after an action of the side to act, or an outcome of chance.

        Raises:
            IllegalActionError: not legal here.
            MalformedActionError: not an action of this game.
        """
        after = self._match.copy()
        after.push(action, side=self.side)
        return self._after(after, advance)

    def deal(self, advance: Advance) -> Position:
        """Return the position after chance has acted automatically."""
        return self._after(self._match.copy(), advance)

    def _after(self, match: Match, advance: Advance) -> Position:
        advance(match)
        after = object.__new__(Position)
        after._root, after._match, after.line = self._root, match, _line(self._root, _actions_of(match))
        return after


def _line(root: Actions, actions: Actions) -> Variation:
    """Return the canonical line with these entries: as many as possible belong to its game.

    So equal lines compare equal.
    """
    most = min(len(root), len(actions))
    base = next((at for at in range(most) if root[at] != actions[at]), most)
    return Variation(base, actions[base:])


def _actions_of(game: Match | Perspective) -> Actions:
    return tuple((entry.actor, entry.action) for entry in game.entries)


def replay_chance(key: bytes) -> Advance:
    """Return an `Advance` that derives chance from a game's key (`commit_reveal`): equal entries, equal outcomes."""
    return lambda match: commit_reveal.advance(match, key)


def fresh_chance(match: Match) -> None:
    """Resolve chance with new random numbers."""
    match.advance(dealer())


def manual_chance(match: Match) -> None:
    """Leave chance to the player of the line; only events with a single outcome happen automatically."""
    while match.actor == CHANCE and len(match.game.distribution(match.state)) == 1:
        match.push_chance(lambda _: 0)
