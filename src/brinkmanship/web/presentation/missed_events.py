"""Events at a table since the viewer last looked: each action of the other side with its consequences."""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.engine.entry import Entry
from brinkmanship.engine.game import CHANCE
from brinkmanship.web.presentation.log_view import LogViewLine


class MissedAction(NamedTuple):
    """An action of another side and its consequences."""

    entry: int
    """The replay step that shows it."""
    lines: list[LogViewLine]


def since(seen: int | None, entries: list[Entry], lines: list[LogViewLine], viewer: int) -> list[MissedAction]:
    """Return the steps after the last entry seen; the viewer's own actions count as seen, with all before them.

    Args:
        seen: number of the last entry seen, None if the viewer has never looked (then there are no steps, unless the
            viewer has acted).
        entries: the entries known to the viewer.
        lines: the log lines known to the viewer.
        viewer: the viewer's side.
    """
    own = max((number for number, entry in enumerate(entries, 1) if entry.actor == viewer), default=None)
    known = [number for number in (seen, own) if number is not None]
    if not known:
        return []
    steps: list[MissedAction] = []
    for line in lines:
        if line.entry <= max(known):
            continue
        is_action = not line.follows and entries[line.entry - 1].actor not in (viewer, CHANCE)
        if is_action and not (steps and steps[-1].entry == line.entry):
            steps.append(MissedAction(line.entry, [line]))
        elif steps:  # earlier chance and rules entries are consequences of the viewer's own action
            steps[-1].lines.append(line)
            steps[-1] = steps[-1]._replace(entry=line.entry)
    return steps
