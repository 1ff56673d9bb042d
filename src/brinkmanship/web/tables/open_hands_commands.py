"""Commands of players about open hands for spectators and a commentator: propose, accept, decline or withdraw them."""

from __future__ import annotations

import time
from collections.abc import Callable

from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.support import time_control
from brinkmanship.web.support.errors import ForbiddenError, IllegalError, StaleError
from brinkmanship.web.tables import open_hands
from brinkmanship.web.tables.actions import check_running, check_seat
from brinkmanship.web.tables.event_log import EventLog
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.open_hands import Commentary, OpenView
from brinkmanship.web.tables.record_kinds import (
    ASK_COMMENTATOR,
    ASK_OPEN,
    CLOSE,
    DISMISS_COMMENTATOR,
    INVITE_COMMENTATOR,
    OPEN,
)
from brinkmanship.web.tables.registry import TableRegistry
from brinkmanship.web.tables.statuses import FINISHED


class OpenHandsCommands:
    """Open hands for spectators at running tables.

    All commands raise `NotFoundError` if there is no such table, and `ForbiddenError` if the seat is not the user's.
    """

    def __init__(self, tables: TableRegistry, event_log: EventLog) -> None:
        self._tables = tables
        self._event_log = event_log

    async def propose(self, table_id: str, person_id: str, side: int, delay: int) -> LiveTable:
        """Propose a delay; against a bot and on a shared screen it is agreed at once.

        Raises:
            IllegalError: The game is not running, such games are never shown, or the delay is agreed already.
        """

        def checked(table: LiveTable) -> TableRecord:
            check_running(table)
            if not open_delays(table):
                reason = "rated games and common deals are open after the end only"
                raise IllegalError(reason, key="watch.refused.rated")
            if delay not in open_delays(table):
                raise IllegalError("this game cannot be shown with that delay", key="watch.refused.delay")
            if table.state.open_view.delay == delay:
                raise IllegalError("this is agreed already", key="watch.refused.agreed")
            return TableRecord(ASK_OPEN, side, delay, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def answer(self, table_id: str, person_id: str, side: int, delay: int, accept: bool) -> LiveTable:
        """Accept or decline the other side's proposal of a delay; declining changes nothing that was agreed before.

        Raises:
            StaleError: The other side has proposed another delay in the meantime.
            IllegalError: The other side has proposed nothing.
        """

        def checked(table: LiveTable) -> TableRecord:
            check_running(table)
            asked = table.state.open_view.asked
            if asked is None or asked[0] == side:
                raise IllegalError("there is no proposal to answer", key="refused.no_question")
            if asked[1] != delay:
                raise StaleError("the other side has changed its proposal in the meantime")
            return TableRecord(OPEN, side, delay, time.time()) if accept else _closing(side, 1)

        return await self._recorded(table_id, person_id, side, checked)

    async def withdraw(self, table_id: str, person_id: str, side: int) -> LiveTable:
        """Withdraw a proposal or the agreement: spectators see nothing more than they have seen.

        Raises:
            IllegalError: There is neither.
        """

        def checked(table: LiveTable) -> TableRecord:
            check_running(table)
            if table.state.open_view.delay is None and table.state.open_view.asked is None:
                raise IllegalError("there is nothing to withdraw", key="refused.no_question")
            return _closing(side, int(table.state.open_view.delay is None))

        return await self._recorded(table_id, person_id, side, checked)

    async def propose_commentator(self, table_id: str, person_id: str, side: int) -> LiveTable:
        """Propose to invite a commentator, or accept the other side's proposal.

        Raises:
            IllegalError: Hands are not open to spectators, or a commentator is invited already.
        """

        def checked(table: LiveTable) -> TableRecord:
            check_running(table)
            if table.state.open_view.delay is None:
                raise IllegalError("agree on open hands for spectators first", key="watch.refused.closed")
            if table.state.commentary.number is not None or table.state.commentary.asked == side:
                raise IllegalError("this is agreed or proposed already", key="watch.refused.agreed")
            kind = ASK_COMMENTATOR if table.state.commentary.asked is None else INVITE_COMMENTATOR
            return TableRecord(kind, side, 0, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def dismiss_commentator(self, table_id: str, person_id: str, side: int) -> LiveTable:
        """Decline or withdraw a proposal, or dismiss the commentator.

        Raises:
            IllegalError: There is none.
        """

        def checked(table: LiveTable) -> TableRecord:
            check_running(table)
            if table.state.commentary == Commentary():
                raise IllegalError("there is no commentator", key="refused.no_question")
            return TableRecord(DISMISS_COMMENTATOR, side, 0, time.time())

        return await self._recorded(table_id, person_id, side, checked)

    async def _recorded(
        self, table_id: str, person_id: str, side: int, checked: Callable[[LiveTable], TableRecord]
    ) -> LiveTable:
        table = await self._tables.table(table_id)

        def command() -> TableRecord:
            check_seat(table, person_id, side)
            return checked(table)

        await self._event_log.do(table, command)
        return table


def _closing(side: int, only_proposal: int) -> TableRecord:
    return TableRecord(CLOSE, side, only_proposal, time.time())


def check_may_watch(table: LiveTable, person_id: str | None) -> None:
    """Raise unless a user may watch a running game with open hands.

    Raises:
        ForbiddenError: They play it.
        IllegalError: The players have not agreed, or have shown nothing.
    """
    table.check_open_to(person_id)
    if table.seat_of(person_id):
        raise ForbiddenError("players never see the other hand of their own game", key="watch.refused.player")
    if table.status != FINISHED and not is_shown(table):
        raise IllegalError("the players have not agreed to show their hands", key="watch.refused.closed")


def is_shown(table: LiveTable) -> bool:
    """Return True if there is or was an agreement on open hands that shows spectators something."""
    view: OpenView = table.state.open_view
    return view.delay is not None or view.frozen > 0


def open_delays(table: LiveTable) -> tuple[int, ...]:
    """Return the delays with which the players may show spectators all hands; empty where they may not."""
    if table.terms.rated or table.sealed or table.round:
        return ()
    return open_hands.delays_of(table.game, table.terms)


def steps_shown(table: LiveTable) -> int:
    """Return the number of entries that spectators may see with all hands open now."""
    return table.shown_openly(time_control.now())
