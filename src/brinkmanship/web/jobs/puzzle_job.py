"""Job for another process or machine: find the puzzles in a user's finished game, from bytes to bytes."""

from __future__ import annotations

from collections.abc import Iterable

from brinkmanship.analysis.report import Analysis
from brinkmanship.engine import journal
from brinkmanship.engine.game import Game
from brinkmanship.web.jobs.analysis_job import SEED
from brinkmanship.web.jobs.request import FinishedGameRequest, data_of


class _Request(FinishedGameRequest):
    analysis: bytes
    sides: list[int]


def encode(record: journal.Journal, game: Game, analysis: Analysis, sides: Iterable[int]) -> bytes:
    """Encode a request to find the puzzles in a finished game, whose journal has all cards open.

    Args:
        record: Journal of the game.
        game: Ruleset of the game.
        analysis: Analysis of the game; it selects the decisions to examine.
        sides: Sides played by users.
    """
    return _Request(record.text(), *data_of(game), analysis.to_json(), sorted(sides)).to_bytes()


def run(payload: bytes) -> bytes:
    """Return the game with its puzzles, as `puzzles.puzzle.read` reads it.

    Args:
        payload: Request from `encode`.
    """
    from brinkmanship.puzzles.generator import found_in, worth_a_look  # it loads the search
    from brinkmanship.puzzles.puzzle import packed

    request = _Request.from_bytes(payload)
    _, match = request.replayed()
    looked_at = {one for one in worth_a_look(Analysis.from_json(request.analysis)) if one[1] in request.sides}
    return packed([found_in(match, looked_at, SEED)])
