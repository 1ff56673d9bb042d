"""A game as one reader knows it: the one place that decides what may be shown of a match, to whom.

Pages, terminals, programs, journals and players are given a `Perspective` and never a `Match`. What a reader may not
know is not in it: entries are masked, states are views, and of a question put to both sides nothing tells that the
other one has answered.

>>> from brinkmanship.engine.match import Match, dealer
>>> from brinkmanship.games.registry import load_game
>>> match = Match(load_game("13-days"))
>>> match.advance(dealer(seed=1))
>>> match.push(match.legal(1)[0].action, side=1)     # one side has chosen its agenda, in secret
>>> us, ussr = Perspective(match, 0), Perspective(match, 1)
>>> ussr.length - us.length
1
>>> sorted(us.asked), sorted(ussr.asked)
([0, 1], [0])
"""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.entry import Entry, ViewedEntry
from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, OBSERVER, Game
from brinkmanship.engine.match import Decision, Match, Outcome
from brinkmanship.engine.message import Line, Message
from brinkmanship.engine.record import State

UNKNOWN = -1
"""The action of an entry whose reader may not know which it is, as `Narrator.narrate` takes it."""


class Perspective:
    """A match as one reader knows it, now or at an earlier point of it.

    Args:
        match: the game; the perspective goes on with it.
        reader: a side, `OBSERVER`, or `FULL_INFORMATION` after the game.
        count: look back to where the match had so many entries; None: at the present.
    """

    def __init__(self, match: Match, reader: int, count: int | None = None) -> None:
        self._match = match
        self.game: Game = match.game
        self.reader = reader
        self._count = count

    def at(self, count: int) -> Perspective:
        """The same reader looking at the match when it had so many entries."""
        return Perspective(self._match, self.reader, count)

    def still(self) -> Perspective:
        """The same, of a match that does not go on and takes nothing back."""
        return Perspective(self._match.copy(), self.reader, self._count)

    @property
    def length(self) -> int:
        """How many entries the reader may know of: not the other side's answer to a question put to both."""
        count = len(self._match.entries) if self._count is None else self._count
        if self.reader == FULL_INFORMATION or not self._match.is_first_answer(count):
            return count
        return count if self._match.entries[count - 1].actor == self.reader else count - 1

    @property
    def entries(self) -> list[Entry]:
        """What was done, as far as the reader may know; an action he may not know is `UNKNOWN`, its text "draw ?"."""
        return [self._masked(entry) for entry in self._match.entries[: self.length]]

    def entry(self, number: int) -> Entry:
        """The entry with a number, from 1."""
        return self._masked(self._match.entries[: self.length][number - 1])

    def _masked(self, entry: Entry) -> Entry:
        if self.reader == FULL_INFORMATION or entry.is_known_to(self.reader):
            return entry
        return entry._replace(action=UNKNOWN, text=self.game.hidden_action_text(entry.action))

    def view(self, count: int | None = None) -> State:
        """What the reader knows after so many entries, None: at this point. A record of its own."""
        match = self._match
        count = self._count if count is None else count
        state = match.state if count is None else match.state_after(count)
        return self.game.copy(state) if self.reader == FULL_INFORMATION else self.game.view_of(state, self.reader)

    def seen(self, first: int = 0) -> Iterator[ViewedEntry]:
        """The known entries after the first so many, each with the reader's views before and after it."""
        before = self.view(first)
        for number, entry in enumerate(self._match.entries[first : self.length], first + 1):
            after = self.view(number)
            yield ViewedEntry(number, self._masked(entry), before, after)
            before = after

    def lines(self, seen: ViewedEntry) -> Iterator[Line]:
        """What an entry was, as lines of a log: the deed first, then what followed from it."""
        return self.game.narrator.narrate(seen.before, seen.entry.action, seen.after, self._teller(seen.entry))

    def _teller(self, entry: Entry) -> int:
        """From whose side it is told; where all is open, from that of the one who acts."""
        if self.reader != FULL_INFORMATION:
            return self.reader
        return entry.actor if entry.actor < CHANCE else OBSERVER

    @property
    def is_side(self) -> bool:
        """Whether the reader is one of the players."""
        return self.reader < len(self.game.sides)

    @property
    def asked(self) -> frozenset[int]:
        """The sides that may act, as far as the reader may know: both, while both are asked and he has not answered."""
        return self.game.asked(self.view())

    @property
    def prompt(self) -> Message:
        """What is asked now, or whom the game waits for."""
        return self.game.narrator.prompt(self.view(), OBSERVER if self.reader == FULL_INFORMATION else self.reader)

    def legal(self) -> list[Decision]:
        """What the reader may do now; nothing for an onlooker, or looking back."""
        return self._match.legal(self.reader) if self.is_side and self._count is None else []

    def legal_texts(self) -> list[str]:
        """The texts of what the reader may do now."""
        return self._match.legal_texts(self.reader) if self.is_side and self._count is None else []

    @property
    def undo_count(self) -> int:
        """How many entries the reader may take back by himself."""
        return self._match.undo_count(self.reader) if self.is_side and self._count is None else 0

    @property
    def in_secret(self) -> bool:
        """Whether a question put to both sides is open; that it was put is no secret."""
        return self._match.in_secret

    def hears_of(self, actor: int) -> bool:
        """Whether the reader may know that a side does something now: answer, or take its answer back."""
        return not self.in_secret or actor == self.reader

    def outcome(self) -> Outcome | None:
        """How the game ended by its rules, None while it goes on."""
        return self._match.outcome()
