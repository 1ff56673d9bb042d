"""Analyses of finished games: asked for by anybody who may see the game, worked out in the `background`, kept."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from sqlalchemy import Engine

from brinkmanship.analysis.report import Analysis
from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.players import players_for
from brinkmanship.store import schema
from brinkmanship.store.analyses import Subject
from brinkmanship.store.background_jobs import JobStore
from brinkmanship.store.writer import Writer
from brinkmanship.web.jobs.analysis_job import question_about
from brinkmanship.web.jobs.background import BackgroundJobs
from brinkmanship.web.jobs.player_job import ADVISER
from brinkmanship.web.jobs.process_pool import ANALYSIS
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.live_table import LiveTable


class Analyses(BackgroundJobs[Analysis]):
    """Has games analysed.

    Args:
        playouts: for each step of a game; 0: no game is analysed here.
        most_of_address: maximum analyses of one address, under way or waiting; 0: no limit.
        remote_workers: other machines for it, None: there are none.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        tasks: Supervisor,
        playouts: int,
        most_of_address: int,
        remote_workers: RemoteWorkers | None = None,
    ) -> None:
        kept = JobStore(engine, schema.analyses)
        super().__init__(ANALYSIS, kept, _read, "analysis.refused.many", writer, tasks, remote_workers, most_of_address)
        self.playouts = playouts

    def can_analyse(self, game: Game, result: str) -> bool:
        """Whether a game can be analysed that has ended so."""
        return self.playouts > 0 and result not in ("", "unfinished") and ADVISER in players_for(game)

    def of_table(self, table: LiveTable) -> tuple[Subject, Callable[[], bytes]]:
        """What names the analysis of a finished table, and makes what is asked about it."""
        still, playouts = table.still(), self.playouts

        def question() -> bytes:
            return question_about(still.journal(FULL_INFORMATION), still.game, playouts)

        return Subject(table.id, len(still.records)), question


def _read(report: bytes) -> Analysis:
    return Analysis.from_json(zlib.decompress(report))
