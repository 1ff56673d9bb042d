"""Cached score tables of finished games."""

from __future__ import annotations

from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.engine.score import ScoreTable
from brinkmanship.web.tables.finished_cache import FinishedCache
from brinkmanship.web.tables.live_table import LiveTable

_scores: FinishedCache[tuple[ScoreTable, ...]] = FinishedCache()


def scored_at(table: LiveTable) -> tuple[ScoreTable, ...]:
    """Return the score tables of a finished game; the whole game is replayed for them once."""
    kept = _scores.get(table)
    if kept is not None:
        return kept
    return _scores.keep(table, table.game.narrator.score(list(table.snapshot().seen_by(FULL_INFORMATION).seen())))
