"""What the scores of finished games are made of."""

from __future__ import annotations

from brinkmanship.engine.game import FULL_INFORMATION
from brinkmanship.engine.score import ScoreTable
from brinkmanship.web.tables.finished_cache import FinishedCache
from brinkmanship.web.tables.live_table import LiveTable

_scores: FinishedCache[tuple[ScoreTable, ...]] = FinishedCache()


def scored_at(table: LiveTable) -> tuple[ScoreTable, ...]:
    """What the score of a finished game at a table is made of; the whole game is read for it."""
    kept = _scores.get(table)
    if kept is not None:
        return kept
    return _scores.keep(table, table.game.narrator.score(list(table.still().seen_by(FULL_INFORMATION).seen())))
