"""Periodic task that counts finished games: their results by seat, for profiles and statistics.

A game is replayed once, in a thread, for its length and the agendas kept first. A game that can no longer be read is
counted without these.
"""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy import Engine

from brinkmanship.analysis.report import AnalysisError
from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, Game
from brinkmanship.engine.jit.cache import is_interpreting
from brinkmanship.engine.journal import ending_of
from brinkmanship.games.registry import kits
from brinkmanship.store import game_results
from brinkmanship.store.game_results import FinishedGame, GameFacts, SideFacts
from brinkmanship.store.writer import TRANSIENT_ERRORS
from brinkmanship.web.profiles.endings import ending_kind
from brinkmanship.web.studies.analyses import luck_adjusted
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.registry import TableRegistry

log = logging.getLogger("brinkmanship.web")

INTERVAL = 20.0
"""Interval (s) at which finished games are counted."""
MAX_AT_ONCE = 50
"""Maximum games counted in one run; each takes some milliseconds of a thread."""
LEASE_SECONDS = 60.0


async def count(engine: Engine, tables: TableRegistry) -> None:
    """Count some finished games, unless another process does; call it every `INTERVAL`."""
    if is_interpreting():  # uncompiled rules would replay for minutes
        return
    if await asyncio.to_thread(game_results.take_turn, engine, LEASE_SECONDS):
        await asyncio.to_thread(count_now, engine, tables, MAX_AT_ONCE)
        await asyncio.to_thread(game_results.end_turn, engine)


def count_now(engine: Engine, tables: TableRegistry, limit: int) -> int:
    """Count up to `limit` finished games and return how many were found; blocking."""
    since = game_results.progress(engine)
    found = game_results.uncounted(engine, kits(), limit)
    reports = game_results.latest_reports(engine, [game.table_id for game in found])
    ruleset = tables.rulesets.get
    facts = [_facts(ruleset(game.game, {}), game, _read(tables, game), reports.get(game.table_id)) for game in found]
    game_results.count(engine, facts, since, len(found) < limit)
    for game in found:
        if game.table_id not in reports:
            _set_luck(engine, game.table_id)
    return len(found)


def _set_luck(engine: Engine, table_id: str) -> None:
    """Store the results without luck of a counted game if its analysis has ended since its report was looked for.

    The analysis stores them, too, but when it ended before the game was counted it found no results to add them to.
    """
    with engine.begin() as connection:
        adjusted = _luck_adjusted(game_results.latest_report(connection, table_id))
        for statement in () if adjusted is None else game_results.luck_statements(table_id, adjusted):
            connection.execute(statement.sql, statement.row)


def _read(tables: TableRegistry, game: FinishedGame) -> LiveTable | None:
    try:
        return tables.loader.read(game.table_id)
    except TRANSIENT_ERRORS:
        raise
    except Exception:  # whatever is wrong with one game must not stop the others
        log.warning("a finished game cannot be read and is counted by its result alone", extra={"table": game.table_id})
        return None


def _facts(ruleset: Game, game: FinishedGame, table: LiveTable | None, report: bytes | None) -> GameFacts:
    winner, reason = ending_of(ruleset, game.result)
    agendas: list[str | None] = [None, None] if table is None else first_agendas(table)
    luck = _luck_adjusted(report) or (None, None)
    first, second = (
        SideFacts(0 if winner is None else 1 if winner == side else -1, agendas[side], luck[side]) for side in (0, 1)
    )
    turns = None if table is None else sum(entry.actor < CHANCE for entry in table.seen_by(FULL_INFORMATION).entries)
    return GameFacts(game, ending_kind(ruleset, reason), turns, (first, second))


def first_agendas(table: LiveTable) -> list[str | None]:
    """Return the agenda that each side kept first in a finished game; None if it kept none."""
    found: list[str | None] = [None, None]
    for entry in table.seen_by(FULL_INFORMATION).entries:
        if entry.actor < CHANCE and found[entry.actor] is None:
            parts = table.game.action_parts(entry.action)
            if parts.kind == "keep":
                found[entry.actor] = parts.agenda
        if None not in found:
            break
    return found


def _luck_adjusted(report: bytes | None) -> tuple[float, float] | None:
    try:
        return None if report is None else luck_adjusted(report)
    except AnalysisError:  # of another version
        return None
