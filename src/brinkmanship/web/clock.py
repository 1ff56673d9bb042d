"""Clocks: time for the whole game with an increment, or days for each decision.

Time runs for every side that is asked, from one record to the next; before the first decision it does not run. While
both sides choose in secret, nobody else is shown whose time still runs: that would tell who has chosen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

LIVE = "live"
DAYS = "days"
DAY_SECONDS = 24 * 3600
LIVE_MINUTES = (1, 180)
INCREMENT_SECONDS = (0, 180)
DAYS_EACH = (1, 30)


@dataclass(frozen=True)
class Clock:
    """The time control of a table: `start` seconds on the clock, `increment` more for each decision.

    By days the clock is set back to `start` with each decision.
    """

    kind: str
    start: float
    increment: float = 0

    @classmethod
    def from_json(cls, data: Any) -> Clock | None:
        """A clock from its JSON: None, {"kind": "live", "minutes", "increment"} or {"kind": "days", "days"}.

        Raises:
            ValueError: not of that form, or a number out of range.
        """
        if data is None:
            return None
        if not isinstance(data, dict):
            raise ValueError("a clock is null or an object with its kind")
        if data.get("kind") == LIVE and set(data) <= {"kind", "minutes", "increment"}:
            minutes = _number(data, "minutes", LIVE_MINUTES)
            return cls(LIVE, 60.0 * minutes, float(_number({"increment": 0} | data, "increment", INCREMENT_SECONDS)))
        if data.get("kind") == DAYS and set(data) == {"kind", "days"}:
            return cls(DAYS, float(DAY_SECONDS * _number(data, "days", DAYS_EACH)))
        raise ValueError('a clock is {"kind": "live", "minutes", "increment"} or {"kind": "days", "days"}')

    def as_json(self) -> dict[str, Any]:
        """The other way."""
        if self.kind == DAYS:
            return {"kind": DAYS, "days": round(self.start / DAY_SECONDS)}
        return {"kind": LIVE, "minutes": round(self.start / 60), "increment": round(self.increment)}


def _number(data: dict[str, Any], name: str, span: tuple[int, int]) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not span[0] <= value <= span[1]:
        raise ValueError(f"{name} is a number from {span[0]} to {span[1]}")
    return value


class Timer:
    """The clocks of a game as its records go by."""

    def __init__(self, clock: Clock, sides: int) -> None:
        self.clock = clock
        self.left = [clock.start] * sides
        """Seconds on each side's clock at the last record."""
        self.since: float | None = None
        """When the last record was, None before the first decision."""
        self.running: tuple[int, ...] = ()

    def record(self, at: float, actor: int, is_decision: bool, asked: Iterable[int], in_secret: bool) -> None:
        """Something happened at a time; `asked` are the sides that are asked after it.

        Time does not begin to run within a secret choice: one's own clock would tell that the other has chosen.
        """
        if self.since is not None:
            for side in self.running:
                self.left[side] -= max(0.0, at - self.since)
        elif not is_decision or in_secret:
            return
        if is_decision:
            self.left[actor] = self.clock.start if self.clock.kind == DAYS else self.left[actor] + self.clock.increment
        self.since = at
        self.running = tuple(asked)

    def seconds_left(self, side: int, now: float) -> float:
        """What is on a side's clock now; below 0 when its time has run out."""
        if self.since is None or side not in self.running:
            return self.left[side]
        return self.left[side] - max(0.0, now - self.since)

    def out_of_time(self, now: float) -> int | None:
        """The side whose time has run out first, if any."""
        out = [(self.seconds_left(side, now), side) for side in self.running if self.seconds_left(side, now) < 0]
        return min(out)[1] if out else None
