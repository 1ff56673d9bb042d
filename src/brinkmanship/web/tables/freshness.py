"""How much this process knows of what other processes have written about a table."""

from __future__ import annotations

import time


class Freshness:
    """State of knowledge about a table.

    Args:
        changes: Number of changes outside the event log that were read.
    """

    def __init__(self, changes: int) -> None:
        self.changes = changes
        """Number of changes outside the event log, as far as known here."""
        self.compared_at = time.monotonic()
        """Monotonic time (s) of the last comparison with the database."""
        self.changes_elsewhere = 0
        """Number of changes by other processes that require a reload."""
        self.changes_read = 0
        """Number of those that have been read."""

    @property
    def is_behind(self) -> bool:
        """True if another process has written something that has not been read yet."""
        return self.changes_read < self.changes_elsewhere

    def note_change(self) -> None:
        """Note that the table has to be read again."""
        self.changes_elsewhere += 1
