"""Commands of players in a running game: act, undo, request a take-back, resign, offer a draw."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import takewhile

from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError, StaleError
from brinkmanship.web.support.table_terms import FREE, NONE
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import (
    ACCEPT,
    ACTION,
    ASK_BACK,
    DECLINE,
    KEEP,
    OFFER,
    PAUSE,
    RESIGN,
    TAKE_BACK,
    UNDO,
)
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.statuses import DEALING, FINISHED, RUNNING


class TableActions:
    """Player commands: each method checks a command for a side, records it, and returns the updated table.

    All of them raise `NotFoundError` if there is no such table or seat, and `ForbiddenError` if the seat is not the
    user's.
    """

    def __init__(self, tables: TableRegistry, event_log: EventLog) -> None:
        self._tables = tables
        self._event_log = event_log

    async def act(self, table_id: str, person_id: str | None, side: int, version: int, action: int | str) -> LiveTable:
        """Take an action for a side.

        Raises:
            StaleError: The version is not the side's current one.
            IllegalError: The action does not exist or is not legal.
        """

        def checked(table: LiveTable) -> TableRecord:
            check_version(table, side, version)
            check_running(table)
            return TableRecord(ACTION, side, table.legal_number(side, action), time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def undo(self, table_id: str, person_id: str | None, side: int, version: int, whole_turn: bool) -> LiveTable:
        """Undo the last step, or all steps since the last draw, reveal or change of decider.

        Raises:
            StaleError: The version is not the side's current one.
            IllegalError: There is nothing this side may undo.
        """

        def checked(table: LiveTable) -> TableRecord:
            check_version(table, side, version)
            _check_not_over(table)
            count = table.undo_count(side)
            if table.terms.undo != FREE:
                raise IllegalError("at this table steps cannot be undone without asking", key="undo.refused")
            if count == 0:
                raise IllegalError(
                    "nothing can be taken back: a card was drawn or revealed, or the other side is to move",
                    key="refused.undo",
                )
            undone = count if whole_turn else 1
            if table.timer and table.timer.left_after_undo(side, undone, time_control.now()) < 0:
                raise IllegalError(
                    "without the time gained by this step, your time would have run out", key="undo.no_time"
                )
            return TableRecord(UNDO, side, undone, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def ask_back(self, table_id: str, person_id: str | None, side: int, version: int, keep: int) -> LiveTable:
        """Ask the other side for a take-back to before one of your own decisions, beyond what the policy allows.

        Raises:
            StaleError: The version is not the side's current one.
            IllegalError: There is no decision of this side there, both sides choose in secret, or a request is pending.
        """

        def checked(table: LiveTable) -> TableRecord:
            check_version(table, side, version)
            _check_not_over(table)
            seen = table.seen_by(side)
            if table.status != RUNNING or seen.in_secret:
                raise IllegalError("no take-back can be requested now", key="refused.back")
            if table.seats[1 - side].computer:
                raise IllegalError("a computer player does not accept take-backs", key="refused.back_computer")
            if table.terms.undo == NONE:
                raise IllegalError("this table does not allow take-backs", key="undo.refused")
            if table.state.back is not None:
                raise IllegalError("a take-back has already been requested", key="refused.back_asked")
            if not table.given <= keep < seen.length or seen.entry(keep + 1).actor != side:
                raise IllegalError("a take-back goes back to before one of your own decisions", key="refused.back")
            return TableRecord(ASK_BACK, side, keep, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def answer_back(self, table_id: str, person_id: str | None, side: int, keep: int, accept: bool) -> LiveTable:
        """Accept or decline the other side's request for a take-back that keeps this many entries.

        Raises:
            StaleError: The other side has asked to go back to another entry in the meantime.
            IllegalError: There is no request of the other side.
        """

        def checked(table: LiveTable) -> TableRecord:
            _check_not_over(table)
            if table.status != RUNNING or table.state.back is None or table.state.back[0] == side:
                raise IllegalError("there is no such request to respond to", key="refused.no_question")
            if table.state.back[1] != keep:
                raise StaleError("the other side has changed its request in the meantime")
            kind, value = (TAKE_BACK, keep) if accept else (KEEP, 0)
            return TableRecord(kind, side, value, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def resign(self, table_id: str, person_id: str | None, side: int, everything: bool = False) -> LiveTable:
        """Resign the game, or the whole series if `everything` is True.

        Raises:
            IllegalError: The game is over, or it belongs to no series that could be resigned.
        """
        if everything and (await self._tables.table(table_id)).part is None:
            raise IllegalError("this game does not belong to a campaign", key="refused.no_campaign")

        def checked(table: LiveTable) -> TableRecord:
            _check_goes_on(table)
            return TableRecord(RESIGN, side, int(everything), time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def offer_void(self, table_id: str, person_id: str | None, side: int) -> LiveTable:
        """Offer a draw: to end the game without a result.

        Raises:
            IllegalError: The game is over, or an offer is pending.
        """

        def checked(table: LiveTable) -> TableRecord:
            _check_goes_on(table)
            if table.state.offer is not None:
                raise IllegalError("there is already an offer", key="refused.offered")
            return TableRecord(OFFER, side, 0, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def answer_offer(self, table_id: str, person_id: str | None, side: int, accept: bool) -> LiveTable:
        """Accept or decline the other side's draw offer.

        Raises:
            IllegalError: There is no such offer.
        """

        def checked(table: LiveTable) -> TableRecord:
            _check_goes_on(table)
            if table.state.offer != 1 - side:
                raise IllegalError("there is no offer to respond to", key="refused.no_question")
            return TableRecord(ACCEPT if accept else DECLINE, side, 0, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def _recorded(
        self, table_id: str, person_id: str | None, side: int, checked: Callable[[LiveTable], TableRecord]
    ) -> LiveTable:
        table = await self._tables.table(table_id)

        def command() -> TableRecord:
            check_seat(table, person_id, side)
            return checked(table)

        await self._event_log.do(table, command)
        return table


def check_seat(table: LiveTable, person_id: str | None, side: int) -> None:
    """Raise unless the user plays this side.

    Raises:
        NotFoundError: There is no such side.
        ForbiddenError: Another user plays it.
    """
    if not 0 <= side < len(table.seats):
        raise NotFoundError("there is no such seat")
    if side not in table.seat_of(person_id):
        raise ForbiddenError("this is not your seat", key="refused.not_yours")


def check_version(table: LiveTable, side: int, version: int) -> None:
    """Raise if the side has seen more than the given version.

    Raises:
        StaleError: The version is not the current one; a version before a mere pause of the clocks is accepted.
    """
    present = table.version(side)
    if version == present:
        return
    # A pause of the clocks raises the version, but it changes nothing that was seen and decided.
    if not present - _pauses_before(table, side) <= version <= present:
        raise StaleError(f"the position has changed: it is at version {present}, not {version}")


def _pauses_before(table: LiveTable, viewer: int) -> int:
    """Return the number of consecutive pauses at the end of the records known to a viewer."""
    return sum(1 for _ in takewhile(lambda record: record.kind == PAUSE, reversed(table.known_records(viewer))))


def check_running(table: LiveTable) -> None:
    """Raise unless the game is running.

    Raises:
        IllegalError: The game has not begun, or it is over.
    """
    _check_not_over(table)
    if table.status != RUNNING:
        raise IllegalError("the game is not running", key="refused.not_running")


def _check_not_over(table: LiveTable) -> None:
    if table.status == FINISHED:
        raise IllegalError("the game is already over", key="refused.over")


def _check_goes_on(table: LiveTable) -> None:
    if table.status != DEALING:
        check_running(table)
