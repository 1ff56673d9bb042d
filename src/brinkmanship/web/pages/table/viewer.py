"""The viewer of a table page: a player, both players of a shared screen, or a spectator."""

from __future__ import annotations

from typing import NamedTuple

from brinkmanship.engine.game import OBSERVER
from brinkmanship.web.accounts.users import Person
from brinkmanship.web.tables.live_table import LiveTable


class Viewer(NamedTuple):
    """The viewer of a table."""

    side: int
    """A side, or `OBSERVER`, also behind the cover of a shared screen."""
    mine: tuple[int, ...]
    cover_for: int | None = None
    """On a shared screen: the side to pass the screen to."""

    @property
    def is_player(self) -> bool:
        """True if the viewer plays a side and may act."""
        return self.side in self.mine

    @property
    def seat_query(self) -> str:
        """On a shared screen, the query string naming the viewing side: "seat=0"."""
        return f"seat={self.side}" if len(self.mine) > 1 and self.is_player else ""


def viewer_for(table: LiveTable, who: Person | None, seat: int | None) -> Viewer:
    """Return the viewer for a user; on a shared screen only a side to decide that has confirmed sees its hand."""
    mine = tuple(table.seat_of(who.id if who else None))
    if len(mine) < 2:
        return Viewer(mine[0] if mine else OBSERVER, mine)
    to_move = table.to_move
    if seat in to_move:
        return Viewer(seat, mine)
    return Viewer(OBSERVER, mine, to_move[0] if to_move else None)
