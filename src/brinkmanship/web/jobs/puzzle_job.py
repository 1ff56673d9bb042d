"""Job for another process or machine: find the puzzles in a user's finished game, from bytes to bytes.

A finished game is open to everyone, so the worker receives its journal. No pickles: unpickling can run code.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import msgspec

from brinkmanship.analysis.report import Analysis
from brinkmanship.engine import journal
from brinkmanship.engine.game import Game
from brinkmanship.web.jobs.analysis_job import SEED, played
from brinkmanship.web.jobs.player_job import data_of


class _Question(msgspec.Struct, array_like=True):
    journal: str
    data_name: str
    data: bytes | None
    analysis: bytes
    sides: list[int]


_read_question = msgspec.msgpack.Decoder(_Question).decode


def question_about(record: journal.Journal, game: Game, analysis: Analysis, sides: Iterable[int]) -> bytes:
    """Encode a request to find the puzzles in a finished game, whose journal has all cards open.

    Args:
        record: Journal of the game.
        game: Ruleset of the game.
        analysis: Analysis of the game; it selects the decisions to examine.
        sides: Sides played by users.
    """
    request = _Question(record.text(), *data_of(game), analysis.to_json(), sorted(sides))
    return zlib.compress(msgspec.msgpack.encode(request))


def puzzles_in(question: bytes) -> bytes:
    """Return the game with its puzzles, as `puzzles.puzzle.read` reads it.

    Args:
        question: Request from `question_about`.
    """
    from brinkmanship.puzzles.generator import found_in, worth_a_look  # it loads the search
    from brinkmanship.puzzles.puzzle import packed

    request = _read_question(zlib.decompress(question))
    _, match = played(request.journal, request.data_name, request.data)
    looked_at = {one for one in worth_a_look(Analysis.from_json(request.analysis)) if one[1] in request.sides}
    return packed([found_in(match, looked_at, SEED)])
