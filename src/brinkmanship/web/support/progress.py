"""Progress of a long job, as reported by the process running it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec

TELL_SECONDS = 0.5
"""Minimum interval between two progress reports."""


class Progress(msgspec.Struct, array_like=True, frozen=True):
    """Progress of a long job."""

    share: float = 0.0
    """Share of the job that is done, 0 to 1."""
    seconds_left: float | None = None
    """Estimated seconds left; None if not known yet."""
    curve: tuple[tuple[int, float], ...] = ()
    """For an analysis: pairs of a number of entries and side 0's win probability after them, as far as computed."""

    def to_bytes(self) -> bytes:
        """Encode the report for sending."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> Progress:
        """Decode a report of a job."""
        return _read(data)


_read = msgspec.msgpack.Decoder(Progress).decode


class ProgressReporter:
    """Throttled reporter of a job's progress."""

    def __init__(self, report_progress: Callable[[bytes], None]) -> None:
        self._report_progress = report_progress
        self._first: tuple[float, int] | None = None
        """Time and number of units done at the first report; loading the game comes before it and is not counted."""
        self._told_at = 0.0
        self._curve: tuple[tuple[int, float], ...] = ()

    def progress(self, done: int, total: int) -> None:
        """Report that `done` of `total` units are done, unless the last report is too recent."""
        now = time.monotonic()
        if self._first is None:
            self._first = (now, done)
        began, first = self._first
        if now - self._told_at >= TELL_SECONDS:
            self._told_at = now
            left = (now - began) * (total - done) / (done - first) if done > first else None
            self._report_progress(Progress(done / total, left, self._curve).to_bytes())

    def curve(self, points: Sequence[tuple[int, float]]) -> None:
        """Store an analysis's curve so far; it is sent with the next progress report."""
        self._curve = tuple((int(at), float(win)) for at, win in points)
