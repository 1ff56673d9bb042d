"""Job for another process or machine: the analysis of a finished game, from bytes to bytes.

A finished game is open to everyone, so the worker receives its journal. No pickles: unpickling can run code.
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
from brinkmanship.web.support.progress import ProgressReporter

SEED = 0
"""Fixed seed: the analysis of a game is the same for every request."""


class _Question(msgspec.Struct, array_like=True):
    journal: str
    data_name: str
    data: bytes | None
    playouts: int


_read_question = msgspec.msgpack.Decoder(_Question).decode


def question_about(record: journal.Journal, game: Game, playouts: int) -> bytes:
    """Encode a request to analyse a finished game.

    Args:
        record: Journal with all cards open.
        game: Ruleset of the game.
        playouts: Simulated games per step; `analyses.playouts_for` adapts the number to the game.
    """
    return zlib.compress(msgspec.msgpack.encode(_Question(record.text(), *data_of(game), playouts)))


def played(text: str, data_name: str, data: bytes | None) -> tuple[journal.Journal, Match]:
    """Return a finished game from its journal and its ruleset's data file (from `player_job.data_of`)."""
    record = journal.parse(text)
    game = load_game(record.game_id, None if data is None else DataFile(data_name, data), record.options)
    return record, journal.play(record, game)


def analysed(question: bytes, report_progress: Callable[[bytes], None]) -> bytes:
    """Return the analysis as JSON from `analysis.report.Analysis.to_json`, compressed with zlib.

    Args:
        question: Request from `question_about`.
        report_progress: Callback for progress reports.

    Raises:
        AnalysisError: The game cannot be analysed.
    """
    from brinkmanship.analysis.pipeline import analyse, playouts_for  # it loads the search

    request = _read_question(zlib.decompress(question))
    record, match = played(request.journal, request.data_name, request.data)
    reporter = ProgressReporter(report_progress)
    given = journal.given_in(record, match)
    playouts = playouts_for(match.game, request.playouts)
    found = analyse(match, SEED, playouts, record.result, reporter.progress, reporter.curve, given)
    return zlib.compress(found.to_json())
