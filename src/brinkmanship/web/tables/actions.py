"""What the players of a running game may do: act, take back, ask to take back, resign, offer to end it."""

from __future__ import annotations

import time
from collections.abc import Callable

from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, NotFoundError, StaleError
from brinkmanship.web.support.table_terms import FREE, NONE
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.live_table import (
    ACCEPT,
    ACTION,
    ASK_BACK,
    DEALING,
    DECLINE,
    FINISHED,
    KEEP,
    OFFER,
    RESIGN,
    RUNNING,
    TAKE_BACK,
    UNDO,
    LiveTable,
)
from brinkmanship.web.tables.registry import TableRegistry


class TableActions:
    """Each method checks what a person wants to do for a side, has it recorded, and returns the table after it.

    All of them raise `NotFoundError` where there is no such table or seat, and `ForbiddenError` where the seat is not
    this person's.
    """

    def __init__(self, tables: TableRegistry, event_log: EventLog) -> None:
        self._tables = tables
        self._event_log = event_log

    async def act(self, table_id: str, person_id: str | None, side: int, version: int, action: int | str) -> LiveTable:
        """Take an action for a side.

        Raises:
            StaleError: the version is not the present one of this side.
            IllegalError: the action does not exist or is not legal.
        """

        def checked(table: LiveTable) -> TableRecord:
            check_version(table, side, version)
            check_running(table)
            return TableRecord(ACTION, side, table.legal_number(side, action), time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def undo(self, table_id: str, person_id: str | None, side: int, version: int, whole_turn: bool) -> LiveTable:
        """Take back the last step, or all steps since the last draw, reveal or change of decider.

        Raises:
            StaleError: the version is not the present one of this side.
            IllegalError: there is nothing this side may take back.
        """

        def checked(table: LiveTable) -> TableRecord:
            check_version(table, side, version)
            _check_not_over(table)
            count = table.undo_count(side)
            if table.terms.undo != FREE:
                raise IllegalError("at this table nothing is taken back by oneself", said="undo.refused")
            if count == 0:
                raise IllegalError(
                    "nothing can be taken back: a card was drawn or revealed, or the other side decides",
                    said="refused.undo",
                )
            undone = count if whole_turn else 1
            if table.timer and table.timer.left_after_undo(side, undone, time_control.now()) < 0:
                raise IllegalError("without the time that this step has gained, time has run out", said="undo.no_time")
            return TableRecord(UNDO, side, undone, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def ask_back(self, table_id: str, person_id: str | None, side: int, version: int, keep: int) -> LiveTable:
        """Ask the other side to go back to before a decision of one's own, beyond what the policy allows.

        Raises:
            StaleError: the version is not the present one of this side.
            IllegalError: no decision of this side stands there, both choose in secret, or somebody has asked already.
        """

        def checked(table: LiveTable) -> TableRecord:
            check_version(table, side, version)
            _check_not_over(table)
            seen = table.seen_by(side)
            if table.status != RUNNING or seen.in_secret:
                raise IllegalError("nothing can be asked back now", said="refused.back")
            if table.seats[1 - side].computer:
                raise IllegalError("a computer player does not take back", said="refused.back_computer")
            if table.terms.undo == NONE:
                raise IllegalError("at this table nothing is taken back", said="undo.refused")
            if table.back is not None:
                raise IllegalError("there is already such a question", said="refused.back_asked")
            if not table.given <= keep < seen.length or seen.entry(keep + 1).actor != side:
                raise IllegalError("one goes back to before a decision of one's own", said="refused.back")
            return TableRecord(ASK_BACK, side, keep, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def answer_back(self, table_id: str, person_id: str | None, side: int, accept: bool) -> LiveTable:
        """Answer the other side that asks to take back.

        Raises:
            IllegalError: there is no such question.
        """

        def checked(table: LiveTable) -> TableRecord:
            _check_not_over(table)
            if table.status != RUNNING or table.back is None or table.back[0] == side:
                raise IllegalError("there is no such question to answer", said="refused.no_question")
            kind, value = (TAKE_BACK, table.back[1]) if accept else (KEEP, 0)
            return TableRecord(kind, side, value, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def resign(self, table_id: str, person_id: str | None, side: int, everything: bool = False) -> LiveTable:
        """Give the game up, or the whole series.

        Raises:
            IllegalError: the game is over, or it belongs to no series that could be given up.
        """
        if everything and (await self._tables.table(table_id)).part is None:
            raise IllegalError("this game belongs to no campaign", said="refused.no_campaign")

        def checked(table: LiveTable) -> TableRecord:
            _check_goes_on(table)
            return TableRecord(RESIGN, side, int(everything), time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def offer_void(self, table_id: str, person_id: str | None, side: int) -> LiveTable:
        """Offer to end the game without a result.

        Raises:
            IllegalError: the game is over, or there is an offer.
        """

        def checked(table: LiveTable) -> TableRecord:
            _check_goes_on(table)
            if table.offer is not None:
                raise IllegalError("there is already an offer", said="refused.offered")
            return TableRecord(OFFER, side, 0, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def answer_offer(self, table_id: str, person_id: str | None, side: int, accept: bool) -> LiveTable:
        """Answer the other side's offer.

        Raises:
            IllegalError: there is none.
        """

        def checked(table: LiveTable) -> TableRecord:
            _check_goes_on(table)
            if table.offer != 1 - side:
                raise IllegalError("there is no offer to answer", said="refused.no_question")
            return TableRecord(ACCEPT if accept else DECLINE, side, 0, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def _recorded(
        self, table_id: str, person_id: str | None, side: int, checked: Callable[[LiveTable], TableRecord]
    ) -> LiveTable:
        table = await self._tables.table(table_id)

        def deed() -> TableRecord:
            check_seat(table, person_id, side)
            return checked(table)

        await self._event_log.do(table, deed)
        return table


def check_seat(table: LiveTable, person_id: str | None, side: int) -> None:
    """Refuse who does not play a side.

    Raises:
        NotFoundError: there is no such side.
        ForbiddenError: somebody else plays it.
    """
    if not 0 <= side < len(table.seats):
        raise NotFoundError("there is no such seat")
    if side not in table.seat_of(person_id):
        raise ForbiddenError("that is not your seat", said="refused.not_yours")


def check_version(table: LiveTable, side: int, version: int) -> None:
    """Refuse what was decided in a position that is not the present one.

    Raises:
        StaleError: a side has seen more than that version since.
    """
    present = table.version(side)
    if version == present:
        return
    # A pause of the clocks is news, but it changes nothing of what was seen and decided.
    if not present - table.pauses_before(side) <= version <= present:
        raise StaleError(f"the position has changed: it is at version {present}, not {version}")


def check_running(table: LiveTable) -> None:
    """Raise unless the game is running.

    Raises:
        IllegalError: it has not begun, or it is over.
    """
    _check_not_over(table)
    if table.status != RUNNING:
        raise IllegalError("the game is not running", said="refused.not_running")


def _check_not_over(table: LiveTable) -> None:
    if table.status == FINISHED:
        raise IllegalError("the game is already over", said="refused.over")


def _check_goes_on(table: LiveTable) -> None:
    if table.status != DEALING:
        check_running(table)
