"""One record of a table, as the event log stores it and processes send it to each other."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class TableRecord:
    """One thing that happened at a table, as it is kept."""

    kind: str
    actor: int
    value: int
    at: float
