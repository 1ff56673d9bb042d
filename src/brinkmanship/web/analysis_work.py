"""The analysis of a finished game as work for another process or machine: from bytes to bytes.

A finished game is open to everybody, so that process is given its journal. Nothing is read as Python's pickles are.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Sequence

import msgspec

from brinkmanship.engine import journal
from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.game import Game
from brinkmanship.games import load_game
from brinkmanship.web.questions import data_of

SEED = 0
"""Whoever asks, the analysis of a game is the same."""
TELL_SECONDS = 0.5
"""At least so long between two tellings of how far it is."""


class Progress(msgspec.Struct, array_like=True, frozen=True):
    """How far an analysis is."""

    share: float = 0.0
    """Of the work, 0 to 1."""
    seconds_left: float | None = None
    """About; None where that is not known yet."""
    curve: tuple[tuple[int, float], ...] = ()
    """How likely side 0 wins after so many entries, as known so far."""

    def to_bytes(self) -> bytes:
        """As a job tells it."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def from_bytes(cls, told: bytes) -> Progress:
        """What a job has told."""
        return _read_progress(told)


class _Question(msgspec.Struct, array_like=True):
    journal: str
    data_name: str
    data: bytes | None
    playouts: int


_read_progress = msgspec.msgpack.Decoder(Progress).decode
_read_question = msgspec.msgpack.Decoder(_Question).decode


def question_about(record: journal.Journal, game: Game, playouts: int) -> bytes:
    """What is asked about a finished game, whose journal has all cards open; `playouts` for each step of it, of which
    `analysing.playouts_for` makes what suits the game."""
    return zlib.compress(msgspec.msgpack.encode(_Question(record.text(), *data_of(game), playouts)))


def analysed(question: bytes, tell: Callable[[bytes], None]) -> bytes:
    """The analysis, as `analysis.report.Analysis.to_json` writes it, packed by zlib.

    Args:
        question: from `question_about`.
        tell: is told the progress so far.

    Raises:
        AnalysisError: the game cannot be analysed.
    """
    from brinkmanship.analysis.analysing import analyse, playouts_for  # it loads the search

    asked = _read_question(zlib.decompress(question))
    record = journal.parse(asked.journal)
    data = None if asked.data is None else DataFile(asked.data_name, asked.data)
    game = load_game(record.game_id, data, record.options)
    match = journal.play(record, game)
    teller = _Teller(tell)
    given = journal.given_in(record, match)
    playouts = playouts_for(game, asked.playouts)
    found = analyse(match, SEED, playouts, record.result, teller.progress, teller.curve, given)
    return zlib.compress(found.to_json())


class _Teller:
    """Tells how far it is, now and then."""

    def __init__(self, tell: Callable[[bytes], None]) -> None:
        self._tell = tell
        self._first: tuple[float, int] | None = None
        """When it was first heard how far it is, and how far: before that the game was loaded."""
        self._told_at = 0.0
        self._curve: tuple[tuple[int, float], ...] = ()

    def progress(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = (now, done)
        began, first = self._first
        if now - self._told_at >= TELL_SECONDS:
            self._told_at = now
            left = (now - began) * (total - done) / (done - first) if done > first else None
            self._tell(Progress(done / total, left, self._curve).to_bytes())

    def curve(self, points: Sequence[tuple[int, float]]) -> None:
        self._curve = tuple((int(at), float(win)) for at, win in points)
