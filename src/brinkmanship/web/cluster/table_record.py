"""A table's record, as stored in the event log and sent between processes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class TableRecord:
    """One stored event of a table."""

    kind: str
    actor: int
    value: int
    at: float
