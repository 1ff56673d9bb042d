"""How the deal of a table is agreed on before it begins: pledges first, then the bytes (``docs/develop/fair.md``).

A player who takes part first pledges bytes and sends them once all seats are taken and every other player who takes
part has pledged his; whoever would be the last to pledge sends his bytes at once. So nobody's bytes are known to
anybody, the server included, before those of all others are fixed.
"""

from __future__ import annotations

from dataclasses import replace

from brinkmanship.engine import fair
from brinkmanship.web.support.errors import IllegalError
from brinkmanship.web.tables.live_table import DEALING, WAITING, LiveTable, Seat

PLEDGE = "pledge"
BYTES = "bytes"


def owed(table: LiveTable, side: int) -> str:
    """What a side has to send now: `PLEDGE`, `BYTES`, or "" for nothing."""
    seat = table.seats[side]
    if not seat.is_awaited or table.status not in (WAITING, DEALING):
        return ""
    others = [other for other in table.seats if other.contributes and other.person_id != seat.person_id]
    if table.status == DEALING and all(other.pledge for other in others):
        return BYTES
    return "" if seat.pledge else PLEDGE


def has_come(table: LiveTable, side: int, pledge: str | None, contribution: bytes | None) -> bool:
    """Whether a side has sent just this before: its browser has not heard the answer, or has a second page open."""
    seat = table.seats[side]
    if contribution is not None:
        return seat.contribution == contribution
    return pledge is not None and seat.pledge == pledge


def with_pledge(table: LiveTable, side: int, pledge: str) -> list[Seat]:
    """The seat that changes when a side pledges.

    Raises:
        IllegalError: the side adds nothing, or has pledged already.
    """
    seat = table.seats[side]
    if not seat.is_awaited or seat.pledge:
        raise IllegalError(
            "there is nothing to pledge: this side has pledged, or it adds nothing to the deal", said="refused.deal"
        )
    return [replace(seat, pledge=pledge)]


def with_contribution(table: LiveTable, side: int, contribution: bytes) -> list[Seat]:
    """The seat that changes when a side sends its bytes.

    Raises:
        IllegalError: it is too early or too late for them, or they are not those that were pledged.
    """
    seat = table.seats[side]
    if owed(table, side) != BYTES:
        raise IllegalError(
            "no bytes are asked of this side now: they come when all others have pledged theirs", said="refused.deal"
        )
    pledge = fair.pledge(table.commitment, table.game.sides[side], contribution)
    if seat.pledge not in (None, pledge):
        raise IllegalError("these are not the bytes that were pledged", said="refused.deal")
    return [replace(seat, pledge=pledge, contribution=contribution)]


def without(table: LiveTable, side: int) -> list[Seat]:
    """The seats that change when a side adds nothing after all.

    Where it had pledged, the others pledge and send new bytes: else it could decide, with theirs before it, whether
    its own shall count.

    Raises:
        IllegalError: its bytes are in the deal already, or it adds nothing anyway.
    """
    seat = table.seats[side]
    if not seat.is_awaited:
        raise IllegalError(
            "this side has nothing to take back: its bytes are in the deal, or it adds nothing", said="refused.deal"
        )
    changed = [replace(seat, contributes=False)]
    if seat.pledge:
        anew = [other for other in table.seats if other.side != side and other.contributes]
        changed += [replace(other, pledge=None, contribution=None) for other in anew]
    return changed
