"""What the viewers of a table are not told: hidden records, and the clocks during a secret choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support.time_control import Timer, after_pause


class Secrecy(NamedTuple):
    """What the viewers of a table are not told.

    In a simultaneous choice the other side's choice counts once, when both have chosen: making, changing or taking it
    back before is never counted, then or later.
    """

    hearers: Mapping[int, int] = MappingProxyType({})
    """Records hidden for good: by index, the only viewer who sees the record, or `NOBODY`."""
    since: int | None = None
    """Number of records at the start of the pending secret choice; None if there is none."""
    clocks: tuple[Sequence[float], float | None] = ((), None)
    """Seconds on the clocks, and `Timer.since`, at that time."""

    def hide(self, index: int, hearer: int) -> Secrecy:
        """Return this with a record hidden from everyone but `hearer`."""
        return self._replace(hearers={**self.hearers, index: hearer})

    def begin(self, count: int, timer: Timer | None) -> Secrecy:
        """Return this at the start of a secret choice, after `count` records."""
        clocks = (tuple(timer.left), timer.since) if timer else self.clocks
        return self._replace(since=count, clocks=clocks)

    def end(self) -> Secrecy:
        """Return this after a secret choice."""
        return self if self.since is None else self._replace(since=None)

    def pause(self, at: float, seconds: float) -> Secrecy:
        """Return this after a pause of the clocks for some seconds that ended at `at`."""
        left, since = self.clocks
        return self._replace(clocks=(left, after_pause(since, at, seconds)))

    def version(self, count: int, viewer: int) -> int:
        """Return the number of those of the first `count` records that a viewer may know."""
        return count - sum(hearer != viewer for hearer in self.hearers.values())

    def known(self, records: list[TableRecord], viewer: int) -> list[TableRecord]:
        """Return the records that a viewer may know."""
        if not self.hearers:
            return records
        return [record for index, record in enumerate(records) if self.hearers.get(index, viewer) == viewer]

    def seconds_left(self, timer: Timer, viewer: int, now: float) -> list[float]:
        """Return each side's time (s) as a viewer may know it: as if no other side had chosen in secret."""
        shown = [timer.seconds_left(side, now) for side in range(len(timer.left))]
        if self.since is not None:
            left, since = self.clocks
            for side in range(len(shown)):
                if side != viewer:
                    shown[side] = left[side] - (0.0 if since is None else max(0.0, now - since))
        return [max(0.0, seconds) for seconds in shown]
