"""A game as one viewer knows it: the one place that decides which parts of a match a viewer may see.

Pages, terminals, programs, journals and players are given a `Perspective` and never a `Match`. It contains no hidden
information: entries are masked, states are views, and in a simultaneous choice nothing reveals that the other side has
chosen.

>>> from brinkmanship.engine.match import Match, dealer
>>> from brinkmanship.games.registry import load_game
>>> match = Match(load_game("13-days"))
>>> match.advance(dealer(seed=1))
>>> match.push(match.legal(1)[0].action, side=1)     # one side has chosen its agenda, in secret
>>> us, ussr = Perspective(match, 0), Perspective(match, 1)
>>> ussr.length - us.length
1
>>> sorted(us.to_move), sorted(ussr.to_move)
([0, 1], [0])
"""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.entry import Entry, ViewedEntry
from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, OBSERVER, Game
from brinkmanship.engine.match import Decision, Match, Outcome
from brinkmanship.engine.message import LogLine, Message
from brinkmanship.engine.record import State

UNKNOWN = -1
"""The action of an entry that the viewer may not know, as `Narrator.narrate` takes it."""


class Perspective:
    """A match as one viewer knows it, now or at an earlier point.

    Args:
        match: the game; the perspective follows its progress.
        viewer: a side, `OBSERVER`, or `FULL_INFORMATION` after the game.
        count: number of entries to look back to; None: the current position.
    """

    def __init__(self, match: Match, viewer: int, count: int | None = None) -> None:
        self._match = match
        self.game: Game = match.game
        self.viewer = viewer
        self._count = count

    def at(self, count: int) -> Perspective:
        """Return the same viewer's perspective after the first `count` entries."""
        return Perspective(self._match, self.viewer, count)

    def seen_as(self, viewer: int) -> Perspective:
        """Return another viewer's perspective of the same match; only where all of it may be known."""
        if self.viewer != FULL_INFORMATION:
            raise ValueError("only who knows everything can see as others do")
        return Perspective(self._match, viewer, self._count)

    def snapshot(self) -> Perspective:
        """Return the same perspective of a frozen copy of the match."""
        return Perspective(self._match.copy(), self.viewer, self._count)

    @property
    def length(self) -> int:
        """Number of entries the viewer may know of, without the other side's half of an open simultaneous choice."""
        count = len(self._match.entries) if self._count is None else self._count
        if self.viewer == FULL_INFORMATION or not self._match.is_first_answer(count):
            return count
        return count if self._match.entries[count - 1].actor == self.viewer else count - 1

    @property
    def entries(self) -> list[Entry]:
        """The entries as far as the viewer may know them; an unknown action is `UNKNOWN`, its text "draw ?"."""
        return [self._masked(entry) for entry in self._match.entries[: self.length]]

    def entry(self, number: int) -> Entry:
        """Return the entry with a number, from 1."""
        return self._masked(self._match.entries[: self.length][number - 1])

    def _masked(self, entry: Entry) -> Entry:
        if self.viewer == FULL_INFORMATION or entry.is_known_to(self.viewer):
            return entry
        return entry._replace(action=UNKNOWN, text=self.game.hidden_action_text(entry.action))

    def view(self, count: int | None = None) -> State:
        """Return the viewer's view after `count` entries (None: at this point), as a separate record."""
        match = self._match
        count = self._count if count is None else count
        state = match.state if count is None else match.state_after(count)
        return self.game.copy(state) if self.viewer == FULL_INFORMATION else self.game.view_of(state, self.viewer)

    def seen(self, first: int = 0) -> Iterator[ViewedEntry]:
        """Yield the known entries after the first `first`, each with the viewer's views before and after it."""
        before = self.view(first)
        for number, entry in enumerate(self._match.entries[first : self.length], first + 1):
            after = self.view(number)
            yield ViewedEntry(number, self._masked(entry), before, after)
            before = after

    def lines(self, seen: ViewedEntry) -> Iterator[LogLine]:
        """Yield the log lines of an entry: the action first, then its consequences."""
        return self.game.narrator.narrate(seen.before, seen.entry.action, seen.after, self._teller(seen.entry))

    def _teller(self, entry: Entry) -> int:
        """Return the side from whose view an entry is described; if all is open, that of the actor."""
        if self.viewer != FULL_INFORMATION:
            return self.viewer
        return entry.actor if entry.actor < CHANCE else OBSERVER

    @property
    def is_side(self) -> bool:
        """True if the viewer plays a side."""
        return self.viewer < len(self.game.sides)

    @property
    def to_move(self) -> frozenset[int]:
        """The sides that may act, as far as the viewer may know.

        In a simultaneous choice it contains both sides until the viewer has chosen.
        """
        return self.game.to_move(self.view())

    @property
    def prompt(self) -> Message:
        """The current question, or the side that the game waits for."""
        return self.game.narrator.prompt(self.view(), OBSERVER if self.viewer == FULL_INFORMATION else self.viewer)

    def legal(self) -> list[Decision]:
        """Return the legal actions of the viewer; empty for an observer, or when looking back."""
        return self._match.legal(self.viewer) if self.is_side and self._count is None else []

    def legal_texts(self) -> list[str]:
        """Return the texts of the viewer's legal actions."""
        return self._match.legal_texts(self.viewer) if self.is_side and self._count is None else []

    @property
    def undo_count(self) -> int:
        """Number of entries the viewer may take back without the opponent's consent."""
        return self._match.undo_count(self.viewer) if self.is_side and self._count is None else 0

    @property
    def in_secret(self) -> bool:
        """True during a simultaneous choice; that it is open is public."""
        return self._match.in_secret

    def hears_of(self, actor: int) -> bool:
        """Return True if the viewer may know that a side acts now: chooses, or takes its choice back."""
        return not self.in_secret or actor == self.viewer

    def outcome(self) -> Outcome | None:
        """Return the result of the game by its rules, None while it is in progress."""
        return self._match.outcome()
