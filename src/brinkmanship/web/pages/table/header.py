"""The part of a table page above the board: the players and their clocks, an invitation, the deal."""

from __future__ import annotations

import json
from typing import NamedTuple

from babel.dates import format_timedelta

from brinkmanship.engine.message import Message
from brinkmanship.web.pages.table.table_context import TableContext
from brinkmanship.web.presentation.page_words import player_name
from brinkmanship.web.tables.deal_pledges import owed
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import DEALING, RUNNING, WAITING


class SeatHeader(NamedTuple):
    """The player of a side."""

    side: int
    side_name: str
    name: str
    is_computer: bool
    is_person: bool
    is_you: bool
    is_asked: bool
    seconds_left: float | None
    """Time left on the side's clock, as far as the viewer may know; None without clocks."""
    clock_runs: bool
    person_id: str | None


class Shares(NamedTuple):
    """The players' contributions to the deal, for the script that sends them."""

    owed: dict[int, str]
    """Contributions that the viewer's sides have to send (`deal_pledges.owed`)."""
    awaited: list[int]
    """The viewer's sides whose bytes are still missing."""
    data: str
    """JSON list by side: name, whether it is the viewer's, whether it contributes, and its pledge."""


class Header(NamedTuple):
    """The part of the page above the board."""

    players: list[SeatHeader]
    thinking: bool
    """True while a computer player is to decide."""
    pause: str
    """Duration for which the clocks were just paused, e.g. "12 minutes"; "" if they were not."""
    is_open: bool
    """True if any user may join."""
    invitation: str
    """Link for the free seat, "" for viewers who may not share it."""
    shares: Shares | None
    """Contributions to the deal; None after it."""


def header_of(at: TableContext, now: float, server: str) -> Header:
    """Return the part of the page above the board.

    Args:
        at: the table as the viewer sees it.
        now: server time in seconds since 1970.
        server: the server's public address without a trailing slash.
    """
    players = _players(at, now)
    return Header(
        players=players,
        thinking=not at.groups and any(player.is_computer and player.is_asked for player in players),
        pause=_pause(at.table, at.side, at.own.language),
        is_open=at.table.is_open,
        invitation=_invitation(at, server),
        shares=_shares(at),
    )


def _players(at: TableContext, now: float) -> list[SeatHeader]:
    table, mine = at.table, at.viewer.mine
    bits = int(at.game.pending(at.game.rules, at.view)) if table.status == RUNNING else 0
    left = table.seconds_left(at.side, now)
    clocks_run = table.timer is not None and table.timer.since is not None and table.status == RUNNING
    return [
        SeatHeader(
            side=seat.side,
            side_name=at.words.name("side", at.game.sides[seat.side]),
            name=player_name(seat, at.own) or at.own.sentence(Message("table.free_seat")),
            is_computer=seat.computer is not None,
            is_person=seat.person_id is not None,
            is_you=seat.side == at.side if len(mine) > 1 else seat.side in mine,
            is_asked=bool(bits >> seat.side & 1),
            seconds_left=left[seat.side] if left is not None else None,
            clock_runs=clocks_run and bool(bits >> seat.side & 1),
            person_id=seat.person_id,
        )
        for seat in table.seats
    ]


def _pause(table: LiveTable, viewer: int, language: str) -> str:
    pause = table.pause_before(viewer) if table.status == RUNNING else None
    return format_timedelta(pause.value, locale=language) if pause else ""


def _invitation(at: TableContext, server: str) -> str:
    """Return the link for the free seat, for viewers seated at the table."""
    if at.table.status != WAITING or not at.viewer.mine:
        return ""
    tokens = (seat.invitation for seat in at.table.seats if seat.is_free and seat.invitation)
    return next((f"{server}/join/{at.table.id}/{token}" for token in tokens), "")


def _shares(at: TableContext) -> Shares | None:
    table, mine = at.table, at.viewer.mine
    if table.status not in (WAITING, DEALING):
        return None
    sides = [
        {
            "side": at.game.sides[seat.side],
            "mine": seat.side in mine,
            "contributes": seat.contributes,
            "pledge": seat.pledge or "",
        }
        for seat in table.seats
    ]
    return Shares(
        {side: what for side in mine if (what := owed(table, side))},
        [side for side in mine if table.seats[side].is_awaited],
        json.dumps(sides),
    )
