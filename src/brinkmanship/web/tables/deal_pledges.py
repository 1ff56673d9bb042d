"""Commit-reveal protocol for the deal of a table: pledges first, then the bytes (``docs/develop/formats.md``).

A player who contributes first pledges random bytes, and sends them once all seats are taken and every other
contributor has pledged; the last one to pledge sends the bytes at once. So no one, the server included, knows any
player's bytes before those of all others are fixed.
"""

from __future__ import annotations

from dataclasses import replace

from brinkmanship.engine import commit_reveal
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.seats import Seat
from brinkmanship.web.tables.statuses import DEALING, WAITING

PLEDGE = "pledge"
BYTES = "bytes"


def owed(table: LiveTable, side: int) -> str:
    """Return what a side has to send now: `PLEDGE`, `BYTES`, or "" for nothing."""
    seat = table.seats[side]
    if not seat.is_awaited or table.status not in (WAITING, DEALING):
        return ""
    others = [other for other in table.seats if other.contributes and other.person_id != seat.person_id]
    if table.status == DEALING and all(other.pledge for other in others):
        return BYTES
    return "" if seat.pledge else PLEDGE


def has_come(table: LiveTable, side: int, pledge: str | None, contribution: bytes | None) -> bool:
    """Return True if a side repeats what it has sent (its browser lost the response, or has a second page open)."""
    seat = table.seats[side]
    if contribution is not None:
        return seat.contribution == contribution
    return pledge is not None and seat.pledge == pledge


def with_pledge(table: LiveTable, side: int, pledge: str) -> list[Seat]:
    """Return the seat that changes when a side pledges.

    Raises:
        IllegalError: The side contributes nothing, or has already pledged.
    """
    seat = table.seats[side]
    if not seat.is_awaited or seat.pledge:
        raise IllegalError(
            "there is nothing to pledge: this side has already pledged, or it contributes nothing to the deal",
            key="refused.deal",
        )
    return [replace(seat, pledge=pledge)]


def with_contribution(table: LiveTable, side: int, contribution: bytes) -> list[Seat]:
    """Return the seat that changes when a side sends its bytes.

    Raises:
        IllegalError: The bytes are too early or too late, or do not match the pledge.
    """
    seat = table.seats[side]
    if owed(table, side) != BYTES:
        raise IllegalError(
            "no bytes of this side are due now: they follow once all others have pledged theirs", key="refused.deal"
        )
    pledge = commit_reveal.pledge(table.commitment, table.game.sides[side], contribution)
    if seat.pledge not in (None, pledge):
        raise IllegalError("these bytes do not match the pledge", key="refused.deal")
    return [replace(seat, pledge=pledge, contribution=contribution)]


def without(table: LiveTable, side: int) -> list[Seat]:
    """Return the seats that change when a side withdraws its contribution.

    If it had pledged, the others pledge again and send new bytes. Otherwise it could look at their bytes first and then
    decide whether its own should count.

    Raises:
        IllegalError: Its bytes are already in the deal, or it contributes nothing.
    """
    seat = table.seats[side]
    if not seat.is_awaited:
        raise IllegalError(
            "this side has nothing to withdraw: its bytes are in the deal, or it contributes nothing",
            key="refused.deal",
        )
    changed = [replace(seat, contributes=False)]
    if seat.pledge:
        anew = [other for other in table.seats if other.side != side and other.contributes]
        changed += [replace(other, pledge=None, contribution=None) for other in anew]
    return changed
