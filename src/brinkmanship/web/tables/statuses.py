"""Statuses of a table, as stored in its row."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.web.tables.seats import Seat

WAITING = "waiting"
"""Status: a seat is free."""
DEALING = "dealing"
"""Status: all seats are taken; players' contributions to the deal are awaited."""
RUNNING = "running"
FINISHED = "over"
CLOSED = "closed"
"""Status: withdrawn or expired before all seats were taken; nothing was played."""


def status_before(seats: Sequence[Seat]) -> str:
    """Return the initial status of a table with these seats."""
    if any(seat.is_free for seat in seats):
        return WAITING
    return DEALING if any(seat.is_awaited for seat in seats) else RUNNING
