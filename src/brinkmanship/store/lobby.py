"""Filters of the lobby: one set of choices, for open tables in SQL and for open seeks in memory."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, select

from brinkmanship.store.schema import seats, tables
from brinkmanship.store.seeks import DAYS, LIVE, Seek, Want

NO_CLOCK = "none"
KINDS = {LIVE: ("live",), DAYS: ("days", "bank")}
"""Kinds of clocks of each pace, as in `web.support.time_control`."""


class LobbyFilter(NamedTuple):
    """Filters; None for all."""

    game: str | None = None
    side: int | None = None
    """Side that the viewer would play."""
    clock: str | None = None
    """A pace, or `NO_CLOCK`."""
    rated: bool | None = None


def conditions(wanted: LobbyFilter) -> list[ColumnElement[bool]]:
    """Return the conditions that an open table meets."""
    found: list[ColumnElement[bool]] = []
    if wanted.game is not None:
        found.append(tables.c.game == wanted.game)
    if wanted.side is not None:
        is_free = seats.c.person_id.is_(None) & seats.c.computer.is_(None)
        here = (seats.c.table_id == tables.c.id) & (seats.c.side == wanted.side)
        found.append(select(seats.c.side).where(here & is_free).exists())
    if wanted.clock == NO_CLOCK:
        found.append(tables.c.clock.is_(None))
    elif wanted.clock is not None:
        found.append(tables.c.clock["kind"].as_string().in_(KINDS[wanted.clock]))
    if wanted.rated is not None:
        found.append(tables.c.rated.is_(wanted.rated))
    return found


def accepts(wanted: LobbyFilter, seek: Seek) -> bool:
    """Return True if a seek fits the filters of another user."""
    sides = (0, 1) if wanted.side is None else (wanted.side,)
    games = {want.game for want in seek.wants} if wanted.game is None else {wanted.game}
    return (
        any(Want(game, 1 - side) in seek.wants for game in games for side in sides)
        and wanted.clock in (None, seek.pace)
        and wanted.rated in (None, seek.rated)
    )
