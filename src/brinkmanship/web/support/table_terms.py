"""Terms of a table: its clock, its take-back policy, whether hints are allowed, and whether it is rated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

from brinkmanship.web.support.time_control import Clock

UndoPolicy = Literal["free", "ask", "none"]
"""Take-back policy of a table.

"free": your own steps freely until a card is drawn or the other side chooses, everything else if the other side agrees;
"ask": only if the other side agrees; "none": never.
"""
FREE: UndoPolicy = "free"
ASK: UndoPolicy = "ask"
NONE: UndoPolicy = "none"
UNDO_POLICIES: tuple[UndoPolicy, ...] = get_args(UndoPolicy)


class Terms(NamedTuple):
    """Terms agreed on when the table was created, apart from the rule options."""

    clock: Clock | None = None
    undo: UndoPolicy = FREE
    hints: bool | None = None
    """True if hints are allowed; None for the default: against a bot and on one screen, but not between two users."""
    rated: bool = False
    """True if the result counts for the players' ratings."""

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Terms:
        """Return the terms stored in a table's database row.

        Raises:
            ValueError: The clock or the policy is invalid.
        """
        if row["undo"] not in UNDO_POLICIES:
            raise ValueError(f"the take-back policy is one of {', '.join(UNDO_POLICIES)}, not {row['undo']!r}")
        return cls(Clock.from_json(row["clock"]), row["undo"], row["hints"], bool(row.get("rated")))

    def as_row(self) -> dict[str, Any]:
        """Return the columns of the table's database row."""
        clock = self.clock.as_json() if self.clock else None
        return {"clock": clock, "undo": self.undo, "hints": self.hints, "rated": self.rated}


USUAL = Terms()
"""Default terms: no clock, free take-back of your own steps, default hints."""
