"""Chess clocks: time for the whole game with an increment, in minutes or in days, or days per decision.

From the deal on, time runs for every side to move, from one record to the next. In a simultaneous choice, a side that
has chosen loses no more time. While both sides choose in secret, other viewers are not shown whose clock is running,
because that would reveal who has chosen.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

LIVE = "live"
DAYS = "days"
BANK = "bank"
DAY_SECONDS = 24 * 3600
LIVE_MINUTES = (1, 180)
INCREMENT_SECONDS = (0, 180)
DAYS_EACH = (1, 30)
BANK_DAYS = (1, 90)
BANK_HOURS = (0, 72)
HOUR_SECONDS = 3600


SET_BACK_SECONDS = 0.5
"""Minimum backward jump (s) of the machine's clock that counts as a setback; smaller ones are clock adjustments."""

_ahead = [0.0]
_began = [time.time() - time.monotonic()]
"""Wall-clock time at which the monotonic clock started, as of before any setback."""


def now() -> float:
    """Return the game time (seconds since 1970): the database's time, as far as it is known here."""
    return own() + _ahead[0]


def own() -> float:
    """Return this machine's time, continuing without a jump if its clock is set back.

    Otherwise no game clock would run until the machine's clock reached its former time again. A forward jump, e.g.
    after the machine slept, is followed; it counts as a pause (`outage`).
    """
    # In this order: a delay between the two calls shrinks the difference, so it never looks like a forward jump.
    wall, steady = time.time(), time.monotonic()
    lost = _began[0] - (wall - steady)
    if lost >= SET_BACK_SECONDS:
        return wall + lost
    _began[0] = wall - steady
    return wall


def ahead() -> float:
    """Return the seconds by which `now` is ahead of this machine's clock; negative if it is behind."""
    wall = time.time()
    mine = own()
    return _ahead[0] + (mine - wall if mine - wall >= SET_BACK_SECONDS else 0.0)


def go_ahead(seconds: float) -> None:
    """Set the offset (s) of `now` from this machine's time (`own`)."""
    _ahead[0] = seconds


@dataclass(frozen=True)
class Clock:
    """Time control of a table: `start` seconds on the clock, `increment` more per decision.

    With days per decision, each decision resets the clock to `start`; a bank of days is for the whole game.
    """

    kind: str
    start: float
    increment: float = 0

    @classmethod
    def from_json(cls, data: Any) -> Clock | None:
        """Return the clock described by JSON data.

        The data is None, {"kind": "live", "minutes", "increment"}, {"kind": "days", "days"} or
        {"kind": "bank", "days", "hours"}.

        Raises:
            ValueError: The data has another form, or a number is out of range.
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
        if data.get("kind") == BANK and set(data) <= {"kind", "days", "hours"}:
            days = _number(data, "days", BANK_DAYS)
            hours = _number({"hours": 0} | data, "hours", BANK_HOURS)
            return cls(BANK, float(DAY_SECONDS * days), float(HOUR_SECONDS * hours))
        raise ValueError(
            'a clock is {"kind": "live", "minutes", "increment"}, {"kind": "days", "days"} '
            'or {"kind": "bank", "days", "hours"}'
        )

    def as_json(self) -> dict[str, Any]:
        """Return the data that `from_json` reads."""
        if self.kind == DAYS:
            return {"kind": DAYS, "days": round(self.start / DAY_SECONDS)}
        if self.kind == BANK:
            hours = round(self.increment / HOUR_SECONDS)
            return {"kind": BANK, "days": round(self.start / DAY_SECONDS), "hours": hours}
        return {"kind": LIVE, "minutes": round(self.start / 60), "increment": round(self.increment)}


def _number(data: dict[str, Any], name: str, span: tuple[int, int]) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not span[0] <= value <= span[1]:
        raise ValueError(f"{name} is a number from {span[0]} to {span[1]}")
    return value


class Timer:
    """Clocks of both sides of a game, updated record by record."""

    def __init__(self, clock: Clock, sides: int) -> None:
        self.clock = clock
        self.left = [clock.start] * sides
        """Seconds on each side's clock at the last record."""
        self.since: float | None = None
        """Time from which elapsed time has not yet been subtracted; None before the deal.

        It is the time of the last record, or later after a pause.
        """
        self.running: tuple[int, ...] = ()
        self._decider: int | None = None
        self._gains: list[float] = []
        """Seconds that each of the last consecutive decisions, all by `_decider`, added to its side's clock."""

    def start(self, at: float, to_move: Iterable[int]) -> None:
        """Start the clocks of the sides to move at the time of the deal."""
        self.since = at
        self.running = tuple(to_move)

    def record(
        self, at: float, actor: int, is_decision: bool, to_move: Iterable[int], in_secret: bool, undone: int = 0
    ) -> None:
        """Update the clocks for a record.

        For a table of an older server, whose time of dealing is unknown, the clocks start with the first decision, but
        not within a secret choice: a clock that starts to run would reveal that the other side has chosen.

        Args:
            at: Time of the record.
            actor: Side that acted.
            is_decision: True for a decision.
            to_move: Sides to move after the record.
            in_secret: True within a simultaneous secret choice.
            undone: Number of the actor's decisions taken back; the time each one added is removed again. Otherwise a
                side could gain time by repeating a decision, and its clock would reveal how often it changed a secret
                choice.
        """
        if self.since is not None:
            for side in self.running:
                self.left[side] -= max(0.0, at - self.since)
        elif not is_decision or in_secret:
            return
        if is_decision:
            self._gain(actor)
        elif undone:
            self.left[actor] -= self._gained(actor, undone)
            self._gains = self._gains[:-undone] if actor == self._decider else []
        self.since = at if self.since is None else max(self.since, at)
        self.running = tuple(to_move)

    def _gain(self, actor: int) -> None:
        gain = self.clock.start - self.left[actor] if self.clock.kind == DAYS else self.clock.increment
        self.left[actor] += gain
        if actor != self._decider:
            self._decider, self._gains = actor, []
        self._gains.append(gain)

    def forget_gains(self) -> None:
        """Keep the time that decisions have added, after both sides went back in the game together."""
        self._gains = []

    def _gained(self, side: int, decisions: int) -> float:
        return sum(self._gains[-decisions:]) if side == self._decider else 0.0

    def left_after_undo(self, side: int, decisions: int, now: float) -> float:
        """Return the seconds that a side would have left if it took back some decisions now."""
        return self.seconds_left(side, now) - self._gained(side, decisions)

    def pause(self, at: float, seconds: float) -> None:
        """Record a pause of some seconds that ended at `at`; only the part after the last record counts."""
        self.since = after_pause(self.since, at, seconds)

    def seconds_left(self, side: int, now: float) -> float:
        """Return the seconds on a side's clock now; negative once its time has run out."""
        if self.since is None or side not in self.running:
            return self.left[side]
        return self.left[side] - max(0.0, now - self.since)

    @property
    def ends_at(self) -> float | None:
        """Time at which the next side runs out of time if nothing happens; None while no clock runs."""
        if self.since is None:
            return None
        return min((self.since + self.left[side] for side in self.running), default=None)

    def out_of_time(self, now: float) -> int | None:
        """Return the side whose time ran out first, or None."""
        out = [(self.seconds_left(side, now), side) for side in self.running if self.seconds_left(side, now) < 0]
        return min(out)[1] if out else None


def after_pause(since: float | None, at: float, seconds: float) -> float | None:
    """Return the start of the uncounted time, moved by a pause of some seconds that ended at `at`."""
    return None if since is None else max(since, min(at, since + seconds))
