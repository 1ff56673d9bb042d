"""Job for another process or machine: the analysis of a finished game, from bytes to bytes."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from brinkmanship.engine import journal
from brinkmanship.engine.game import Game
from brinkmanship.web.jobs.request import FinishedGameRequest, data_of
from brinkmanship.web.support.progress import ProgressReporter

SEED = 0
"""Fixed seed: the analysis of a game is the same for every request."""


class _Request(FinishedGameRequest):
    playouts: int


def encode(record: journal.Journal, game: Game, playouts: int) -> bytes:
    """Encode a request to analyse a finished game.

    Args:
        record: Journal with all cards open.
        game: Ruleset of the game.
        playouts: Simulated games per step; `analyses.playouts_for` adapts the number to the game.
    """
    return _Request(record.text(), *data_of(game), playouts).to_bytes()


def run(payload: bytes, report_progress: Callable[[bytes], None]) -> bytes:
    """Return the analysis as JSON from `analysis.report.Analysis.to_json`, compressed with zlib.

    Args:
        payload: Request from `encode`.
        report_progress: Callback for progress reports.

    Raises:
        AnalysisError: The game cannot be analysed.
    """
    from brinkmanship.analysis.pipeline import analyse, playouts_for  # it loads the search

    request = _Request.from_bytes(payload)
    record, match = request.replayed()
    reporter = ProgressReporter(report_progress)
    given = journal.given_in(record, match)
    playouts = playouts_for(match.game, request.playouts)
    found = analyse(match, SEED, playouts, record.result, reporter.progress, reporter.curve, given)
    return zlib.compress(found.to_json())
