"""The terms a table is played on: its clock, what may be taken back, and whether hints may be taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

from brinkmanship.web.support.time_control import Clock

UndoPolicy = Literal["free", "ask", "none"]
"""What may be taken back: one's own steps freely until a card is drawn or the other side has its say, and all else if
the other side agrees; everything only if the other side agrees; nothing."""
FREE: UndoPolicy = "free"
ASK: UndoPolicy = "ask"
NONE: UndoPolicy = "none"
UNDO_POLICIES: tuple[UndoPolicy, ...] = get_args(UndoPolicy)


class Terms(NamedTuple):
    """What was agreed on when the table was set, beside the options of the rules."""

    clock: Clock | None = None
    undo: UndoPolicy = FREE
    hints: bool | None = None
    """Whether hints may be taken; None: as is usual, against a computer and at one screen, not between two people."""

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Terms:
        """The terms as the table's row keeps them.

        Raises:
            ValueError: no such clock or policy.
        """
        if row["undo"] not in UNDO_POLICIES:
            raise ValueError(f"what may be taken back is {', '.join(UNDO_POLICIES)}, not {row['undo']!r}")
        return cls(Clock.from_json(row["clock"]), row["undo"], row["hints"])

    def as_row(self) -> dict[str, Any]:
        """The other way."""
        return {"clock": self.clock.as_json() if self.clock else None, "undo": self.undo, "hints": self.hints}


USUAL = Terms()
"""Without a clock; one's own steps are taken back freely; hints as is usual."""
