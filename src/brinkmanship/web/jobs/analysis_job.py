"""The analysis of a finished game as work for another process or machine: from bytes to bytes.

A finished game is open to everybody, so that process is given its journal. Nothing is read as Python's pickles are.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

import msgspec

from brinkmanship.engine import journal
from brinkmanship.engine.data_file import DataFile
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.games.registry import load_game
from brinkmanship.web.jobs.player_job import data_of
from brinkmanship.web.support.progress import Teller

SEED = 0
"""Whoever asks, the analysis of a game is the same."""


class _Question(msgspec.Struct, array_like=True):
    journal: str
    data_name: str
    data: bytes | None
    playouts: int


_read_question = msgspec.msgpack.Decoder(_Question).decode


def question_about(record: journal.Journal, game: Game, playouts: int) -> bytes:
    """What is asked about a finished game, whose journal has all cards open; `playouts` for each step of it, of which
    `analyses.playouts_for` makes what suits the game."""
    return zlib.compress(msgspec.msgpack.encode(_Question(record.text(), *data_of(game), playouts)))


def played(text: str, data_name: str, data: bytes | None) -> tuple[journal.Journal, Match]:
    """A finished game from its journal, and the data file of its ruleset as `player_job.data_of` gives it."""
    record = journal.parse(text)
    game = load_game(record.game_id, None if data is None else DataFile(data_name, data), record.options)
    return record, journal.play(record, game)


def analysed(question: bytes, tell: Callable[[bytes], None]) -> bytes:
    """The analysis, as `analysis.report.Analysis.to_json` writes it, packed by zlib.

    Args:
        question: from `question_about`.
        tell: is told the progress so far.

    Raises:
        AnalysisError: the game cannot be analysed.
    """
    from brinkmanship.analysis.pipeline import analyse, playouts_for  # it loads the search

    asked = _read_question(zlib.decompress(question))
    record, match = played(asked.journal, asked.data_name, asked.data)
    teller = Teller(tell)
    given = journal.given_in(record, match)
    playouts = playouts_for(match.game, asked.playouts)
    found = analyse(match, SEED, playouts, record.result, teller.progress, teller.curve, given)
    return zlib.compress(found.to_json())
