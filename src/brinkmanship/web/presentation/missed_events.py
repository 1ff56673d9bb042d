"""What happened at a table since its reader last looked: each deed of the other side with what followed."""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.engine.entry import Entry
from brinkmanship.engine.game import CHANCE
from brinkmanship.web.presentation.log_view import LogLine


class Step(NamedTuple):
    """A deed of somebody else and what followed from it."""

    entry: int
    """The step of the replay that shows it."""
    lines: list[LogLine]


def since(seen: int | None, entries: list[Entry], lines: list[LogLine], reader: int) -> list[Step]:
    """The steps after the last entry seen. What the reader did himself he was there for, and for all before it.

    `entries` and `lines` are those the reader may know; None: he has never looked, so there is no "since".
    """
    own = max((number for number, entry in enumerate(entries, 1) if entry.actor == reader), default=None)
    known = [number for number in (seen, own) if number is not None]
    if not known:
        return []
    steps: list[Step] = []
    for line in lines:
        if line.entry <= max(known):
            continue
        is_deed = not line.follows and entries[line.entry - 1].actor not in (reader, CHANCE)
        if is_deed and not (steps and steps[-1].entry == line.entry):
            steps.append(Step(line.entry, [line]))
        elif steps:  # what chance and the rules did before the first deed followed from one's own
            steps[-1].lines.append(line)
            steps[-1] = steps[-1]._replace(entry=line.entry)
    return steps
