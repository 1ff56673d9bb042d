"""When a puzzle comes again, and how hard it is.

Leitner's boxes: what was solved moves on to a box that is opened more seldom, what was failed goes back to the first
(Sebastian Leitner, "So lernt man lernen", 1972).
Whoever answers before the box is opened practises: it does not count.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from brinkmanship.puzzles.puzzle import FINDERS, Puzzle

DAY = 86400.0
DAYS = (1, 3, 7, 21, 60)
"""After how many days each box is opened; what was solved in the last one is known and comes no more."""
FIRST_BOX_OF_SOLVED = 2
"""From 0: what was solved at first sight begins in the middle."""
DAY_ONE = 719_163
"""1 January 1970, as `datetime.date.toordinal` counts days."""

Grade = Literal["easy", "medium", "hard"]
GRADES: tuple[tuple[Grade, float], ...] = (("easy", 0.6), ("medium", 0.35), ("hard", 0.0))
"""How a puzzle is called of which so many are likely to find the answer, the easiest first."""
WEIGHT = 6.0
"""Tries for which the guess at a puzzle counts that nobody has tried."""
LIKELY = (0.25, 0.45, 0.7)
"""The part of people who are taken to find it, where none, one or both of the quick players do."""


class Known(NamedTuple):
    """How well somebody knows a puzzle."""

    box: int
    """From 0; `len(DAYS)`: it comes no more."""
    due_at: float | None
    """When it comes again, in seconds since 1970; None: never."""
    is_solved: bool
    """Whether the last answer that counted was right."""

    def is_due(self, now: float) -> bool:
        """Whether it is to be asked again, so that an answer counts."""
        return self.due_at is not None and self.due_at <= now


def after(known: Known | None, is_right: bool, now: float) -> Known:
    """How well somebody knows a puzzle after an answer; `known` before it, None: it was the first."""
    if known is not None and not known.is_due(now):
        return known
    up = FIRST_BOX_OF_SOLVED if known is None else known.box + 1
    box = up if is_right else 0
    return Known(box, now + DAYS[box] * DAY if box < len(DAYS) else None, is_right)


def solving_rate(puzzle: Puzzle, tries: int, solved: int) -> float:
    """The part of people who find the answer at first sight, as far as is known: a guess, which tries replace."""
    return (solved + WEIGHT * LIKELY[len(set(puzzle.found_by) & set(FINDERS))]) / (tries + WEIGHT)


def grade(rate: float) -> Grade:
    """How hard a puzzle is with such a solving rate."""
    return next(name for name, least in GRADES if rate >= least)


def day_of(now: float) -> int:
    """The day of a moment by universal time, counted as `Shelf.today` takes it."""
    return DAY_ONE + int(now // DAY)
