"""What is made of finished games: they change no more, and are looked at again and again."""

from __future__ import annotations

from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from brinkmanship.web.tables.live_table import LiveTable

Made = TypeVar("Made")


class FinishedCache(Generic[Made]):
    """Something that is made of each finished table once, and kept as long as the table is in memory."""

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[LiveTable, tuple[str, Made]] = WeakKeyDictionary()

    def get(self, table: LiveTable) -> Made | None:
        """What was made of it; None where nothing was, or where the table has got another result since."""
        result, made = self._kept.get(table, ("", None))
        return made if result == table.result else None

    def keep(self, table: LiveTable, made: Made) -> Made:
        """Keep it for the result that the table has now."""
        self._kept[table] = table.result, made
        return made
