"""LRU cache of tables in memory, limited by their number and size."""

from __future__ import annotations

from collections import Counter, OrderedDict

from brinkmanship.web.tables import ruleset_cache
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.ruleset_cache import Rulesets
from brinkmanship.web.tables.statuses import FINISHED

MAX_LIVE_TABLES = 5_000
"""Maximum tables in memory; the least recently used are dropped. Nothing is lost: the records are in the database."""

TABLE_BYTES = 20_000
ENTRY_BYTES = 1_000
"""Memory of a table, and of an entry of its game (bytes, rounded up)."""

MAX_LIVE_BYTES = 400_000_000
"""Maximum memory (bytes) of all tables, including rulesets that only they use."""

MAX_FINISHED_BYTES = 40_000_000
"""Maximum memory (bytes) of finished games; few are viewed again soon, and derived data is kept elsewhere."""

KEPT_BETWEEN_LOOKS = 32
"""Number of tables added between two checks of the memory limits; a check walks through all tables."""


class TableCache(OrderedDict[str, LiveTable]):
    """Tables in memory by id, the least recently used first."""

    def __init__(self, rulesets: Rulesets) -> None:
        super().__init__()
        self._rulesets = rulesets
        self._kept = 0
        """Number of tables added since the last check of the memory limits."""

    def add(self, table: LiveTable) -> None:
        """Add a table; may drop the least recently used, finished ones first."""
        self[table.id] = table
        self._kept += 1
        if self._kept < KEPT_BETWEEN_LOOKS:
            return
        self._kept = 0
        finished = [live for live in self.values() if live.status == FINISHED]
        self._let_go(finished, MAX_FINISHED_BYTES, table)
        self._let_go(list(self.values()), MAX_LIVE_BYTES, table)

    def _let_go(self, tables: list[LiveTable], most_bytes: int, but: LiveTable) -> None:
        played_by = Counter(id(live.game) for live in tables if not self._rulesets.is_shared(live.game))
        used = len(played_by) * ruleset_cache.BYTES + sum(map(_bytes_of, tables))
        for old in tables:
            if len(self) <= MAX_LIVE_TABLES and used <= most_bytes:
                return
            if old is not but and not old.presence.listeners and not old.lock.locked():
                used -= _bytes_of(old)
                played_by[id(old.game)] -= 1
                if played_by[id(old.game)] == 0:  # the last table with this ruleset; shared rulesets go below 0
                    used -= ruleset_cache.BYTES
                del self[old.id]


def _bytes_of(table: LiveTable) -> int:
    return TABLE_BYTES + ENTRY_BYTES * table.length
