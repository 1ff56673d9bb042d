"""How far a long work is, as the process that does it tells it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec

TELL_SECONDS = 0.5
"""At least so long between two tellings of how far it is."""


class Progress(msgspec.Struct, array_like=True, frozen=True):
    """How far a long work is."""

    share: float = 0.0
    """Of the work, 0 to 1."""
    seconds_left: float | None = None
    """About; None where that is not known yet."""
    curve: tuple[tuple[int, float], ...] = ()
    """Of an analysis: how likely side 0 wins after so many entries, as known so far."""

    def to_bytes(self) -> bytes:
        """As a job tells it."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def from_bytes(cls, told: bytes) -> Progress:
        """What a job has told."""
        return _read(told)


_read = msgspec.msgpack.Decoder(Progress).decode


class Teller:
    """Tells how far a work is, now and then."""

    def __init__(self, tell: Callable[[bytes], None]) -> None:
        self._tell = tell
        self._first: tuple[float, int] | None = None
        """When it was first heard how far it is, and how far: before that the game was loaded."""
        self._told_at = 0.0
        self._curve: tuple[tuple[int, float], ...] = ()

    def progress(self, done: int, total: int) -> None:
        """So much of it is done."""
        now = time.monotonic()
        if self._first is None:
            self._first = (now, done)
        began, first = self._first
        if now - self._told_at >= TELL_SECONDS:
            self._told_at = now
            left = (now - began) * (total - done) / (done - first) if done > first else None
            self._tell(Progress(done / total, left, self._curve).to_bytes())

    def curve(self, points: Sequence[tuple[int, float]]) -> None:
        """The curve of an analysis as known so far; told with the next progress."""
        self._curve = tuple((int(at), float(win)) for at, win in points)
