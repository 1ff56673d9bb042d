"""Cache of values derived from finished games, which no longer change and are viewed repeatedly."""

from __future__ import annotations

from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from brinkmanship.web.tables.live_table import LiveTable

Made = TypeVar("Made")


class FinishedCache(Generic[Made]):
    """Cache of one value per finished table, kept while the table is in memory."""

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[LiveTable, tuple[str, Made]] = WeakKeyDictionary()

    def get(self, table: LiveTable) -> Made | None:
        """Return the cached value; None if there is none, or if the table's result has changed since."""
        result, made = self._kept.get(table, ("", None))
        return made if result == table.result else None

    def keep(self, table: LiveTable, made: Made) -> Made:
        """Cache a value for the table's current result and return it."""
        self._kept[table] = table.result, made
        return made
