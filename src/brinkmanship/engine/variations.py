"""Lines of an analysis: what a game that is open to its reader could have been, played for both sides by one hand.

A line has the entries of its game up to a position, and then its own. Whatever is tried from a position of a line
begins like it, so all lines of a game are a tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from brinkmanship.engine import fair
from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, OBSERVER, OVER, Game
from brinkmanship.engine.match import Decision, Match, dealer
from brinkmanship.engine.message import Message
from brinkmanship.engine.perspective import Perspective

Advance = Callable[[Match], None]
"""Lets chance and the rules act, as far as they do so by themselves."""


Deeds = tuple[tuple[int, int], ...]
"""Who took which action (`Entry.actor`, `Entry.action`), chance and the steps of the rules among them."""


class Line(msgspec.Struct, frozen=True, array_like=True):
    """A line of a game."""

    base: int
    """How many entries of the game it begins with."""
    deeds: Deeds = ()
    """What happened then."""

    @property
    def length(self) -> int:
        """How many entries it has."""
        return self.base + len(self.deeds)

    def until(self, count: int) -> Line:
        """Its first so many entries."""
        return Line(min(count, self.base), self.deeds[: max(0, count - self.base)])

    def begins(self, other: Line) -> bool:
        """Whether another line of the same game begins with this one."""
        return other.until(self.length) == self


class Outcome(NamedTuple):
    """What chance may do at a position."""

    action: int
    share: float
    """How likely it is."""
    told: Message
    """What a log would say of it, or what it is called."""


class Position:
    """Where a line ends: all cards open, and one hand for both sides.

    Args:
        root: the game, with all cards open.
        line: of that game.

    Raises:
        IllegalActionError: the game is no longer one with this line.
        ValueError: something of the game is hidden from the reader.
    """

    def __init__(self, root: Perspective, line: Line) -> None:
        if root.reader != FULL_INFORMATION:
            raise ValueError("lines are tried by those to whom all of the game is open")
        self._root = _deeds(root)
        if not 0 <= line.base <= len(self._root):
            told = {"at": str(line.base), "entries": str(len(self._root))}
            raise IllegalActionError(Message("fault.play_on.no_step", told))
        self._match = Match(root.game)
        self._match.take((*self._root[: line.base], *line.deeds))
        self.line = _line(self._root, _deeds(self._match))

    @property
    def fork(self) -> int:
        """How many entries the line has in common with its game."""
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
        """The side that is asked, of two that are asked in secret the first one that has not answered; None: nobody."""
        return min(self._match.pending, default=None)

    @property
    def mover(self) -> Perspective | None:
        """The line as the side knows it that is asked."""
        return None if self.side is None else Perspective(self._match, self.side)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended there."""
        return self._match.actor == OVER

    def legal(self) -> list[Decision]:
        """What the side may do that is asked."""
        return [] if self.side is None else self._match.legal(self.side)

    def outcomes(self) -> list[Outcome]:
        """What chance may do now, in the order of the rules; nothing where it is not asked."""
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
            found.append(Outcome(action, weight / total, lines[0] if lines else self._called(action)))
        return found

    def _called(self, action: int) -> Message:
        return self.game.narrator.describe(self._match.state, OBSERVER, action)

    def act(self, action: int | str, advance: Advance) -> Position:
        """The position after an action of the side that is asked, or an outcome of chance.

        Raises:
            IllegalActionError: it is not legal here.
            MalformedActionError: it is no action of this game.
        """
        after = self._match.copy()
        after.push(action, side=self.side)
        return self._after(after, advance)

    def deal(self, advance: Advance) -> Position:
        """The position after chance has acted by itself."""
        return self._after(self._match.copy(), advance)

    def _after(self, match: Match, advance: Advance) -> Position:
        advance(match)
        after = object.__new__(Position)
        after._root, after._match, after.line = self._root, match, _line(self._root, _deeds(match))
        return after


def _line(root: Deeds, deeds: Deeds) -> Line:
    """The line with these entries: as many as it can have from its game, so that what is the same looks the same."""
    most = min(len(root), len(deeds))
    base = next((at for at in range(most) if root[at] != deeds[at]), most)
    return Line(base, deeds[base:])


def _deeds(game: Match | Perspective) -> Deeds:
    return tuple((entry.actor, entry.action) for entry in game.entries)


def replay_chance(key: bytes) -> Advance:
    """Chance follows from the key of the game (`engine.fair`): after the same entries the same is drawn and rolled."""
    return lambda match: fair.advance(match, key)


def fresh_chance(match: Match) -> None:
    """Chance is drawn anew."""
    match.advance(dealer())


def manual_chance(match: Match) -> None:
    """Chance waits for who plays the line to say what it does; what has one outcome only happens by itself."""
    while match.actor == CHANCE and len(match.game.distribution(match.state)) == 1:
        match.push_chance(lambda _: 0)
