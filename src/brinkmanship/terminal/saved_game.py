"""The game of a session and its journal: what the file holds, when it is written, and what is unsaved."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from brinkmanship.engine import journal
from brinkmanship.engine.entry import Entry
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.terminal.presenter import Presenter


@dataclass
class SavedGame:
    """A match with everything else that its journal holds; new or loaded, it counts as saved."""

    match: Match
    path: Path | None = None
    """Path where the journal is written after every decision; None: it is written only on request."""
    headers: dict[str, str] = field(default_factory=dict)
    """Further lines for the header of the journal."""
    result: str | None = None
    """How the game ended outside its rules, if it did ("us by resignation")."""
    hinted: set[int] = field(default_factory=set)
    """The decisions made after a hint, each by the number of entries before it."""
    given: int = 0
    """Number of entries from another game; they cannot be taken back."""
    reasons: dict[int, Message] = field(default_factory=dict)
    """Reasons of computer players by entry number; shown to nobody before the game is over."""
    forced: set[int] = field(default_factory=set)
    """Numbers of the entries that were made without asking, as the only choice and without effect."""

    def __post_init__(self) -> None:
        self._written = self._contents()

    @classmethod
    def loaded(cls, record: journal.Journal, game: Game, path: Path | None) -> Self:
        """Return the game of a journal, to be continued.

        Raises:
            JournalError: the journal cannot be replayed.
        """
        match = journal.play(record, game)
        headers = dict(record.headers)
        headers.pop("seed", None)  # future deals could be computed from it and the entries
        result = None if record.result in ("unfinished", journal.result_text(match)) else record.result
        return cls(match, path, headers, result, journal.hinted_in(record, match), journal.given_in(record, match))

    def name_players(self, names: Iterable[str]) -> None:
        """Write the player of each side to the headers, and today's date to those of a new game."""
        players = dict(zip(self.match.game.sides, names, strict=True))
        self.headers = {"date": datetime.date.today().isoformat(), **self.headers, **players}

    def take_back(self, side: int, *, everything: bool) -> bool:
        """Take back the last decision of a side, or all it may; return False if there is none."""
        last = len(self.match.entries)
        mine = range(last, max(last - self.match.undo_count(side), self.given), -1)
        chosen = [number for number in mine if number not in self.forced]
        if not chosen:
            return False
        kept = (chosen[-1] if everything else chosen[0]) - 1
        while len(self.match.entries) > kept:
            self.match.pop()
        self.forced = {number for number in self.forced if number <= kept}
        self.reasons = {number: reason for number, reason in self.reasons.items() if number <= kept}
        self.hinted = {min(number, kept) for number in self.hinted}
        return True

    def autosave(self, presenter: Presenter) -> None:
        """Write the journal to its path, if it has one and anything has changed."""
        if self.path is not None and self._is_unsaved:
            self._write(self.path, presenter)

    def offer_to_save(self, question: str, presenter: Presenter) -> None:
        """Ask whether to save a game that is not saved automatically, if anything has changed."""
        if self.path is None and self._is_unsaved and presenter.confirm(question):
            self.save("", presenter)

    def save(self, name: str, presenter: Presenter) -> None:
        """Write the journal to a file; without a name to its path, or to a file the user names."""
        if not name:
            name = str(self.path) if self.path else presenter.screen.read_text(presenter.say("save_as")).strip()
        if not name:
            return
        path = Path(name).expanduser()
        if path.exists() and path != self.path and not presenter.confirm("overwrite", file=name):
            return
        if self._write(path, presenter):
            presenter.tell("saved", file=str(path))

    def _write(self, path: Path, presenter: Presenter) -> bool:
        try:
            record = journal.of_match(self.match, self.headers, self.result)
            if self.result or self.match.is_over:
                record = journal.with_reasons(record, self.reasons)
            journal.with_notes_of_hints(record, self.hinted).write(path)
        except OSError as error:
            presenter.tell("not_saved", file=str(path), why=error.strerror or str(error))
            return False
        self._written = self._contents()
        return True

    @property
    def _is_unsaved(self) -> bool:
        return self._written != self._contents()

    def _contents(self) -> tuple[list[Entry], str | None, set[int]]:
        return list(self.match.entries), self.result, set(self.hinted)
