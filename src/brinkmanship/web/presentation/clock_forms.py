"""Time controls in forms: the offered clocks, clocks with custom numbers, and their texts.

A form names a clock by its kind and numbers: "live 10 5", "days 3", "bank 10 12"; "" is no clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.support.time_control import (
    BANK,
    BANK_DAYS,
    BANK_HOURS,
    DAYS,
    DAYS_EACH,
    INCREMENT_SECONDS,
    LIVE,
    LIVE_MINUTES,
    Clock,
)

LIVE_CLOCKS = ((10, 5), (20, 10), (45, 20))
"""Offered clocks: minutes per game, and increment in seconds per decision."""
DAY_CLOCKS = (1, 3, 7)
"""Offered clocks: days per decision."""
BANK_CLOCKS = ((10, 12), (30, 24))
"""Offered clocks: days per game, and increment in hours per decision."""
MAX_DIGITS = 9
"""Maximum digits of a clock number; Python rejects integers with some thousands of digits."""
OWN_CLOCK = "own"
"""Form value of a clock with custom numbers in further fields."""


class OwnClock(NamedTuple):
    """A kind of clock with custom numbers, for the form."""

    kind: str
    fields: list[tuple[str, tuple[int, int], int]]
    """Name, range and initial value of each number."""

    def field(self, name: str) -> str:
        """Return the form field of a number."""
        return f"clock.{self.kind}.{name}"


OWN_CLOCKS = [
    OwnClock(LIVE, [("minutes", LIVE_MINUTES, 30), ("increment", INCREMENT_SECONDS, 15)]),
    OwnClock(DAYS, [("days", DAYS_EACH, 2)]),
    OwnClock(BANK, [("days", BANK_DAYS, 14), ("hours", BANK_HOURS, 12)]),
]


def clock_choices() -> dict[str, dict[str, dict[str, int]]]:
    """Return the offered clocks by kind: form values with the numbers of their texts."""
    return {
        LIVE: {f"live {minutes} {more}": {"n": minutes, "more": more} for minutes, more in LIVE_CLOCKS},
        DAYS: {f"days {days}": {"n": days} for days in DAY_CLOCKS},
        BANK: {f"bank {days} {more}": {"n": days, "more": more} for days, more in BANK_CLOCKS},
    }


def clock_words(clock: Mapping[str, Any]) -> tuple[str, dict[str, int]]:
    """Return the text key and numbers of a clock in its JSON form."""
    if clock["kind"] == LIVE:
        return "clock.live", {"n": clock["minutes"], "more": clock["increment"]}
    if clock["kind"] == BANK:
        return "clock.bank", {"n": clock["days"], "more": clock["hours"]}
    return "clock.days", {"n": clock["days"]}


def clock_in(text: str) -> Clock | None:
    """Return the clock that a form names, None for no clock.

    Raises:
        IllegalError: there is no such clock.
    """
    kind, *numbers = text.split() or [""]
    if not all(number.isdecimal() and len(number) <= MAX_DIGITS for number in numbers):
        raise IllegalError(f"there is no clock {text!r}", key="refused.clock")
    match kind, [int(number) for number in numbers]:
        case "", []:
            data: object = None
        case "live", [minutes, increment]:
            data = _live(minutes, increment)
        case "days", [days]:
            data = {"kind": kind, "days": days}
        case "bank", [days, hours]:
            data = _bank(days, hours)
        case _:
            raise IllegalError(f"there is no clock {text!r}", key="refused.clock")
    try:
        return Clock.from_json(data)
    except ValueError as error:
        raise IllegalError(str(error), key="refused.clock") from error


def own_clock_in(form: Mapping[str, str]) -> str:
    """Return the name of the clock with custom numbers in a form.

    Raises:
        IllegalError: the form names no kind of clock.
    """
    own = next((each for each in OWN_CLOCKS if each.kind == form.get("clock.kind")), None)
    if own is None:
        raise IllegalError(f"a clock is one of {', '.join(each.kind for each in OWN_CLOCKS)}", key="refused.clock")
    return " ".join([own.kind, *(form.get(own.field(name), "").strip() for name, _, _ in own.fields)])


def clock_fields(clock: str) -> dict[str, str]:
    """Return the fields of a form in which a clock is chosen, named as in `clock_in`."""
    fields = {"clock": clock, "clock.kind": LIVE}
    fields |= {own.field(name): str(usual) for own in OWN_CLOCKS for name, _, usual in own.fields}
    if not clock or any(clock in offered for offered in clock_choices().values()):
        return fields
    kind, *numbers = clock.split()
    own = next(each for each in OWN_CLOCKS if each.kind == kind)
    chosen = {own.field(name): number for (name, _, _), number in zip(own.fields, numbers, strict=True)}
    return {**fields, "clock": OWN_CLOCK, "clock.kind": kind, **chosen}


def _live(minutes: int, increment: int) -> dict[str, object]:
    return {"kind": LIVE, "minutes": minutes, "increment": increment}


def _bank(days: int, hours: int) -> dict[str, object]:
    return {"kind": BANK, "days": days, "hours": hours}
