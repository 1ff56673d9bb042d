"""Analyses of finished games: requested by anyone who may see the game, computed in the `background`, and stored."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence

from sqlalchemy import Engine

from brinkmanship.analysis.report import Analysis, AnalysisError
from brinkmanship.engine.game import FULL_INFORMATION, Game
from brinkmanship.players import players_for
from brinkmanship.store import schema
from brinkmanship.store.analyses import AnalysisSubject
from brinkmanship.store.background_jobs import JobStore
from brinkmanship.store.daily import luck_statement
from brinkmanship.store.game_results import luck_statements
from brinkmanship.store.writer import Statement, Writer
from brinkmanship.web.jobs import analysis_job
from brinkmanship.web.jobs.background import BackgroundJobs, JobQuotas
from brinkmanship.web.jobs.player_job import ADVISER
from brinkmanship.web.jobs.process_pool import ANALYSIS
from brinkmanship.web.jobs.remote import RemoteWorkers
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.tables.live_table import LiveTable


class Analyses(BackgroundJobs[Analysis]):
    """Service that analyses games.

    Args:
        engine: Database engine.
        writer: Writer for the database.
        tasks: Supervisor of the background tasks.
        playouts: Simulated games per step of a game; 0 disables analyses.
        quotas: Maximum numbers of analyses per address and user.
        remote_workers: Client for remote workers; None if there are none.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        tasks: Supervisor,
        playouts: int,
        quotas: JobQuotas,
        remote_workers: RemoteWorkers | None = None,
    ) -> None:
        kept = JobStore(engine, schema.analyses)
        super().__init__(ANALYSIS, kept, _read, "analysis.refused.many", writer, tasks, quotas, remote_workers)
        self.playouts = playouts

    def can_analyse(self, game: Game, result: str) -> bool:
        """Return True if a game with this result can be analysed."""
        return self.playouts > 0 and result not in ("", "unfinished") and ADVISER in players_for(game)

    def of_table(self, table: LiveTable) -> tuple[AnalysisSubject, Callable[[], bytes]]:
        """Return the subject of a finished table's analysis, and the function that encodes its request."""
        snapshot, playouts = table.snapshot(), self.playouts

        def question() -> bytes:
            return analysis_job.encode(snapshot.journal(FULL_INFORMATION), snapshot.game, playouts)

        return AnalysisSubject(table.id, len(snapshot.records)), question

    def of_sealed(self, table: LiveTable) -> tuple[AnalysisSubject, Callable[[], bytes]]:
        """Return the same as `of_table` also while others play the same deal: the server computes, no one sees it."""
        snapshot = table.snapshot()
        snapshot.sealed = False
        return self.of_table(snapshot)

    def stored(self, table: LiveTable) -> Analysis | None:
        """Return the stored analysis of a finished table; None if there is none; blocks on the database."""
        kept = self._kept.kept(AnalysisSubject(table.id, len(table.records)).about)
        return _read(kept.report) if kept is not None and kept.report is not None else None

    def _further(self, about: str, report: bytes) -> Sequence[Statement]:
        """Store the results without luck, for the players' profiles and the deal of the day."""
        kind, _, table_id = about.rpartition(".")[0].partition(".")
        try:
            adjusted = luck_adjusted(report) if kind == "t" else None
        except AnalysisError:  # from a worker of another version
            return ()
        return () if adjusted is None else (*luck_statements(table_id, adjusted), luck_statement(table_id, adjusted))


def luck_adjusted(report: bytes) -> tuple[float, float]:
    """Return each side's result without luck from a stored analysis.

    Raises:
        AnalysisError: The analysis is of another version.
    """
    found = _read(report)
    return found.luck_adjusted(0), found.luck_adjusted(1)


def _read(report: bytes) -> Analysis:
    return Analysis.from_json(zlib.decompress(report))
