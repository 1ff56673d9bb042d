"""Clocks: time for the whole game with an increment, in minutes or in days, or days for each decision.

Time runs from the deal on for every side that is asked, from one record to the next: of a question put to both sides,
a side that has answered loses no more time. While both choose in secret, nobody else is shown whose time still runs:
that would tell who has chosen.
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
"""How far a machine's clock has to go back to count as set back; less is how it is kept right."""

_ahead = [0.0]
_began = [time.time() - time.monotonic()]
"""When the steady clock of this machine began, by its clock as it was before it was set back."""


def now() -> float:
    """The time by which games are played, in seconds since 1970: the database's, as far as it is known here."""
    return own() + _ahead[0]


def own() -> float:
    """The time of this machine: of its clock, but where that is set back the time goes on as if it was not.

    Else no clock of a game would run until the machine's clock is again where it was. A clock that is set forward is
    followed, as after a sleep of the machine: that is a pause (`outage`).
    """
    # In this order: whatever comes between the two makes the difference smaller, and so never counts as set forward.
    wall, steady = time.time(), time.monotonic()
    lost = _began[0] - (wall - steady)
    if lost >= SET_BACK_SECONDS:
        return wall + lost
    _began[0] = wall - steady
    return wall


def ahead() -> float:
    """By how many seconds `now` is ahead of this machine's clock; below 0: behind it."""
    wall = time.time()
    mine = own()
    return _ahead[0] + (mine - wall if mine - wall >= SET_BACK_SECONDS else 0.0)


def go_ahead(seconds: float) -> None:
    """From now on be so many seconds ahead of this machine's time (`own`)."""
    _ahead[0] = seconds


@dataclass(frozen=True)
class Clock:
    """The time control of a table: `start` seconds on the clock, `increment` more for each decision.

    By days the clock is set back to `start` with each decision; a bank of days is for the whole game.
    """

    kind: str
    start: float
    increment: float = 0

    @classmethod
    def from_json(cls, data: Any) -> Clock | None:
        """A clock from its JSON: None, {"kind": "live", "minutes", "increment"}, {"kind": "days", "days"} or
        {"kind": "bank", "days", "hours"}.

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
        if data.get("kind") == BANK and set(data) <= {"kind", "days", "hours"}:
            days = _number(data, "days", BANK_DAYS)
            hours = _number({"hours": 0} | data, "hours", BANK_HOURS)
            return cls(BANK, float(DAY_SECONDS * days), float(HOUR_SECONDS * hours))
        raise ValueError(
            'a clock is {"kind": "live", "minutes", "increment"}, {"kind": "days", "days"} '
            'or {"kind": "bank", "days", "hours"}'
        )

    def as_json(self) -> dict[str, Any]:
        """The other way."""
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
    """The clocks of a game as its records go by."""

    def __init__(self, clock: Clock, sides: int) -> None:
        self.clock = clock
        self.left = [clock.start] * sides
        """Seconds on each side's clock at the last record."""
        self.since: float | None = None
        """From when on time counts that is not yet taken off the clocks: the last record, or later if the clocks
        stood still. None before the cards are dealt."""
        self.running: tuple[int, ...] = ()
        self._decider: int | None = None
        self._gains: list[float] = []
        """The seconds that each of the last decisions, all by `_decider`, has put on the clock of its side."""

    def start(self, at: float, asked: Iterable[int]) -> None:
        """The cards are dealt at a time; from then on the sides that are asked lose time."""
        self.since = at
        self.running = tuple(asked)

    def record(
        self, at: float, actor: int, is_decision: bool, asked: Iterable[int], in_secret: bool, undone: int = 0
    ) -> None:
        """Something happened at a time; `asked` are the sides that are asked after it.

        A table of an older server, of which nobody knows when it was dealt, starts with the first decision; but not
        within a secret choice, where a clock that begins to run would tell that the other side has chosen.

        Args:
            undone: the decisions of the actor that are taken back; what each has put on the clock goes with it. Else
                a side could play for time, and its clock would tell how often it has changed a secret choice.
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
        self.running = tuple(asked)

    def _gain(self, actor: int) -> None:
        gain = self.clock.start - self.left[actor] if self.clock.kind == DAYS else self.clock.increment
        self.left[actor] += gain
        if actor != self._decider:
            self._decider, self._gains = actor, []
        self._gains.append(gain)

    def forget_gains(self) -> None:
        """Both sides went back in the game together: what decisions have put on the clocks stays there."""
        self._gains = []

    def _gained(self, side: int, decisions: int) -> float:
        return sum(self._gains[-decisions:]) if side == self._decider else 0.0

    def left_after_undo(self, side: int, decisions: int, now: float) -> float:
        """Return the seconds that a side would have left if it took back some decisions now."""
        return self.seconds_left(side, now) - self._gained(side, decisions)

    def pause(self, at: float, seconds: float) -> None:
        """Until a time the clocks stood still for some seconds; what was before the last record does not count."""
        self.since = after_pause(self.since, at, seconds)

    def seconds_left(self, side: int, now: float) -> float:
        """What is on a side's clock now; below 0 when its time has run out."""
        if self.since is None or side not in self.running:
            return self.left[side]
        return self.left[side] - max(0.0, now - self.since)

    @property
    def ends_at(self) -> float | None:
        """When the next side runs out of time if nothing happens, None while no time runs."""
        if self.since is None:
            return None
        return min((self.since + self.left[side] for side in self.running), default=None)

    def out_of_time(self, now: float) -> int | None:
        """The side whose time has run out first, if any."""
        out = [(self.seconds_left(side, now), side) for side in self.running if self.seconds_left(side, now) < 0]
        return min(out)[1] if out else None


def after_pause(since: float | None, at: float, seconds: float) -> float | None:
    """The moment from which on time counts, moved by a pause of some seconds that ended at a time."""
    return None if since is None else max(since, min(at, since + seconds))
