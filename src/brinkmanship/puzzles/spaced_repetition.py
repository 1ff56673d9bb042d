"""Spaced repetition of puzzles, and their difficulty.

Leitner's boxes: a solved puzzle moves to a box with a longer interval, a failed one goes back to the first (Sebastian
Leitner, "So lernt man lernen", 1972). Attempts before a puzzle is due are practice and do not count.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from brinkmanship.puzzles.puzzle import FINDERS, Puzzle

DAY = 86400.0
DAYS = (1, 3, 7, 21, 60)
"""Interval of each box in days; a puzzle solved in the last one is learned and not repeated."""
FIRST_BOX_OF_SOLVED = 2
"""Box (from 0) of puzzles solved at first sight: the middle one."""
DAY_ONE = 719_163
"""1 January 1970 as a day count of `datetime.date.toordinal`."""

Grade = Literal["easy", "medium", "hard"]
GRADES: tuple[tuple[Grade, float], ...] = (("easy", 0.6), ("medium", 0.35), ("hard", 0.0))
"""Minimum solving rate of each grade, the easiest first."""
WEIGHT = 20.0
"""Number of attempts that the initial estimate counts for: at least four in a row change a grade."""
LIKELY = (0.25, 0.45, 0.7)
"""Estimated solving rate of puzzles that none, one or both of the quick players find."""


class PuzzleProgress(NamedTuple):
    """A user's progress on a puzzle."""

    box: int
    """Box from 0; `len(DAYS)`: not repeated."""
    due_at: float | None
    """When it is due again, in seconds since 1970; None: never."""
    is_solved: bool
    """True if the last counted attempt was right."""

    def is_due(self, now: float) -> bool:
        """Return True if the puzzle is due, so that an attempt counts."""
        return self.due_at is not None and self.due_at <= now


def after(known: PuzzleProgress | None, is_right: bool, now: float) -> PuzzleProgress:
    """Return the progress after an attempt; `known` is the progress before it, None for the first attempt."""
    if known is not None and not known.is_due(now):
        return known
    up = FIRST_BOX_OF_SOLVED if known is None else known.box + 1
    box = up if is_right else 0
    return PuzzleProgress(box, now + DAYS[box] * DAY if box < len(DAYS) else None, is_right)


def solving_rate(puzzle: Puzzle, tries: int, solved: int) -> float:
    """Return the fraction of users who solve it at first sight: an estimate that is updated by attempts."""
    return (solved + WEIGHT * LIKELY[len(set(puzzle.found_by) & set(FINDERS))]) / (tries + WEIGHT)


def grade(rate: float) -> Grade:
    """Return the difficulty for a solving rate."""
    return next(name for name, least in GRADES if rate >= least)


def day_of(now: float) -> int:
    """Return the UTC day of a time, as the day count of `PuzzleCollection.today`."""
    return DAY_ONE + int(now // DAY)
